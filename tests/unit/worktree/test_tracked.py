from oxy.worktree.tracked import TrackedPaths, with_parents


def test_tracked_paths_are_grouped_by_directory() -> None:
    tracked = TrackedPaths([b"sub/b", b"a", b"sub/a", b"sub/deep/er/x"])
    assert tracked.names(b"") == b"a"
    assert tracked.names(b"sub") == b"a\0b"
    assert tracked.names(b"sub/deep") == b""
    assert tracked.names(b"none") == b""


def test_a_directory_holds_what_lies_anywhere_below_it() -> None:
    tracked = TrackedPaths([b"sub/deep/er/x"])
    assert [tracked.holds(d) for d in (b"", b"sub", b"sub/deep", b"sub/deep/er")] == [True] * 4
    assert not tracked.holds(b"sub/d")
    assert not TrackedPaths([]).holds(b"")


def test_parents_reach_up_to_the_root() -> None:
    assert with_parents([b"a/b/c", b"a/d"]) == {b"", b"a", b"a/b", b"a/b/c", b"a/d"}
