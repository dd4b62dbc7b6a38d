from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from oxy.worktree.wildmatch import matches_path, matches_segment, parse


def matches(line: bytes, path: bytes) -> bool:
    pattern = parse(line)
    return pattern is not None and matches_path(pattern, tuple(path.split(b"/")))


def backtracking(pattern: bytes, name: bytes) -> bool:
    """The obvious meaning of stars and question marks, tried out."""
    if not pattern:
        return not name
    if pattern[:1] == b"*":
        return any(backtracking(pattern[1:], name[i:]) for i in range(len(name) + 1))
    if not name:
        return False
    return pattern[:1] in {b"?", name[:1]} and backtracking(pattern[1:], name[1:])


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=10))
def test_stars_match_as_if_every_way_were_tried(pattern: str, name: str) -> None:
    compiled = parse(b"/" + pattern.encode())
    found = compiled is not None and matches_path(compiled, (name.encode(),))
    doubled = len(pattern) > 1 and set(pattern) == {"*"}
    assert found == (
        bool(pattern) and (doubled or backtracking(pattern.encode(), name.encode()))
    )


def test_double_stars_match_as_if_every_way_were_tried() -> None:
    for size in range(1, 5):
        for names in product([b"a", b"b"], repeat=size):
            path = b"/".join(names)
            assert matches(b"/**/a", path) == (names[-1] == b"a")
            assert matches(b"a/**", path) == (names[0] == b"a" and size > 1)
            assert matches(b"a/**/b", path) == (names[0] == b"a" and names[-1] == b"b")
            assert matches(b"**/a/**/b/**", path) == (
                b"a" in names and b"b" in names[names.index(b"a") + 1 : -1]
            )


def test_a_pattern_built_to_backtrack_takes_linear_time() -> None:
    # Tried out way by way, this would take longer than the universe has left.
    pattern = parse(b"*a" * 120 + b"*b")
    assert pattern is not None
    assert not matches_segment(pattern.groups[0][0], b"a" * 255)
    deep = parse(b"**/a/" * 120 + b"b")
    assert deep is not None
    assert not matches_path(deep, (b"a",) * 255)
    classes = parse(b"*[ab]" * 120 + b"*c")
    assert classes is not None
    assert not matches_segment(classes.groups[0][0], b"a" * 255)


def test_a_line_that_can_match_nothing_is_no_pattern() -> None:
    for line in (
        b"",
        b"#x",
        b"  ",
        b"!",
        b"/",
        b"[a",
        b"a\\",
        b"[[:x:]]",
        b"[[:alpha:",
        b"[a-\\",
    ):
        assert parse(line) is None


def test_bytes_outside_utf8_are_matched_one_by_one() -> None:
    assert matches(b"/[\x80-\xff]", b"\xe9")
    assert matches(b"/\xe9?", b"\xe9\xff")
    assert not matches(b"/?", b"\xc3\xa9")
