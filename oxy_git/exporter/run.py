"""An export: states become commits of a Git repository (spec: git-bridge, GB33 to GB36).

Objects go in one pack to git, which checks their ids; refs move when all of them are there. So
an export that is interrupted leaves nothing but a pack that nobody names.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import closing
from typing import Final, NamedTuple, cast

import msgpack
from pyroaring import BitMap

from oxy.errors import CorruptionError, RequestError
from oxy.model.change import Header
from oxy.progress import Progress
from oxy.repo.exported import commit_of as noted
from oxy.repo.exported import note
from oxy.repo.origin import git_commit
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import disputed
from oxy.repo.trees import tree_of
from oxy.store.protocol import CHANGE
from oxy_git.exporter.pack import Pack
from oxy_git.exporter.plan import Planner, Step
from oxy_git.exporter.refs import EMPTY, NO_NAME, Moves, Wanted, is_git_name, move_refs
from oxy_git.reader import extra
from oxy_git.reader.commit import parse
from oxy_git.reader.git import Git
from oxy_git.reader.objects import Objects, object_id
from oxy_git.reader.partial import partial_of
from oxy_git.reader.trees import RawTree
from oxy_git.verify.made import Written, commit_of, of_change, of_state, told
from oxy_git.verify.sink import BLOB, COMMIT, TAG, TREE
from oxy_git.verify.trees import Grown, Trees

_TOGETHER: Final = 1024


class ConflictedExportError(RequestError):
    """What is to be exported is in conflict; `paths` are the files, by bookmark."""

    def __init__(self, paths: Sequence[tuple[bytes, bytes]]) -> None:
        shown = ", ".join(
            f"'{path.decode('utf-8', 'replace')}' ({name.decode('utf-8', 'replace')})"
            for name, path in paths
        )
        super().__init__(f"Git has no conflicts in its trees; resolve first: {shown}")
        self.paths = tuple(paths)


class PartialExportError(RequestError):
    """A commit that is to be exported was imported without its parents."""

    def __init__(self, commit: bytes) -> None:
        super().__init__(
            f"commit {commit.hex()} was imported without all its parents, "
            "so its history cannot be given back"
        )
        self.commit = commit


class NotReproducedError(CorruptionError):
    """A commit that was imported cannot be made again: a mistake in oxy, or damage."""

    def __init__(self, commit: bytes) -> None:
        super().__init__(f"commit {commit.hex()} does not come out as it came in")
        self.commit = commit


class Plan(NamedTuple):
    """What an export will do: its commits, parents first; the refs; and those left out."""

    steps: list[Step]
    wanted: list[Wanted]
    skipped: list[tuple[bytes, str]]


class Made(NamedTuple):
    """What the refs of a plan are to hold, in their order; commits added, and objects sent."""

    goals: tuple[bytes, ...]
    added: int
    objects: int


class Report(NamedTuple):
    """What an export did.

    Attributes:
        commits: how many the states have.
        added: how many of them were not there.
        objects: how many objects were sent.
        refs: what became of refs; those left out are among the refused.
    """

    commits: int
    added: int
    objects: int
    refs: Moves


def planned(repository: Repository, wanted: Sequence[Wanted]) -> Plan:
    """Return what an export will do.

    Raises:
        ConflictedExportError: a state is in conflict; every file that is, is named.
        PartialExportError: a commit was imported without its parents.
    """
    named = [item for item in wanted if item.target.state.heads or item.things]
    skipped = [
        (item.full, EMPTY) for item in wanted if not (item.target.state.heads or item.things)
    ]
    skipped += [(item.full, NO_NAME) for item in named if not is_git_name(item.full)]
    left_out = {full for full, _ in skipped}
    named = [item for item in named if item.full not in left_out]
    origins = _imported(repository, named)
    planner = Planner(repository, BitMap(origins))
    states = [item.target.state for item in named]
    conflicts = [
        (item.ref.name, path)
        for item in named
        if not planner.is_clean(item.target.state)
        for path, _ in disputed(tree_of(repository, item.target.state))
    ]
    if conflicts:
        raise ConflictedExportError(conflicts)
    return Plan(planner.steps(states), named, skipped)


def _imported(repository: Repository, wanted: Sequence[Wanted]) -> dict[int, bytes]:
    """Return the commits that changes of states were made of."""
    members = BitMap()
    for item in wanted:
        members |= repository.states.members(item.target.state)
    return dict(_commits(repository, list(members)))


def _commits(repository: Repository, changes: list[int]) -> Iterator[tuple[int, bytes]]:
    for start in range(0, len(changes), _TOGETHER):
        for change, header in repository.headers(changes[start : start + _TOGETHER]):
            oid = git_commit(header)
            partial = partial_of(header)
            if oid is not None and partial is not None and partial.parents:
                raise PartialExportError(oid)
            if oid is not None:
                yield change, oid


class Exporter:
    """Goes through the commits, with the trees of those that have children to come.

    Args:
        repository: where from.
        git: where to.
        pack: takes the objects.
        have: the commits that are there, with all that they have.
    """

    __slots__ = (
        "_beside",
        "_children",
        "_git",
        "_grown",
        "_have",
        "_objects",
        "_oids",
        "_pack",
        "_repository",
        "_trees",
        "added",
    )

    def __init__(
        self, repository: Repository, git: Git, pack: Pack, have: Container[bytes]
    ) -> None:
        self._repository = repository
        self._git = git
        self._pack = pack
        self._trees = Trees(repository, pack)
        self._oids: dict[Name, bytes] = {}
        self._grown: dict[Name, Grown] = {}
        self._children: Counter[Name] = Counter()
        self._beside: set[Name] = set()
        """Commits that are oxy's, or have such beneath them."""
        self._have = have
        self._objects: Objects | None = None
        self.added = 0

    def run(self, steps: Sequence[Step], progress: Progress) -> dict[Name, bytes]:
        """Put the commits of states, and what they have, into the pack; return their ids."""
        for step in steps:
            self._children.update(step.parents)
        headers = self._repository.headers([step.change for step in steps if step.change])
        try:
            for done, step in enumerate(steps, 1):
                header = next(headers)[1] if step.change else None
                self._take(step, header)
                progress.update(done, len(steps), "commits")
        finally:
            if self._objects is not None:
                self._objects.close()
                self._objects = None
        return self._oids

    def _take(self, step: Step, header: Header | None) -> None:
        oid = None if header is None else git_commit(header)
        known = oid or noted(self._repository, step.name)
        is_pure = oid is not None and not any(at in self._beside for at in step.parents)
        if not is_pure:
            self._beside.add(step.name)
        if known is not None and known in self._have:
            self._oids[step.name] = known
        else:
            self.added += 1
            grown = self._grow(step, header, oid)
            if self._children[step.name]:
                self._grown[step.name] = grown
        for parent in step.parents:
            self._children[parent] -= 1
            if not self._children[parent]:
                self._grown.pop(parent, None)

    def _grow(self, step: Step, header: Header | None, oid: bytes | None) -> Grown:
        parents = [self._parent(parent) for parent in step.parents]
        if header is None or oid is None:
            grown = self._own(step, parents, ())
            self._make(step, header, grown)
            return grown
        fields = dict(header.extra)
        raw = extra.raw_commit(header) or b""
        trees = _unpacked(fields.get(extra.TREES))
        if any(parent.is_own for parent in parents):
            grown = self._own(step, parents, trees)
        else:
            grown = self._trees.imported(step.change, parents, trees)
        for blob in msgpack.unpackb(fields.get(extra.BLOBS, b"\x90")):
            self._pack.add(BLOB, object_id(b"blob", blob), blob)
        for _, tree in trees:
            self._pack.add(TREE, object_id(b"tree", tree), tree)
        if grown.tree.mark != parse(raw).tree:
            raise NotReproducedError(oid)
        self._pack.add(COMMIT, oid, raw)
        self._oids[step.name] = oid
        return grown

    def _own(self, step: Step, parents: list[Grown], raw: Sequence[RawTree]) -> Grown:
        if parents:
            parents[0] = self._trees.adopted(step.parents[0], parents[0])
        return self._trees.own(step.name, parents, raw)

    def _parent(self, name: Name) -> Grown:
        grown = self._grown.get(name)
        if grown is None:
            grown = self._grown[name] = self._trees.recalled(self._read, self._oids[name], name)
        return grown

    def _read(self, oid: bytes) -> bytes:
        """Return the bytes of an object that is there."""
        if self._objects is None:
            self._objects = Objects(self._git)
        return self._objects.read(oid)

    def _make(self, step: Step, header: Header | None, grown: Grown) -> None:
        """Put a commit that Git did not write into the pack."""
        parents = [self._oids[parent] for parent in step.parents]
        if header is not None:
            by = Written(header.author, header.time, header.message)
            origin = of_change(self._ids((step.change,))[0])
        else:
            by, origin = self._united(step), of_state(self._ids(step.name.heads))
        raw = commit_of(grown.tree.mark or b"", parents, by, origin)
        oid = object_id(b"commit", raw)
        self._oids[step.name] = oid
        self._pack.add(COMMIT, oid, raw)
        note(self._repository, [(step.name, oid)])

    def _united(self, step: Step) -> Written:
        """Return who made a state that nobody recorded: who made the newest change in it."""
        repository = self._repository
        heads = dict(repository.headers(sorted(step.name.heads)))
        folded = dict(repository.headers(sorted(step.folded)))
        newest = max(heads, key=lambda c: (heads[c].time, repository.nodes.rank(c)))
        named = [(repository.nodes.rank(c), header.message) for c, header in heads.items()]
        rest = [(repository.nodes.rank(c), header.message) for c, header in folded.items()]
        message = told(sorted(named), sorted(rest))
        return Written(heads[newest].author, heads[newest].time, message)

    def _ids(self, changes: Sequence[int]) -> list[bytes]:
        return sorted(self._repository.store.ids_of(CHANGE, list(changes)))


