"""Lines of a text are found by their numbers, however long they are."""

from hypothesis import given
from hypothesis import strategies as st

from oxy_git.importer.drafting import taken

LENGTHS = st.lists(st.sampled_from([0, 1, 5, 40, 300, 5000]), min_size=1, max_size=120)


@given(LENGTHS, st.data())
def test_lines_are_taken_by_their_numbers(lengths: list[int], data: st.DataObject) -> None:
    lines = [b"x" * length + b"\n" for length in lengths]
    ends = st.integers(0, len(lines))
    first, second = sorted((data.draw(ends), data.draw(ends)))
    ranges = [(0, first // 2), (first, 0), (first, second - first)]
    wanted = lines[: first // 2] + lines[first:second]
    assert taken(b"".join(lines), ranges) == b"".join(wanted)
