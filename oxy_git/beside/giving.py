"""What oxy moved since both sides were in step goes out (spec: git-bridge, GB63, GB64)."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.refs import HERE, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import disputed
from oxy.repo.trees import tree_of
from oxy_git.beside.checkout import HEADS, NOWHERE, Checkout, Head, Held
from oxy_git.beside.known import Commits, Imported
from oxy_git.beside.step import NOTHING, Agreed, packed
from oxy_git.exporter.pack import Pack
from oxy_git.exporter.plan import Planner
from oxy_git.exporter.refs import NO_NAME, TAGS, Wanted, is_git_name, unmapped, wanted_refs
from oxy_git.exporter.run import Exporter, tagged

NAMED = 3
"""Files in conflict that are named; the others are counted."""


class Given(NamedTuple):
    """What both sides hold by now: refs and HEAD; and what stays behind, with the reason.

    `behind` has full names with the states that could not go out, and what to tell.
    """

    refs: dict[bytes, Agreed]
    head: Head
    behind: dict[tuple[bytes, bytes], tuple[str | bytes, ...]]


class Giver:
    """Makes commits and moves refs.

    Args:
        repository: oxy's side.
        checkout: Git's side.
        theirs: Git's refs.
        head: Git's HEAD.
        agreed: what both hold.
    """

    __slots__ = (
        "_agreed",
        "_behind",
        "_checkout",
        "_commits",
        "_head",
        "_oids",
        "_planner",
        "_repository",
        "_theirs",
    )

    def __init__(
        self,
        repository: Repository,
        checkout: Checkout,
        sides: tuple[Mapping[bytes, Held], Head],
        agreed: Mapping[bytes, Agreed],
    ) -> None:
        self._repository = repository
        self._checkout = checkout
        self._theirs, self._head = sides
        self._agreed = dict(agreed)
        tips = {held.oid for held in self._theirs.values() if held.kind == b"commit"}
        self._commits = Commits(repository, checkout.git, tips)
        self._planner = Planner(repository, Imported(repository), self._commits.has)
        self._oids: dict[Name, bytes] = {}
        self._behind: dict[tuple[bytes, bytes], tuple[str | bytes, ...]] = {}

    def run(self, why: bytes, progress: Progress) -> Given:
        """Bring out what is new, and move what oxy moved."""
        own = wanted_refs(self._repository, ())
        here = self._repository.refs.get(HERE) or Target(NOTHING)
        going = [item for item in own if self._goes(item)]
        alone = self._alone(here, own)
        tags = self._export(going, alone, progress)
        goals = {item.full: tags[item.full] for item in going if item.full in tags}
        for item in going:
            if item.full in goals:
                self._agreed[item.full] = Agreed(goals[item.full], packed(item.target.state))
        head = self._wanted_head(here, own)
        gone = self._gone({item.full for item in own}, head)
        self._move(goals, gone, head, why)
        return Given(self._agreed, head, self._behind)

    def _goes(self, item: Wanted) -> bool:
        """Return whether a name is to be brought into step, and can be."""
        full, state = item.full, item.target.state
        was = self._agreed.get(full)
        if was is not None and was.state in {packed(state), b""}:
            return False
        if not state.heads:
            return False
        held = self._theirs.get(full)
        if not is_git_name(full):
            self._stays(item, NO_NAME)
        elif held is not None and held.elsewhere:
            self._stays(item, "it is checked out in ", held.elsewhere)
        elif not self._planner.is_clean(state):
            self._stays(item, *self._conflicts(item))
        else:
            return True
        return False

    def _stays(self, item: Wanted, *reason: str | bytes) -> None:
        where = "stays where it is" if item.full in self._theirs else "cannot be made"
        name = unmapped(item.ref.name)
        kind = "tag " if item.full.startswith(TAGS) else ""
        told = ("git's ", kind, name, f" {where}: ", *reason)
        self._behind[item.full, packed(item.target.state)] = told

    def _conflicts(self, item: Wanted) -> Iterable[str | bytes]:
        paths = [path for path, _ in disputed(tree_of(self._repository, item.target.state))]
        yield item.ref.name
        yield " is in conflict in "
        for place, path in enumerate(paths[:NAMED]):
            yield ", " if place else ""
            yield path
        if len(paths) > NAMED:
            yield f" and {len(paths) - NAMED} more"

    def _alone(self, here: Target, own: Sequence[Wanted]) -> Name | None:
        """Return the state of the working copy if HEAD is to be its commit, on no branch."""
        full = None if here.bookmark is None else HEADS + unmapped(here.bookmark)
        on = next((item.target.state for item in own if item.full == full), None)
        if not here.state.heads or on == here.state or not self._planner.is_clean(here.state):
            return None
        return here.state

    def _export(
        self, going: list[Wanted], alone: Name | None, progress: Progress
    ) -> dict[bytes, bytes]:
        """Make commits; return the objects that refs are to hold.

        What cannot be made keeps only those refs back that need it.
        """
        try:
            return self._made(going, alone, progress)
        except RequestError as error:
            if not going or (len(going) == 1 and alone is None):
                for item in going:
                    self._stays(item, str(error))
                return {}
        found = self._export([], alone, progress)
        for item in going:
            found |= self._export([item], None, progress)
        return found

    def _made(
        self, going: list[Wanted], alone: Name | None, progress: Progress
    ) -> dict[bytes, bytes]:
        states = [item.target.state for item in going] + ([alone] if alone else [])
        if not states:
            return {}
        git = self._checkout.git
        with closing(Pack(git.directory)) as pack:
            exporter = Exporter(self._repository, git, pack, self._commits)
            oids = exporter.run(self._planner.steps(states), progress)
            found = {item.full: tagged(pack, item, oids) for item in going}
            pack.send(git)
        self._oids |= oids
        return found

    def _wanted_head(self, here: Target, own: Sequence[Wanted]) -> Head:
        """Return what HEAD is to hold; what it holds where that has no commit."""
        if here.bookmark is None:
            is_branch = self._head.branch.startswith(HEADS) or not self._head.branch
            oid = self._oids.get(here.state)
            return Head(b"", oid) if oid and is_branch else self._head
        full = HEADS + unmapped(here.bookmark)
        on = next((item.target.state for item in own if item.full == full), NOTHING)
        if on != here.state:
            oid = self._oids.get(here.state)
            return Head(b"", oid) if oid else self._head
        was = self._agreed.get(full)
        if was is not None:
            return Head(full, was.oid)
        return self._head if on.heads else Head(full, b"")

    def _gone(self, own: set[bytes], head: Head) -> list[bytes]:
        """Return the refs whose names oxy dropped."""
        return [
            full
            for full, was in self._agreed.items()
            if full.startswith((HEADS, TAGS))
            and was.state
            and full not in own
            and full != head.branch
            and not self._theirs[full].elsewhere
        ]

    def _move(
        self, goals: Mapping[bytes, bytes], gone: Sequence[bytes], head: Head, why: bytes
    ) -> None:
        """Move refs together, then HEAD, then make the index what HEAD is."""
        moves = [
            (full, oid, self._theirs[full].oid if full in self._theirs else NOWHERE)
            for full, oid in goals.items()
            if full not in self._theirs or self._theirs[full].oid != oid
        ]
        is_new = head.oid != self._head.oid
        if is_new:
            self._checkout.doubt_index()
        # HEAD leaves a branch before that goes.
        self._checkout.move(moves, why)
        if (head.branch, not head.branch and head.oid) != (
            self._head.branch,
            not self._head.branch and self._head.oid,
        ):
            self._checkout.move_head(head, why)
        dropped = [(full, NOWHERE, self._theirs[full].oid) for full in gone]
        self._checkout.move(dropped, why)
        for full in gone:
            del self._agreed[full]
        if is_new or self._checkout.has_stale_index:
            self._checkout.make_index(head.oid)


def give(
    repository: Repository,
    checkout: Checkout,
    sides: tuple[Mapping[bytes, Held], Head],
    agreed: Mapping[bytes, Agreed],
    why: bytes,
    progress: Progress,
) -> Given:
    """Let Git's side follow what oxy moved.

    Args:
        repository: oxy's side.
        checkout: Git's side.
        sides: Git's refs and HEAD.
        agreed: what both hold, once oxy's side has followed.
        why: what git's reflogs are told.
        progress: told of commits.

    Cost: what is new, and the tree of each commit that it begins at.

    Raises:
        GitError: git refused, since somebody else moved a ref just now, say.
    """
    return Giver(repository, checkout, sides, agreed).run(why, progress)
