"""Where a commit may differ from what it is recorded on (spec: GB13, GB15, GB18)."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from oxy.model.pathrule import path_refusal
from oxy.repo.tree import Directory, Entry, get
from oxy_git.importer.content import Want
from oxy_git.importer.union import Union
from oxy_git.reader.stream import GONE, Difference
from oxy_git.reader.trees import git_mode

TWIN = "has the name of a directory"


class Wanted(NamedTuple):
    """A path where a commit may differ: what is there, and what it wants there.

    `difference` is what git says, None where only the union differs from the first parent.
    """

    path: bytes
    have: Entry | None
    want: Want | None
    difference: Difference | None

    @property
    def is_new(self) -> bool:
        """Whether a file is wanted whose bytes are not there."""
        if self.want is None:
            return False
        return self.have is None or self.have.digest != self.want.oid


def differing(
    files: Iterable[Difference],
    union: Union,
    first: Directory,
    withhold: Callable[[bytes, str], None],
) -> list[Wanted]:
    """Return the paths where a commit may differ, in the order of the blobs that git sends.

    Args:
        files: what differs from the first parent.
        union: what the commit is recorded on.
        first: the tree of the first parent.
        withhold: told of each path that is not taken, and why.
    """
    found: dict[bytes, Wanted] = {}
    for difference in files:
        path, want = difference.path, _want_of(difference)
        refused = path_refusal(path)
        if refused is not None:
            want = None
            if difference.new_mode != GONE:
                withhold(path, refused)
        found[path] = Wanted(path, get(union.tree, path), want, difference)
    for path in _twins(found):
        withhold(path, TWIN)
        found[path] = found[path]._replace(want=None)
    for path in union.paths:
        if path not in found:
            entry = get(first, path)
            want = Want(git_mode(entry), entry.digest) if entry else None
            found[path] = Wanted(path, get(union.tree, path), want, None)
    return [found[path] for path in sorted(found)] if union.paths else list(found.values())


def _want_of(difference: Difference) -> Want | None:
    if difference.new_mode == GONE:
        return None
    return Want(difference.new_mode, difference.new_oid)


def _twins(found: dict[bytes, Wanted]) -> Iterator[bytes]:
    """Yield the files that a commit wants where it wants a directory too, as odd trees have."""
    above: set[bytes] = set()
    for path, item in found.items():
        while item.want is not None and (path := path.rpartition(b"/")[0]) not in above:
            above.add(path)
            if not path:
                break
    yield from [path for path in above if path in found and found[path].want is not None]
