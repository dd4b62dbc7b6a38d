"""The trees of an export's commits, each from that of a parent (spec: git-bridge, GB33, GB36).

What was imported is worked out as a verification does. Everything else follows from oxy's own
trees, which know directories that move and files that meet.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyroaring import BitMap

from oxy.errors import RequestError
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry, differences, edited, subtree
from oxy.repo.trees import moved, tree_of
from oxy_git.reader.objects import object_id
from oxy_git.reader.partial import lacking
from oxy_git.reader.recall import adopted, recalled
from oxy_git.reader.trees import RawTree
from oxy_git.verify.hashing import Hasher
from oxy_git.verify.rendering import Renderer, pinned
from oxy_git.verify.replay import Replayer
from oxy_git.verify.sink import BLOB, TREE, Sink
from oxy_git.verify.writings import Writings, marked


class NoGitPinError(RequestError):
    """A subrepo is pinned to a state of oxy, for which Git has no name."""

    def __init__(self, path: bytes) -> None:
        super().__init__(
            f"'{path.decode('utf-8', 'backslashreplace')}' is pinned to a state of oxy, "
            "not to a Git commit"
        )
        self.path = path


class Grown(NamedTuple):
    """The tree of a commit, marked with Git's ids.

    `is_own` tells that the entries are oxy's own, with version keys; else they are of a replay.
    """

    state: BitMap
    tree: Directory
    is_own: bool


class Trees:
    """Makes trees, and gives what is new in them away, into a pack say."""

    __slots__ = ("_hasher", "_pack", "_renderer", "_replayer", "_repository")

    def __init__(self, repository: Repository, pack: Sink) -> None:
        self._repository = repository
        self._pack = pack
        self._renderer = Renderer(repository, self._keep_blob)
        self._replayer = Replayer(repository, self._renderer)
        self._hasher = Hasher(self._keep_tree, lacking(repository))

    def _keep_blob(self, node: int, oid: bytes, data: bytes) -> None:
        self._pack.add(BLOB, oid, data, node)

    def _keep_tree(self, path: bytes, oid: bytes, data: bytes) -> None:
        self._pack.add(TREE, oid, data, path)

    def imported(self, change: int, parents: Sequence[Grown], raw: Sequence[RawTree]) -> Grown:
        """Return the tree of an import whose ancestors all are imports. Cost: as GB29."""
        state = self._repository.states.of_change(change)
        plan = self._replayer.plan(change, state, [parent.state for parent in parents])
        trees = [parent.tree for parent in parents] or [Directory({})]
        tree = self._replayer.tree(plan, trees).tree
        return Grown(state, self._hasher.mark(tree, raw), is_own=False)

    def own(self, name: Name, parents: Sequence[Grown], raw: Sequence[RawTree]) -> Grown:
        """Return the tree of any state. Cost: what it has beyond its first parent.

        Raises:
            NoGitPinError: a subrepo has a pin that is none of Git's.
        """
        state, tree = self._unmarked(name, parents)
        return Grown(state, self._hasher.mark(tree, raw), is_own=True)

    def leapt(self, name: Name, known: Sequence[Grown], wanted: bytes, kept: Writings) -> Grown:
        """Return the tree of any state from that of another, if one is known.

        Args:
            name: the state.
            known: the other, or nothing.
            wanted: the id that the tree should have.
            kept: the trees that changes of the state keep.

        Cost: what differs between the states.

        Raises:
            NoGitPinError: a subrepo has a pin that is none of Git's.
        """
        state, tree = self._unmarked(name, known)
        return Grown(state, marked(self._hasher, tree, wanted, kept), is_own=True)

    def _unmarked(self, name: Name, parents: Sequence[Grown]) -> tuple[BitMap, Directory]:
        state = self._repository.states.members(name)
        first = parents[0] if parents else Grown(BitMap(), Directory({}), is_own=True)
        tree = moved(self._repository, first.tree, first.state, state)
        known: dict[tuple[int, bytes], bytes] = {}
        for parent in parents[1:]:
            for _, _, entry in differences(first.tree, parent.tree):
                if entry is not None and entry.digest:
                    known[entry.node, entry.key] = entry.digest
        changes: dict[bytes, Entry | None] = {}
        for path, _, entry in differences(first.tree, tree):
            if entry is not None:
                oid = known.get((entry.node, entry.key)) or self._file(path, entry, state)
                changes[path] = entry._replace(digest=oid)
        return state, edited(tree, changes) if changes else tree

    def _file(self, path: bytes, entry: Entry, state: BitMap) -> bytes:
        data = b"".join(self._repository.nodes.content(entry.node, state))
        if entry.kind == KIND_SUBREPO:
            pin = pinned(data)
            if pin is None:
                raise NoGitPinError(path)
            return pin
        oid = object_id(b"blob", data)
        self._pack.add(BLOB, oid, data, entry.node)
        return oid

    def adopted(self, name: Name, grown: Grown) -> Grown:
        """Return a tree with oxy's own entries in place of a replay's. Cost: the whole tree."""
        if grown.is_own:
            return grown
        tree = adopted(
            tree_of(self._repository, name),
            lambda path: _digest(grown.tree, path),
            lambda path: _digest(grown.tree, path),
        )
        return Grown(grown.state, tree, is_own=True)

    def recalled(self, read: Callable[[bytes], bytes], oid: bytes, name: Name) -> Grown:
        """Return the tree of a commit that Git has. Cost: what is looked at, when it is."""
        tree = recalled(self._repository, oid, name, read)
        return Grown(self._repository.states.members(name), tree, is_own=True)


def _digest(tree: Directory, path: bytes) -> bytes:
    there = subtree(tree, path)
    digest = there.mark if isinstance(there, Directory) else there and there.digest
    return digest or b""
