"""Importing a Git repository (spec: git-bridge, GB20 to GB28).

One pass over the commits, parents first. Many commits share a transaction; names move after the
last one, so an import that is interrupted goes on where it was.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from oxy.model.digest import ChangeId
from oxy.phase import phase
from oxy.progress import Progress
from oxy.repo.exported import all_states
from oxy.repo.refs import Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.trees import keep
from oxy.repo.writing import Stamp, Writing, writing
from oxy_git.carried.place import REF
from oxy_git.carried.shelf import Shelf
from oxy_git.carried.taking import Taker
from oxy_git.importer.ahead import ahead_of
from oxy_git.importer.commits import Committer
from oxy_git.importer.naming import Moved, called_here, move_refs
from oxy_git.importer.recognising import Recogniser
from oxy_git.importer.refs import Passed, chosen_head, chosen_refs, head_of, passed_over
from oxy_git.importer.standing import standing
from oxy_git.importer.tally import Tally
from oxy_git.importer.terms import WHOLE, PartialHereError, Terms, listed_by
from oxy_git.importer.union import Known
from oxy_git.reader.git import Git
from oxy_git.reader.ledger import became
from oxy_git.reader.partial import partial_changes
from oxy_git.reader.recall import recalled
from oxy_git.reader.stream import Arrived, Ask, Listed, Stream, no_one

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
        passed: refs that no import takes.
    """

    commits: int
    already: int
    tally: Tally
    compared: int
    rendered: int
    refs: Moved
    here: Target
    passed: tuple[Passed, ...] = ()


class Importer:
    """One import: which commits are known, and which trees their children need."""

    __slots__ = (
        "_carried",
        "_children",
        "_committer",
        "_git",
        "_keeping",
        "_known",
        "_partial",
        "_recogniser",
        "_repository",
        "_states",
        "_taker",
        "_terms",
        "_work",
    )

    def __init__(
        self, repository: Repository, git: Git, carried: bytes = REF, terms: Terms = WHOLE
    ) -> None:
        self._terms = terms
        self._repository = repository
        self._git = git
        self._carried = Shelf(git, carried)
        self._taker = Taker(repository, self._carried)
        self._recogniser = Recogniser(repository, self._fetch)
        self._states = dict(all_states(repository))
        self._work: Writing | None = None
        allows = terms.allows_missing
        self._committer = Committer(repository, git, allows_missing=allows)
        self._partial = partial_changes(repository)
        self._known: dict[bytes, Known] = {}
        self._children: Counter[bytes] = Counter()
        self._keeping: dict[Name, Directory] = {}

    def number(self, oid: bytes) -> int | None:
        """Return the change that a commit became, or None."""
        return became(self._repository.store, oid)

    def name(self, oid: bytes) -> Name | None:
        """Return the state that a commit stands for, or None."""
        number = self.number(oid)
        if number is not None:
            return self._repository.states.name_of_change(number)
        return self._states.get(oid)

    def run(self, stamp: Callable[[], Stamp], progress: Progress) -> Report:
        """Import what is wanted."""
        terms = self._terms
        found = chosen_refs(self._git, terms.branches, terms.tags)
        refs = called_here(self._repository, found)
        head = head_of(self._git, refs)
        if terms.branches or terms.tags:
            head = chosen_head(head, refs)
        tips = {ref.commit for ref in refs} | {head.commit}
        with phase("list"):
            wanted = sorted(tip for tip in tips if tip)
            listed = listed_by(self._git, terms, wanted, self._is_known)
        self._refuse_mixing(listed)
        already = self.bring(listed, stamp, progress)
        with writing(self._repository, stamp()) as work:
            moved = move_refs(work, refs, self.name)
        done = len(listed) - already, already, self.tally
        last = self.name(listed[-1].oid) if listed else None
        here = standing(self._repository, head, self.name, last)
        passed = tuple(passed_over(self._git)) if terms.takes_all else ()
        return Report(*done, *self._committer.compared, moved, here, passed)

    def _is_known(self, oid: bytes) -> bool:
        return self.name(oid) is not None

    def _refuse_mixing(self, listed: list[Listed]) -> None:
        """Prove that no commit that is to be whole is here and lacks something (GB25)."""
        if self._partial and self._terms.is_whole:
            for item in listed:
                if self.number(item.oid) in self._partial:
                    raise PartialHereError(item.oid)

    @property
    def tally(self) -> Tally:
        """What was met so far."""
        self._committer.tally.strangers = self._recogniser.strangers
        self._committer.tally.received = self._taker.taken
        return self._committer.tally

    def bring(
        self, listed: list[Listed], stamp: Callable[[], Stamp], progress: Progress
    ) -> int:
        """Import commits, parents first; return how many of them were there already."""
        left = [item for item in listed if self.name(item.oid) is None]
        self._import(left, stamp, progress)
        return len(listed) - len(left)

    def close(self) -> None:
        """End the processes that it reads with."""
        self._committer.close()
        self._carried.close()

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
            commits = iter(partial(_next, iter(stream)), None)
            for start in range(0, len(left), BATCH):
                with phase("store"), writing(self._repository, stamp()) as work:
                    self._work = work
                    for done, arrived in enumerate(islice(commits, BATCH), start + 1):
                        self._take(work, arrived, stream)
                        progress.update(done, len(left), "commits")
                # Only now do the numbers mean these changes for ever.
                for name, tree in self._keeping.items():
                    keep(self._repository, name, tree)
                self._keeping.clear()

    def _take(self, work: Writing, arrived: Arrived, stream: Stream) -> None:
        """Record a commit; remember it while it has children to come."""
        listed = arrived.listed
        parents = self._parents(listed)
        number: int | None = None
        known = self._recogniser.recognised(listed.oid, arrived.raw, parents)
        if known is not None:
            self._states[listed.oid] = known.name
            self._committer.pass_over(arrived, stream)
        else:
            with phase("build"):
                known = self._committer.record(work, arrived, parents, stream)
            number = known.name.heads[0]
        has_children = listed.oid in self._children
        if has_children:
            self._known[listed.oid] = known
        if number is not None and (not has_children or number % KEPT == 0):
            self._keeping[known.name] = known.tree
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
            name = self.name(oid) or Name()
            number = self.number(oid)
            is_own = number is not None
            read = self._committer.read
            tree = recalled(self._repository, oid, name, read, is_clean=is_own)
            known = Known(name, tree, number in self._partial, is_own)
            self._known[oid] = known
        return known

    def _fetch(self, wanted: Sequence[ChangeId]) -> None:
        """Take changes in that the Git repository carries."""
        if self._work is not None:
            self._taker.take(self._work, wanted)
            self._committer.learn()


def _next(commits: Iterator[Arrived]) -> Arrived | None:
    with phase("read"):
        return next(commits, None)


def import_git(
    repository: Repository,
    git: Git,
    stamp: Callable[[], Stamp],
    progress: Progress,
    terms: Terms = WHOLE,
) -> Report:
    """Bring the branches and tags of a Git repository into a repository.

    Args:
        repository: where to.
        git: where from.
        stamp: tells the time and who, for the operation log.
        progress: told after each commit.
        terms: which of them, if not all, and what may be missing.

    Cost: what each commit touched; for merges, what both sides touched.

    Raises:
        GitError: git failed.
        MissingObjectError: the Git repository lacks an object.
        NoSuchRefError: a branch or tag that is named is not there.
        PartialHereError: a commit is here and lacks something, and is wanted whole.
        OverLimitError: something is larger than any import takes.
    """
    with closing(Importer(repository, git, terms=terms)) as importer:
        return importer.run(stamp, progress)
