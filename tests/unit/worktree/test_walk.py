import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.model.pathrule import MAX_DEPTH
from oxy.worktree import patternfile as module
from oxy.worktree.listing import RECORD, Listing, UnreadableError
from oxy.worktree.patternfile import IgnoreFileTooLargeError
from oxy.worktree.tracked import TrackedPaths
from oxy.worktree.tracking import Noted
from oxy.worktree.walk import Rules, walk

NOTHING = TrackedPaths([])


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, os.O_RDONLY)
    yield fd
    os.close(fd)


def put(base: Path, *paths: str) -> None:
    for path in paths:
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(path)


def files(listings: Iterator[Listing]) -> list[bytes]:
    return [(x.path + b"/" + name).lstrip(b"/") for x in listings for name in x.names]


def oddities(listings: Iterator[Listing]) -> list[tuple[bytes, str]]:
    return [(oddity.path, oddity.kind) for x in listings for oddity in x.oddities]


def test_directories_come_parents_first_with_sorted_names(tmp_path: Path, root: int) -> None:
    put(tmp_path, "b", "a", "sub/z", "sub/deep/x", "other/y")
    listings = list(walk(root, NOTHING))
    assert [(x.path, x.names) for x in listings] == [
        (b"", (b"a", b"b")),
        (b"other", (b"y",)),
        (b"sub", (b"z",)),
        (b"sub/deep", (b"x",)),
    ]


def test_a_record_holds_size_times_inode_and_mode(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a", "b")
    (tmp_path / "b").chmod(0o755)
    (listing,) = walk(root, NOTHING)
    for place, name in enumerate(listing.names):
        s = os.lstat(tmp_path / os.fsdecode(name))
        expected = (s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino, s.st_mode)
        assert RECORD.unpack_from(listing.stats, place * RECORD.size) == expected


def test_an_empty_directory_is_listed_as_empty(tmp_path: Path, root: int) -> None:
    (tmp_path / "empty").mkdir()
    assert [(x.path, x.names, x.stats) for x in walk(root, NOTHING)] == [
        (b"", (), b""),
        (b"empty", (), b""),
    ]


def test_symlinks_are_listed_and_not_followed(tmp_path: Path, root: int) -> None:
    put(tmp_path, "real/a")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("/nowhere")
    assert files(walk(root, NOTHING)) == [b"dangling", b"link", b"real/a"]


def test_own_directories_are_not_walked(tmp_path: Path, root: int) -> None:
    put(tmp_path, ".oxy/x", ".git/config", "a")
    listings = list(walk(root, NOTHING))
    assert [x.path for x in listings] == [b""]
    assert oddities(iter(listings)) == []


def test_fifos_and_sockets_are_reported(tmp_path: Path, root: int) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "sock"))
        put(tmp_path, "a")
        (listing,) = walk(root, NOTHING)
    assert listing.names == (b"a",)
    assert len(listing.stats) == RECORD.size
    assert [(o.path, o.kind, o.reason) for o in listing.oddities] == [
        (b"fifo", "special", "is a FIFO"),
        (b"sock", "special", "is a socket"),
    ]


def test_a_tracked_name_that_became_a_fifo_is_not_listed(tmp_path: Path, root: int) -> None:
    os.mkfifo(tmp_path / "a")
    (listing,) = walk(root, TrackedPaths([b"a"]))
    assert listing.names == ()
    assert [o.kind for o in listing.oddities] == ["special"]


