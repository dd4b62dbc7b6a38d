import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.worktree import parallel
from oxy.worktree.listing import Listing
from oxy.worktree.manifest import Manifest
from oxy.worktree.parallel import walk_whole
from oxy.worktree.row import renew
from oxy.worktree.span import Span
from oxy.worktree.tracked import TrackedPaths
from oxy.worktree.walk import Rules, walk


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Iterator[int]:
    tree = tmp_path / "tree"
    for directory in ("", "a", "a/b", "a/b/c", "a-b", "d", "d/e", "f"):
        (tree / directory).mkdir(exist_ok=True)
        for name in ("x", "y.o", "z"):
            (tree / directory / name).touch()
    os.mkfifo(tree / "d" / "fifo")
    (tree / ".gitignore").write_text("*.o\n/f\n")
    fd = os.open(tree, os.O_RDONLY)
    yield fd
    os.close(fd)


@pytest.fixture(name="manifest")
def _manifest(tmp_path: Path, root: int, monkeypatch: pytest.MonkeyPatch) -> Manifest:
    manifest = Manifest.load(os.fsencode(tmp_path / "manifest"))
    marks = (b"k" * 16, b"d" * 32)
    rows = [
        renew(listing, None, dict.fromkeys(listing.names, marks), 1)
        for listing in walk(root, TrackedPaths([]))
    ]
    manifest.update(rows, [], b"state")
    monkeypatch.setattr(parallel, "PAYS", 1)
    monkeypatch.setattr("oxy.processors.processors", lambda: 3)
    return manifest


def has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def test_several_processes_find_what_one_finds(root: int, manifest: Manifest) -> None:
    assert list(walk_whole(root, manifest)) == list(walk(root, manifest))
    assert not has_children()


def test_any_cuts_cover_the_tree_once(root: int) -> None:
    tracked = TrackedPaths([])
    whole = list(walk(root, tracked))
    places = [tuple(x.path.split(b"/")) for x in whole if x.path]
    places += [(b"a", b"aa"), (b"a", b"b", b"c", b"d"), (b"none",)]
    for one in places:
        for other in places:
            if one > other:
                continue
            spans = [Span((), one), Span(one, other), Span(other, None)]
            found = [x for span in spans for x in walk(root, tracked, span=span)]
            assert found == whole


def test_what_a_child_cannot_tell_is_walked_again(
    root: int, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = list(walk(root, manifest))
    parent = os.getpid()

    def failing(at: int, tracked: Manifest, span: Span, rules: Rules) -> Iterator[Listing]:
        if os.getpid() != parent:
            raise MemoryError
        return walk(at, tracked, span=span, rules=rules)

    monkeypatch.setattr(parallel, "walk", failing)
    assert list(walk_whole(root, manifest)) == expected


def test_a_walk_that_is_given_up_leaves_no_process(root: int, manifest: Manifest) -> None:
    before = len(os.listdir("/proc/self/fd"))
    listings = walk_whole(root, manifest)
    next(listings)
    assert isinstance(listings, Iterator)
    del listings
    assert not has_children()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_small_tree_is_walked_by_one_process(
    root: int, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "PAYS", 1_000)

    def forbidden() -> int:
        raise AssertionError

    monkeypatch.setattr(os, "fork", forbidden)
    assert list(walk_whole(root, manifest)) == list(walk(root, manifest))
