"""Changes laid into a Git repository, for those who clone it by Git (spec: GB49)."""

from collections.abc import Iterator, Sequence
from typing import Final

from pyroaring import BitMap

from oxy.codec.decode import read_blobs
from oxy.repo.origin import git_commit
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import BLOB, CHANGE
from oxy.sync.history import history
from oxy_git.carried.place import BLOBS, CHANGES, path_of
from oxy_git.carried.shelf import Shelf
from oxy_git.reader.git import Git, GitError

_OUT: Final = b"refs/oxy/out"
_TOGETHER: Final = 1024


def own_changes(repository: Repository, names: Sequence[Name]) -> BitMap:
    """Return the changes that states need and that came from no Git commit.

    Cost: a header for each change that they need.
    """
    heads = [change for name in names for part in name for change in part]
    needed = list(history(repository.states, heads))
    found = BitMap()
    for start in range(0, len(needed), _TOGETHER):
        for change, header in repository.headers(needed[start : start + _TOGETHER]):
            if git_commit(header) is None:
                found.add(change)
    return found


def laid(repository: Repository, git: Git, base: bytes | None, changes: BitMap) -> bytes | None:
    """Add changes, and the blobs that they name, to those that are laid in a commit.

    Args:
        repository: where they are from.
        git: where to.
        base: the commit, in hex; None where there is none.
        changes: what is to be there.

    Returns:
        The commit that has all of them, in hex; None where all are in the base.

    Raises:
        GitError: git failed.
    """
    shelf = Shelf(git, base or b"")
    held = shelf.held(CHANGES) if base else {}
    there = set(shelf.held(BLOBS)) if base else set()
    ids = repository.store.ids_of(CHANGE, changes)
    new = [number for number, name in zip(changes, ids, strict=True) if name not in held]
    if not new:
        return None
    pipe = git.start("fast-import", "--quiet", "--force", "--done")
    try:
        for piece in _stream(repository, base, new, there):
            pipe.stdin.write(piece)
        pipe.stdin.close()
        if pipe.wait():
            what = "fast-import"
            raise GitError(what, pipe.said())
    finally:
        pipe.close()
    return git.run("rev-parse", _OUT).strip()


def _stream(
    repository: Repository, base: bytes | None, changes: list[int], there: set[bytes]
) -> Iterator[bytes]:
    store = repository.store
    yield b"commit %s\ncommitter oxy <> 0 +0000\ndata 0\n" % _OUT
    if base is not None:
        yield b"from %s\n" % base
    names = store.ids_of(CHANGE, changes)
    for name, payload in zip(names, store.read_many(CHANGE, changes), strict=True):
        for ref in read_blobs(payload):
            number = store.number_of(BLOB, ref.id)
            if ref.id not in there and number is not None:
                there.add(ref.id)
                yield _head(BLOBS, ref.id, ref.length)
                yield from store.chunks(BLOB, number)
                yield b"\n"
        yield _head(CHANGES, name, len(payload)) + payload + b"\n"
    yield b"done\n"


def _head(kind: bytes, name: bytes, size: int) -> bytes:
    return b"M 100644 inline %s\ndata %d\n" % (path_of(kind, name), size)