def test_refused_names_are_reported_and_not_entered(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a", "new\nline", "git~1", ".GIT/x", "sub/.oxy./y")
    listings = list(walk(root, NOTHING))
    assert files(iter(listings)) == [b"a"]
    assert sorted(oddities(iter(listings))) == [
        (b".GIT", "refused"),
        (b"git~1", "refused"),
        (b"new\nline", "refused"),
        (b"sub/.oxy.", "refused"),
    ]


@pytest.mark.parametrize("mark", [".git/HEAD", ".git", ".oxy/x", ".oxy"])
def test_a_nested_repository_is_reported_and_not_entered(
    tmp_path: Path, root: int, mark: str
) -> None:
    put(tmp_path, "a", "sub/nest/b", "sub/nest/c/d", f"sub/nest/{mark}")
    listings = list(walk(root, NOTHING))
    assert files(iter(listings)) == [b"a"]
    assert oddities(iter(listings)) == [(b"sub/nest", "nested")]


def test_what_is_tracked_in_a_nested_repository_stays_tracked(
    tmp_path: Path, root: int
) -> None:
    put(tmp_path, "nest/.git/HEAD", "nest/kept", "nest/new", "nest/in/kept", "nest/in/new")
    tracked = TrackedPaths([b"nest/kept", b"nest/in/kept"])
    assert files(walk(root, tracked)) == [b"nest/kept", b"nest/in/kept"]


def test_ignored_names_are_left_out_and_tracked_ones_stay(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a.o", "b.o", "c", "out/kept", "out/new", "out/in/new", "away/x")
    (tmp_path / ".gitignore").write_text("*.o\nout/\naway\n")
    assert files(walk(root, NOTHING)) == [b".gitignore", b"c"]
    tracked = TrackedPaths([b"a.o", b"out/kept"])
    assert files(walk(root, tracked)) == [b".gitignore", b"a.o", b"c", b"out/kept"]


def test_an_ignore_file_that_is_a_symlink_or_too_large_says_nothing(
    tmp_path: Path, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a.o", "rules")
    (tmp_path / "rules").write_text("*.o")
    (tmp_path / ".gitignore").symlink_to("rules")
    assert b"a.o" in files(walk(root, NOTHING))
    (tmp_path / ".gitignore").unlink()
    (tmp_path / ".gitignore").write_text("*.o\n" * 10)
    monkeypatch.setattr(module, "MAX_IGNORE_FILE", 39)
    with pytest.raises(IgnoreFileTooLargeError, match="gitignore"):
        list(walk(root, NOTHING))


def test_leftovers_of_a_checkout_are_reported(tmp_path: Path, root: int) -> None:
    put(tmp_path, "sub/.oxy-tmp-1-2", "sub/a")
    listings = list(walk(root, NOTHING))
    assert files(iter(listings)) == [b"sub/a"]
    assert oddities(iter(listings)) == [(b"sub/.oxy-tmp-1-2", "leftover")]


def test_names_that_are_not_utf8_come_as_bytes_in_byte_order(tmp_path: Path, root: int) -> None:
    names = [b"\xff", "\U0001f600".encode(), "é".encode(), b"z", b"\xc3"]
    for name in names:
        (tmp_path / os.fsdecode(name)).touch()
    (listing,) = walk(root, NOTHING)
    assert listing.names == tuple(sorted(names))


def test_a_very_deep_tree_is_refused_at_the_limit(tmp_path: Path, root: int) -> None:
    fd = os.open(tmp_path, os.O_RDONLY)
    for _ in range(MAX_DEPTH + 8):
        os.mkdir("d", dir_fd=fd)
        inner = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=fd))
        os.close(fd)
        fd = inner
    os.close(fd)
    before = len(os.listdir("/proc/self/fd"))
    listings = list(walk(root, NOTHING))
    assert len(listings) == MAX_DEPTH
    assert oddities(iter(listings)) == [(b"/".join([b"d"] * MAX_DEPTH), "refused")]
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_directory_that_cannot_be_read_stops_the_walk(
    tmp_path: Path, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "a")

    def refuse(_: int) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(UnreadableError, match="Permission denied"):
        list(walk(root, NOTHING))


class Meanwhile(TrackedPaths):
    """Somebody else changes the tree after the root has been read."""

    def __init__(self, base: Path) -> None:
        super().__init__([])
        self.base = base

    def names(self, directory: bytes) -> bytes:
        """Change the tree when the root is asked about."""
        if not directory and (self.base / "sub").is_dir():
            shutil.rmtree(self.base / "sub")
            (self.base / "a").unlink()
            (self.base / "sub").symlink_to("outside")
        return b""


def test_a_tree_that_changes_during_the_walk_leads_nowhere(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    put(tree, "a", "b", "sub/x", "outside/.gitignore")
    (tree / "outside").rename(tmp_path / "outside")
    fd = os.open(tree, os.O_RDONLY)
    listings = list(walk(fd, Meanwhile(tree)))
    os.close(fd)
    assert [(x.path, x.names) for x in listings] == [(b"", (b"b",))]


def test_a_restricted_walk_looks_at_the_named_paths_alone(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a", "b", "sub/x", "sub/y", "sub/deep/z", "sub/deep/er/w", "other/v")
    listings = list(walk(root, NOTHING, [b"sub/deep", b"b", b"sub/x", b"sub/deep/z"]))
    assert [(x.path, x.names, x.asked) for x in listings] == [
        (b"", (b"b",), (b"b",)),
        (b"sub", (b"x",), (b"deep", b"x")),
        (b"sub/deep", (b"z",), None),
        (b"sub/deep/er", (b"w",), None),
    ]


def test_a_named_path_that_is_absent_or_behind_a_symlink_is_listed_as_absent(
    tmp_path: Path, root: int
) -> None:
    put(tmp_path, "real/a", "file")
    (tmp_path / "link").symlink_to("real")
    listings = list(walk(root, NOTHING, [b"link/a", b"file/x", b"no/such", b"none"]))
    assert [(x.path, x.names, x.asked) for x in listings] == [
        (b"file", (), (b"x",)),
        (b"link", (), (b"a",)),
        (b"no", (), (b"such",)),
        (b"", (), (b"none",)),
    ]


def test_named_paths_obey_the_rules_of_the_directories_above(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a.o", "sub/b.o", "out/c", "nest/.git", "nest/d", "sub/t.o", ".GIT/e")
    (tmp_path / ".gitignore").write_text("*.o\nout/\n")
    named = [b"a.o", b"sub/b.o", b"out/c", b"out", b"nest/d", b"nest", b"sub/t.o", b".GIT"]
    named += [b"..", b"../x", b"sub/../a"]
    listings = list(walk(root, TrackedPaths([b"sub/t.o"]), named))
    assert sorted(files(iter(listings))) == [b"a.o", b"sub/b.o", b"sub/t.o"]
    assert sorted(oddities(iter(listings))) == [
        (b"..", "refused"),
        (b"../x", "refused"),
        (b".GIT", "refused"),
        (b"nest", "nested"),
        (b"out", "ignored"),
        (b"sub/../a", "refused"),
    ]


def test_what_was_noted_goes_before_the_rules(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a.o", "b", "out/c", "out/d", "out/in/e", "sub/f", "sub/g", "sub/in/h")
    (tmp_path / ".gitignore").write_text("*.o\nout/\n")
    said = {b"a.o": True, b"b": False, b"out/in": True, b"out/d": True, b"sub": False}
    noted = Noted({**said, b"sub/in": True, b"sub/in/h": False})
    tracked = TrackedPaths([b"b", b"sub/f"])
    rules = Rules(noted, tells=True)
    listings = list(walk(root, tracked, rules=rules))
    assert files(iter(listings)) == [b".gitignore", b"a.o", b"out/d", b"out/in/e"]
    assert oddities(iter(listings)) == [
        (b"b", "untracked"),
        (b"out/c", "ignored"),
        (b"sub/f", "untracked"),
        (b"sub/g", "untracked"),
        (b"sub/in/h", "untracked"),
    ]
    named = list(walk(root, tracked, [b"a.o", b"b", b"sub/g", b"out/in"], rules=rules))
    assert sorted(files(iter(named))) == [b"a.o", b"out/in/e"]
    assert oddities(iter(named)) == [(b"sub/g", "untracked")]


def test_what_is_left_out_is_told_where_it_is_asked_for(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a.o", "b", "out/c", "out/in/e", "kept/f")
    (tmp_path / ".gitignore").write_text("*.o\nout/\n")
    noted = Noted({b"kept": False})
    listings = walk(root, NOTHING, rules=Rules(noted, tells=True))
    assert sorted(oddities(listings)) == [
        (b"a.o", "ignored"),
        (b"kept/", "untracked"),
        (b"out/", "ignored"),
    ]


def test_naming_the_root_walks_everything(tmp_path: Path, root: int) -> None:
    put(tmp_path, "a", "sub/x")
    assert list(walk(root, NOTHING, [b"", b"a"])) == list(walk(root, NOTHING))
