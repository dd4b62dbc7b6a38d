"""A text with conflicts, written and read back, is what it was (spec: conflicts, C22)."""

from collections.abc import Sequence

from hypothesis import assume, given
from hypothesis import strategies as st

from oxy.diff.lines import Edit
from oxy.repo.textual import with_final_lf
from oxy.worktree.marked import Marked, mark
from oxy.worktree.markers import Side, Sided, label
from oxy.worktree.unmarked import read_back

RUNS = st.builds(
    lambda mark, size, rest: mark * size + rest,
    st.sampled_from([b"<", b"|", b"=", b">"]),
    st.integers(1, 12),
    st.sampled_from([b"", b" base", b" x", b"\r"]),
)
LINES = st.one_of(st.sampled_from([b"", b"a", b"b", b"a\r", b"c\r", b"\xff", b"a\0"]), RUNS)
TEXTS = st.lists(LINES, max_size=4).map(lambda lines: b"".join(line + b"\n" for line in lines))
LABELS = st.builds(label, st.binary(min_size=32, max_size=32), st.binary(), st.binary())
SIDES = st.lists(st.builds(Side, LABELS, TEXTS), min_size=1, max_size=4).filter(
    lambda sides: any(side.text for side in sides)
)
CONFLICTS = st.builds(Sided, SIDES, TEXTS)
LATIN = st.sampled_from([b"", b"p\n", b"q\r\n", b"p\nq\n"])


@st.composite
def texts(draw: st.DrawFn) -> Marked:
    conflicts = draw(st.lists(CONFLICTS, max_size=3))
    # Equal blocks are the hard case, so some are written twice.
    conflicts += [one for one in conflicts if draw(st.booleans())]
    plain = [draw(TEXTS) for _ in range(len(conflicts) + 1)]
    for at in range(1, len(conflicts)):
        plain[at] += b"between\n"
    flats = [b"".join(dict.fromkeys(side.text for side in one.sides)) for one in conflicts]
    return mark(plain, flats, conflicts, draw(st.integers(0, 1)))


def lines(text: bytes) -> list[bytes]:
    return [line + b"\n" for line in text.split(b"\n")[:-1]]


def applied(old: bytes, new: bytes, found: Sequence[Edit]) -> bytes:
    """Return what edits make of an old text, with lines of a new one."""
    result: list[bytes] = []
    done = 0
    for edit in found:
        assert edit.old_start >= done
        result += lines(old)[done : edit.old_start]
        result += lines(new)[edit.new_start : edit.new_start + edit.new_count]
        done = edit.old_start + edit.old_count
    return b"".join(result + lines(old)[done:])


def flat(text: Marked) -> bytes:
    return text.with_blocks([block.flat for block in text.blocks])


@given(text=texts(), ends=st.booleans())
def test_what_was_written_reads_as_untouched(text: Marked, *, ends: bool) -> None:
    data = text.text()
    # A text whose last line is empty is another text without its final LF.
    is_short = not ends and not data.endswith(b"\n\n") and data != b"\n"
    found = read_back(text, data[:-1] if is_short else data)
    assert (found.edits, found.left) == ((), None)
    assert found.kept == tuple(range(len(text.blocks)))


@given(texts(), st.data())
def test_edits_and_resolutions_say_what_the_file_says(
    text: Marked, data: st.DataObject
) -> None:
    kept = [data.draw(st.booleans()) for _ in text.blocks]
    new = [data.draw(LATIN) for _ in text.blocks]
    plain = [data.draw(st.one_of(st.just(part), LATIN)) for part in text.plain]
    edited = text._replace(plain=tuple(plain))
    shown = [
        block.marked if keep else other
        for block, keep, other in zip(text.blocks, kept, new, strict=True)
    ]
    flats = [
        block.flat if keep else other
        for block, keep, other in zip(text.blocks, kept, new, strict=True)
    ]
    file = with_final_lf(edited.with_blocks(shown))
    found = read_back(text, file)
    assert found.left is None
    assert applied(flat(text), file, found.edits) == edited.with_blocks(flats)
    assert len(found.kept) == sum(kept)
    for index, line in found.untouched:
        block = b"".join(lines(file)[line:])
        assert block.startswith(text.blocks[index].marked)


@given(texts(), st.data())
def test_a_marker_that_went_missing_is_noticed(text: Marked, data: st.DataObject) -> None:
    marked = lines(text.text())
    markers = [at for at, line in enumerate(marked) if text.lengths.pattern().match(line)]
    assume(text.blocks)
    del marked[data.draw(st.sampled_from(markers))]
    assert read_back(text, b"".join(marked)).left is not None
