"""Imported commits' tree ids, worked out again from changes alone (spec: GB29, GB30, GB57)."""

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from pyroaring import BitMap

from oxy.progress import Progress
from oxy.repo.exported import all_states
from oxy.repo.repository import Repository
from oxy.repo.tree import Directory, disputed
from oxy_git.reader.ledger import every
from oxy_git.reader.trees import TreeMismatchError
from oxy_git.verify.choice import EVERYTHING, Choice, chosen_of
from oxy_git.verify.hashing import Hasher
from oxy_git.verify.history import History, Imported
from oxy_git.verify.planning import Planner, Task
from oxy_git.verify.rendering import Renderer
from oxy_git.verify.replay import Plan, Replayed, Replayer
from oxy_git.verify.result import Mismatch, Verification
from oxy_git.verify.sink import Nowhere
from oxy_git.verify.tags import verify_tags
from oxy_git.verify.trees import Grown, Trees
from oxy_git.verify.workers import Answers, Workers
from oxy_git.verify.writings import marked

COMMIT: Final = "no change gives this commit any more"
PARENTS: Final = "its context is not the states of its parents"
TREE: Final = "what it reads is not its tree"
CONTENT: Final = "it is in conflict, or in the way of another"

PAYS: Final = 300
"""Commits from which on more processes than one pay."""

AHEAD: Final = 64
"""Commits that are planned before they are worked out."""


class Verifier:
    """Goes through the commits, with the trees of those that have children to come."""

    __slots__ = (
        "_before",
        "_cut",
        "_files",
        "_hasher",
        "_history",
        "_last",
        "_own",
        "_planner",
        "_replayer",
        "_repository",
        "_states",
        "_trees",
        "_workers",
        "chosen",
    )

    def __init__(self, repository: Repository, choice: Choice, jobs: int) -> None:
        self._repository = repository
        self._history = History(repository)
        self.chosen = chosen_of(repository, self._history, choice)
        self._replayer = Replayer(repository, Renderer(repository))
        self._planner = Planner(repository, self._history, self._replayer, self.chosen)
        self._hasher = Hasher(lacking=self._history.lacking)
        self._trees: dict[int, Directory] = {}
        self._before: Directory | None = None
        """The tree of the commit that was worked out before, if it is right."""
        self._states = dict(all_states(repository))
        self._own = Trees(repository, Nowhere())
        self._last: list[Grown] = []
        self._cut = self._files = 0
        pays = len(self.chosen) >= PAYS and jobs > 1
        self._workers = Workers(repository.root, jobs) if pays else None

    def run(self, progress: Progress) -> Verification:
        """Verify what is chosen."""
        is_all = self.chosen == self._history.changes
        mismatches = list(self._lost()) if is_all else []
        tasks = self._planned()
        done = 0
        for done, task in enumerate(tasks, 1):
            self._cut += bool(task.item.partial.parents)
            mismatch = self._check(task) if task.plan else self._check_beside(task.item)
            if mismatch is not None:
                mismatches.append(mismatch)
            progress.update(done, len(self.chosen), "commits")
        tags = verify_tags(self._repository, mismatches.append) if is_all else 0
        return Verification(
            done,
            self._hasher.trees,
            self._hasher.raw_trees,
            self._files,
            tuple(mismatches),
            len(self._history.lacking),
            self._cut,
            tags,
            len(self._history.changes),
        )

    def close(self) -> None:
        """End the processes that it has."""
        if self._workers is not None:
            self._workers.close()

    def _planned(self) -> Iterator[Task]:
        """Yield what is to be done, and ask for what comes after it."""
        tasks = self._planner.tasks()
        waiting: deque[Task] = deque()
        ahead = AHEAD if self._workers else 1
        while True:
            for task in islice(tasks, ahead - len(waiting)):
                waiting.append(task)
                if self._workers is not None and task.plan is not None:
                    self._ask(self._workers, task.item.change, task.plan)
            if not waiting:
                return
            yield waiting.popleft()

    @staticmethod
    def _ask(workers: Workers, change: int, plan: Plan) -> None:
        nodes = sorted({*plan.own, *plan.several})
        workers.ask(change, nodes, is_recorded=plan.is_recorded)

    def _lost(self) -> Iterator[Mismatch]:
        """Yield the commits that were imported and are not what any change came from now."""
        for oid, change in every(self._repository.store):
            if self._history.numbers.get(oid) != change:
                yield Mismatch(oid, b"", COMMIT)

    def _check(self, task: Task) -> Mismatch | None:
        """Return what is wrong with a commit, if anything is; remember its tree."""
        item = task.item
        answers = self._workers.take(item.change) if self._workers else {}
        wrong = None if task.is_union else Mismatch(item.oid, b"", PARENTS)
        tree = self._trees[task.sides[0]] if task.sides and not task.is_leap else Directory({})
        try:
            tree, paths = self._replayed(task, answers)
            self._files += len(paths)
            tree = self._marked(task, tree)
        except TreeMismatchError as error:
            wrong = wrong or Mismatch(item.oid, error.path, CONTENT)
        else:
            if wrong is None and tree.mark != item.commit.tree:
                path, others = min(paths, default=b""), max(0, len(paths) - 1)
                wrong = Mismatch(item.oid, path, TREE, others)
        self._before = tree if wrong is None else None
        if task.is_wanted:
            self._trees[item.change] = tree
        for change in task.last:
            self._trees.pop(change, None)
        return wrong

    def _replayed(self, task: Task, answers: Answers) -> Replayed:
        assert task.plan is not None  # noqa: S101 - told by whoever calls
        if not task.is_leap:
            trees = [self._trees[change] for change in task.sides] or [Directory({})]
            return self._replayer.tree(task.plan, trees, answers)
        plan = task.plan
        if task.sides and self._before is None:
            # What this was planned to begin with is wrong, so it begins with nothing.
            plan = self._replayer.leap(plan.state, BitMap())
        return self._replayer.tree(plan, [self._before or Directory({})], answers)

    def _marked(self, task: Task, tree: Directory) -> Directory:
        item = task.item
        if not task.is_leap:
            return self._hasher.mark(tree, item.trees)
        state = self._repository.states.of_change(item.change)
        return marked(self._hasher, tree, item.commit.tree, self._history.writings(state))

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
        kept = self._history.writings(state)
        try:
            grown = self._own.leapt(name, self._last, item.commit.tree, kept)
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


def verify(
    repository: Repository, progress: Progress, choice: Choice = EVERYTHING, jobs: int = 1
) -> Verification:
    """Work out imported commits' tree ids and their own ids again, and compare.

    Neither a cache nor a kept tree or graph is read: files come from the changes, by way of
    their graphs at each commit's state.

    Args:
        repository: of which.
        progress: told after each commit.
        choice: which of them.
        jobs: how many processes may work.

    Cost: the files that each commit touched, with the runs of their graphs; where not all are
    chosen, the files that differ from those of the commit before. Memory for the trees of
    commits with children to come, and caches of bounded size in each process.
    """
    verifier = Verifier(repository, choice, jobs)
    try:
        return verifier.run(progress)
    finally:
        verifier.close()
