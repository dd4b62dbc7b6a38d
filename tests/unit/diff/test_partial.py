from hypothesis import given
from hypothesis import strategies as st

from oxy.diff.lines import edits
from oxy.diff.partial import applied

LINES = st.lists(st.sampled_from([b"a\n", b"b\r\n", b"c\n", b"\n"]), max_size=12)
TEXTS = st.tuples(LINES, st.sampled_from([b"", b"end", b"a"])).map(
    lambda parts: b"".join(parts[0]) + parts[1]
)


@given(TEXTS, TEXTS, st.data())
def test_some_edits_and_then_the_others_give_the_new_text(
    old: bytes, new: bytes, data: st.DataObject
) -> None:
    found = edits(old, new)
    chosen = [edit for edit in found if data.draw(st.booleans())]
    between = applied(old, new, chosen)
    assert len(edits(old, between)) <= len(found)
    if len(chosen) in {0, len(found)}:
        assert between == (new if chosen else old)


def test_an_edit_is_made_and_another_left() -> None:
    old, new = b"1\n2\n3\n4", b"1\ntwo\n3\nfour\n5\n"
    first, second = edits(old, new)
    assert applied(old, new, [first]) == b"1\ntwo\n3\n4"
    assert applied(old, new, [second]) == b"1\n2\n3\nfour\n5\n"
