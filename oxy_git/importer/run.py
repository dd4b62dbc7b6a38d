"""Importing a Git repository (spec: git-bridge, GB20 to GB28).

One pass over the commits, parents first. Many commits share a transaction; names move after the
last one, so an import that is interrupted goes on where it was.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from oxy.phase import phase
from oxy.progress import Progress
from oxy.repo.refs import Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.trees import keep
from oxy.repo.writing import Stamp, Writing, writing
from oxy_git.importer.ahead import ahead_of
from oxy_git.importer.commits import Committer
from oxy_git.importer.recall import recalled
from oxy_git.importer.refs import Moved, head_of, list_refs, move_refs
from oxy_git.importer.standing import standing
from oxy_git.importer.tally import Tally
from oxy_git.importer.union import Known
from oxy_git.reader.git import Git
from oxy_git.reader.ledger import became
from oxy_git.reader.stream import Arrived, Ask, Listed, Stream, list_commits, no_one

if TYPE_CHECKING:
    from oxy.repo.tree import Directory

BATCH: Final = 500
"""Commits in one transaction."""

KEPT: Final = 512
"""Commits between trees that the cache keeps."""


class Report(NamedTuple):
    """What an import did.

    Attributes:
        commits: how many were imported.
        already: how many were there.
        tally: what they held.
        compared: texts that were compared.
        rendered: texts that were rendered for merges.
        refs: what became of the names.
        here: what a working copy that was nowhere is to be made from.
    """

    commits: int
    already: int
    tally: Tally
    compared: int
    rendered: int
    refs: Moved
    here: Target


class Importer:
    """One import: which commits are known, and which trees their children need."""

    __slots__ = (
        "_children",
        "_committer",
        "_git",
        "_keeping",
        "_known",
        "_repository",
    )

    def __init__(self, repository: Repository, git: Git) -> None:
        self._repository = repository
        self._git = git
        self._committer = Committer(repository, git)
        self._known: dict[bytes, Known] = {}
        self._children: Counter[bytes] = Counter()
        self._keeping: dict[int, Directory] = {}

    def number(self, oid: bytes) -> int | None:
        """Return the change that a commit became, or None."""
        return became(self._repository.store, oid)

    def run(
        self, stamp: Callable[[], Stamp], progress: Progress, limit: int | None = None
    ) -> Report:
        """Import every branch and tag, or the first commits up to a limit."""
        refs = list_refs(self._git)
        head = head_of(self._git)
        tips = {ref.commit for ref in refs} | {head.commit}
        with phase("list"):
            listed = list_commits(self._git, sorted(tip for tip in tips if tip))[:limit]
        left = [item for item in listed if self.number(item.oid) is None]
        self._import(left, stamp, progress)
        with writing(self._repository, stamp()) as work:
            moved = move_refs(work, refs, self.number)
        done = len(left), len(listed) - len(left), self._committer.tally
        last = self.number(listed[-1].oid) if listed else None
        here = standing(self._repository, head, self.number, last)
        return Report(*done, *self._committer.compared, moved, here)

    def close(self) -> None:
        """End the processes that it reads with."""
        self._committer.close()

    def _import(
        self, left: list[Listed], stamp: Callable[[], Stamp], progress: Progress
    ) -> None:
        for item in left:
            self._children.update(item.parents)
        with ExitStack() as stack:
            ahead = self._committer.ahead = ahead_of(self._git, len(left))
            ask: Ask = no_one
            if ahead is not None:
                ask = stack.enter_context(closing(ahead)).ask
            stream = stack.enter_context(closing(Stream(self._git, left, ask)))
            if ahead is not None:
                ahead.start()
            commits = iter(stream)
            for start in range(0, len(left), BATCH):
                with writing(self._repository, stamp()) as work:
                    for done, arrived in enumerate(islice(commits, BATCH), start + 1):
                        self._take(work, arrived, stream)
                        progress.update(done, len(left), "commits")
                # Only now do the numbers mean these changes for ever.
                for change, tree in self._keeping.items():
                    keep(self._repository, Name((change,)), tree)
                self._keeping.clear()

    def _take(self, work: Writing, arrived: Arrived, stream: Stream) -> None:
        """Record a commit; remember it while it has children to come."""
        listed = arrived.listed
        known = self._committer.record(work, arrived, self._parents(listed), stream)
        has_children = listed.oid in self._children
        if has_children:
            self._known[listed.oid] = known
        if not has_children or known.number % KEPT == 0:
            self._keeping[known.number] = known.tree
        for parent in listed.parents:
            self._children[parent] -= 1
            if not self._children[parent]:
                self._known.pop(parent, None)
                del self._children[parent]

    def _parents(self, listed: Listed) -> list[Known]:
        return [self._parent(oid) for oid in dict.fromkeys(listed.parents)]

    def _parent(self, oid: bytes) -> Known:
        known = self._known.get(oid)
        if known is None:
            # Parents come first in the list, so one that is not known was imported before.
            change = self.number(oid) or 0
            tree = recalled(self._repository, self._git, oid, Name((change,)))
            known = self._known[oid] = Known(change, tree)
        return known


def import_git(
    repository: Repository,
    git: Git,
    stamp: Callable[[], Stamp],
    progress: Progress,
    limit: int | None = None,
) -> Report:
    """Bring the branches and tags of a Git repository into a repository.

    Args:
        repository: where to.
        git: where from.
        stamp: tells the time and who, for the operation log.
        progress: told after each commit.
        limit: how many commits to take at most, of those in the order of the list.

    Cost: what each commit touched; for merges, what both sides touched.

    Raises:
        GitError: git failed.
        MissingObjectError: the Git repository lacks an object.
    """
    with closing(Importer(repository, git)) as importer:
        return importer.run(stamp, progress, limit)