def _unpacked(packed: bytes | None) -> Sequence[RawTree]:
    if packed is None:
        return ()
    return cast("tuple[RawTree, ...]", msgpack.unpackb(packed, use_list=False))


def export(
    repository: Repository,
    git: Git,
    plan: Plan,
    progress: Progress,
    *,
    is_forced: Callable[[bytes], bool],
) -> Report:
    """Bring states into a Git repository.

    Args:
        repository: where from.
        git: where to.
        plan: what `planned` returned.
        progress: told after each commit.
        is_forced: tells of a ref whether it may lose commits.

    Cost: what each commit has that is not there yet; memory for the trees of commits with
    children to come, for ids, and bounded caches.

    Raises:
        NotReproducedError: an imported commit does not come out as it came in.
        GitError: git refused.
    """
    made = make(repository, git, plan, progress)
    goals = zip((item.full for item in plan.wanted), made.goals, strict=True)
    moves = move_refs(git, goals, is_forced=is_forced)
    refused = (*plan.skipped, *moves.refused)
    return Report(len(plan.steps), made.added, made.objects, moves._replace(refused=refused))


def make(repository: Repository, git: Git, plan: Plan, progress: Progress) -> Made:
    """Bring the objects of states into a Git repository, and leave its refs alone.

    Raises:
        NotReproducedError, GitError: see `export`.
    """
    with closing(Pack(git.directory)) as pack:
        exporter = Exporter(repository, git, pack, _all_commits(git))
        oids = exporter.run(plan.steps, progress)
        goals = tuple(tagged(pack, item, oids) for item in plan.wanted)
        pack.send(git)
        return Made(goals, exporter.added, pack.count)


def _all_commits(git: Git) -> set[bytes]:
    said = git.run("rev-list", "--all").split()
    return {bytes.fromhex(line.decode("ascii")) for line in said}


def tagged(pack: Pack, item: Wanted, oids: dict[Name, bytes]) -> bytes:
    """Return what a ref is to hold: a commit, a tag object, or what is kept."""
    kinds = {b"tree": TREE, b"blob": BLOB}
    for kind, raw in item.things:
        pack.add(kinds[kind], object_id(kind, raw), raw)
    for raw in item.tags:
        pack.add(TAG, object_id(b"tag", raw), raw)
    if item.tags:
        return object_id(b"tag", item.tags[0])
    if item.things:
        return object_id(*item.things[0])
    return oids[item.target.state]
