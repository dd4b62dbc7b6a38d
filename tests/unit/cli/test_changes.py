from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.log import Entry
from oxy.cli.changes import lines_of, piece_of
from oxy.cli.output import rendered
from oxy.model.change import Header, Moment

TEXTS = st.lists(
    st.sampled_from([b"a", b" ", b"\n", b"\t", b"\r", b"\x1b", b"\xff", "é".encode(), b"word"]),
    max_size=8,
).map(b"".join)
IDS = st.binary(min_size=32, max_size=32)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    moment = Moment(draw(st.integers(0, 2**50)), draw(st.integers(-800, 800)))
    header = Header(draw(TEXTS), moment, draw(TEXTS))
    git = draw(st.none() | st.binary(min_size=20, max_size=20))
    replaced = [tuple(draw(st.lists(IDS, max_size=2))) for _ in range(2)]
    return Entry(1, draw(IDS), header, (), git, *replaced)


@given(entry=entries(), names=st.lists(TEXTS, max_size=2))
def test_an_entry_in_one_piece_is_its_lines(entry: Entry, names: list[bytes]) -> None:
    piece = piece_of(entry, names)
    lines = b"".join(rendered(line, colour=False) for line in lines_of(entry, names))
    assert piece == lines


def test_an_entry_of_plain_text_is_made_in_one_piece() -> None:
    header = Header(b"Ann <a@example.org>", Moment(0, 60), b"first\n\n\tthen\n")
    assert piece_of(Entry(1, b"\xab" * 32, header, (), None), [b"main", b"v1"]) == (
        b"change abababababab [main, v1]\nauthor: Ann <a@example.org>\n"
        b"date:   1970-01-01 01:00:00 +0100\n\n    first\n\n    \tthen\n\n"
    )
