"""Every imported commit's tree id, worked out again from changes alone (spec: GB29, GB30)."""

from collections.abc import Iterator
from typing import Final

from pyroaring import BitMap

from oxy.progress import Progress
from oxy.repo.exported import all_states
from oxy.repo.repository import Repository
from oxy.repo.tree import Directory, disputed
from oxy_git.reader.ledger import every
from oxy_git.reader.trees import TreeMismatchError
from oxy_git.verify.hashing import Hasher
from oxy_git.verify.history import History, Imported
from oxy_git.verify.rendering import Renderer
from oxy_git.verify.replay import Replayer, Side
from oxy_git.verify.result import Mismatch, Verification
from oxy_git.verify.sink import Nowhere
from oxy_git.verify.tags import verify_tags
from oxy_git.verify.trees import Grown, Trees

COMMIT: Final = "no change gives this commit any more"
PARENTS: Final = "its context is not the states of its parents"
TREE: Final = "what it reads is not its tree"
CONTENT: Final = "it is in conflict, or in the way of another"


class Verifier:
    """Goes through the commits, with the trees of those that have children to come."""

    __slots__ = (
        "_cut",
        "_hasher",
        "_history",
        "_last",
        "_own",
        "_renderer",
        "_replayer",
        "_repository",
        "_states",
        "_trees",
    )

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._history = History(repository)
        self._renderer = Renderer(repository)
        self._replayer = Replayer(repository, self._renderer)
        self._hasher = Hasher(lacking=self._history.lacking)
        self._trees: dict[int, Directory] = {}
        self._states = dict(all_states(repository))
        self._own = Trees(repository, Nowhere())
        self._last: list[Grown] = []
        self._cut = 0

    def run(self, progress: Progress) -> Verification:
        """Verify every imported commit."""
        total = len(self._history.numbers)
        mismatches = list(self._lost())
        done = 0
        for done, item in enumerate(self._history.imported(), 1):
            self._cut += bool(item.partial.parents)
            mismatch = self._check(item)
            if mismatch is not None:
                mismatches.append(mismatch)
            self._forget(item)
            progress.update(done, total, "commits")
        tags = verify_tags(self._repository, mismatches.append)
        return Verification(
            done,
            self._hasher.trees,
            self._hasher.raw_trees,
            self._renderer.files,
            tuple(mismatches),
            len(self._history.lacking),
            self._cut,
            tags,
        )

    def _lost(self) -> Iterator[Mismatch]:
        """Yield the commits that were imported and are not what any change came from now."""
        for oid, change in every(self._repository.store):
            if self._history.numbers.get(oid) != change:
                yield Mismatch(oid, b"", COMMIT)

    def _check(self, item: Imported) -> Mismatch | None:
        """Return what is wrong with a commit, if anything is; remember its tree."""
        state = self._repository.states.of_change(item.change)
        if not state <= self._history.changes:
            return self._check_beside(item)
        sides = self._sides(item)
        wrong = None
        if sides is None or not _is_union(state, item.change, sides):
            wrong = Mismatch(item.oid, b"", PARENTS)
            sides = sides or [Side(BitMap(), Directory({}))]
        tree = sides[0].tree
        try:
            tree, paths = self._replayer.tree(item.change, state, sides)
            tree = self._hasher.mark(tree, item.trees)
        except TreeMismatchError as error:
            wrong = wrong or Mismatch(item.oid, error.path, CONTENT)
        else:
            if wrong is None and tree.mark != item.commit.tree:
                path, others = min(paths, default=b""), max(0, len(paths) - 1)
                wrong = Mismatch(item.oid, path, TREE, others)
        if item.oid in self._history.children:
            self._trees[item.change] = tree
        return wrong

    def _check_beside(self, item: Imported) -> Mismatch | None:
        """Return what is wrong with a commit that has commits of oxy beneath it.

        Its tree is worked out from that of the last such commit. What commits of oxy stand for
        is noted only; where it is not, no more is asked than that all parents are in it.
        """
        states = self._repository.states
        name = states.name_of_change(item.change)
        state = states.members(name)
        parents = (oid for oid in item.commit.parents if oid not in item.partial.parents)
        known = [self._state(oid) for oid in parents]
        union = BitMap([item.change]).union(*(each for each in known if each is not None))
        if not union <= state or (None not in known and union != state):
            return Mismatch(item.oid, b"", PARENTS)
        try:
            grown = self._own.own(name, self._last, item.trees)
        except TreeMismatchError as error:
            return Mismatch(item.oid, error.path, TREE)
        self._last = [grown]
        self._hasher.trees += 1
        path, _ = next(disputed(grown.tree), (b"", None))
        if path:
            return Mismatch(item.oid, path, CONTENT)
        return None if grown.tree.mark == item.commit.tree else Mismatch(item.oid, b"", TREE)

    def _state(self, oid: bytes) -> BitMap | None:
        states = self._repository.states
        change = self._history.numbers.get(oid)
        if change is not None:
            return states.of_change(change)
        name = self._states.get(oid)
        return None if name is None else states.members(name)

    def _sides(self, item: Imported) -> list[Side] | None:
        """Return the parents of a commit, the first first; None if one is missing."""
        states = self._repository.states
        sides = []
        for oid in dict.fromkeys(item.commit.parents):
            if oid in item.partial.parents:
                continue
            change = self._history.numbers.get(oid)
            if change is None or change not in self._trees:
                return None
            sides.append(Side(states.of_change(change), self._trees[change]))
        return sides or [Side(BitMap(), Directory({}))]

    def _forget(self, item: Imported) -> None:
        """Forget the parents of a commit that have no children to come."""
        children = self._history.children
        for oid in set(item.commit.parents):
            children[oid] -= 1
            if not children[oid]:
                del children[oid]
                self._trees.pop(self._history.numbers.get(oid, 0), None)


def _is_union(state: BitMap, change: int, sides: list[Side]) -> bool:
    union = BitMap([change])
    for side in sides:
        union |= side.state
    return union == state


def verify(repository: Repository, progress: Progress) -> Verification:
    """Work out every imported commit's tree id and its own id again, and compare.

    Neither a cache nor a kept tree or graph is read: files come from the changes, by way of
    their graphs at each commit's state.

    Cost: the files that each commit touched, with the runs of their graphs; memory for the
    trees of commits with children to come, and caches of bounded size.
    """
    return Verifier(repository).run(progress)
