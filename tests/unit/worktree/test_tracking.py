from pathlib import Path

from oxy.worktree.tracking import NOTHING, Noted, read, write


def test_the_longest_path_that_speaks_of_one_counts() -> None:
    noted = Noted({b"": False, b"a": True, b"a/b": False})
    said = [noted.says(path) for path in (b"x/y", b"a", b"a/x", b"a/b", b"a/b/c", b"ab")]
    assert said == [False, True, True, False, False, False]
    assert Noted({b"a/b": True}).says(b"a") is None


def test_only_what_was_said_itself_is_named() -> None:
    noted = Noted({b"a": True, b"b": False})
    assert [noted.names(path) for path in (b"a", b"a/x", b"b")] == [True, False, False]


def test_directories_hold_what_is_tracked_below_them() -> None:
    noted = Noted({b"a/b/c": True, b"d/e": False})
    assert [noted.holds(path) for path in (b"", b"a", b"a/b", b"a/b/c", b"d")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    said = {b"": False, b"a\nb": True, b"\xff": False}
    write(control, said)
    assert read(control).said == said
    write(control, {})
    assert not (tmp_path / "tracking").exists()
    assert read(control) is NOTHING
    assert not NOTHING
