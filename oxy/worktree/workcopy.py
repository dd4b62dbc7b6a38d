"""The working copy: its files, the state they were made from, and the repository behind.

Spec: working-copy; CP17 to CP19. The repository is opened when it is first needed: a clean
`status` never needs it.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from oxy.typed import Final

from oxy.errors import StateError
from oxy.phase import phase
from oxy.repo.place import CONTROL, find_own, home
from oxy.worktree.here import Here, Standing, recall, remember, witness
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.looking import under
from oxy.worktree.manifest import Manifest, file_system_clock
from oxy.worktree.row import UNKNOWN, Row
from oxy.worktree.snapshot import Snapshot, advance, rows_of, take
from oxy.worktree.tracking import Noted
from oxy.worktree.tracking import read as read_noted
from oxy.worktree.walk import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.progress import Progress
    from oxy.repo.refs import Target
    from oxy.repo.repository import Repository
    from oxy.worktree.content import Content
    from oxy.worktree.sparse import Sparse

MOVES: Final = b"/moves"
"""The note of files that were moved for sure, in `.oxy`; there is one where any was."""

SPARSE: Final = b"/sparse"
"""The note of which files are here, in `.oxy`; there is none where all are."""

AGAIN: Final = 5
"""How often files are compared again because one was written meanwhile."""

_MANIFEST: Final = b"/cache/manifest"


class UnknownWorkspaceError(StateError):
    """The store knows nothing of this workspace: it was removed there."""

    def __init__(self, name: bytes, store: bytes) -> None:
        where = os.fsdecode(os.path.dirname(store))
        super().__init__(f"{where} has no workspace '{os.fsdecode(name)}' any more")
        self.name = name


class WorkingCopy:
    """An opened working copy; `fd` is the descriptor of its root.

    `control` is its own `.oxy`, `store` that of the store, which in a workspace is another.
    `progress` is told of each file that is read to be recorded, or written.
    """

    __slots__ = (
        "_content",
        "_here",
        "_manifest",
        "_noted",
        "_repository",
        "_sparse",
        "control",
        "fd",
        "progress",
        "root",
        "store",
    )

    def __init__(self, start: bytes) -> None:
        """Open the working copy at or above a directory.

        Raises:
            NoRepositoryError: there is none.
            ForeignOwnerError: it belongs to another user.
            PointerError: it is a workspace whose store is not where it was.
        """
        self.root = find_own(start)
        self.control = os.path.join(self.root, CONTROL)
        self.store = home(self.root).control
        self.fd = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.progress: Progress | None = None
        self._repository: Repository | None = None
        self._content: Content | None = None
        self._here: Here | None = None
        self._manifest: Manifest | None = None
        self._noted: Noted | None = None
        self._sparse: tuple[Sparse | None] | None = None

    def close(self) -> None:
        """Close what was opened."""
        if self._repository is not None:
            self._repository.close()
        os.close(self.fd)

    @property
    def repository(self) -> "Repository":
        """The repository, opened when it is first asked for."""
        if self._repository is None:
            with phase("database"):
                from oxy.repo.repository import Repository

                self._repository = Repository.at(self.root)
        return self._repository

    @property
    def here(self) -> Here:
        """The state that the files were made from, and the bookmark."""
        if self._here is None:
            self._here = recall(self.control, self.store) or self._ask()
        return self._here

    @property
    def target(self) -> "Target":
        """What the store says that the files were made from."""
        from oxy.repo.refs import HERE, Target
        from oxy.repo.states import Name

        held = self.repository.refs.get(HERE)
        if held is None and self.repository.workspace:
            raise UnknownWorkspaceError(self.repository.workspace, self.store)
        return held or Target(Name())

    @property
    def base(self) -> "Target":
        """What `here` says, which stays what it was however others move the store on.

        Whoever writes must first see, under the writer lock, that `target` still is the same:
        what was read of the files was compared with this.
        """
        from oxy.repo.refs import Target, unpack_target

        return Target(unpack_target(self.here.state).state, (), self.here.bookmark)

    def look(self) -> None:
        """Read `here` now, so that writing notices whatever others do from now on."""
        self._here = self.here

    @property
    def content(self) -> "Content":
        """What the base state holds, read from the store."""
        if self._content is None:
            from oxy.worktree.content import Content

            self._content = Content(self.repository, self.base.state)
        return self._content

    @property
    def manifest(self) -> Manifest:
        """The base state as a manifest, made anew where there is none that fits."""
        if self._manifest is None:
            with phase("manifest"):
                self._manifest = Manifest.load(self.control + _MANIFEST)
                if self._manifest.state != self._vouched_for:
                    self._manifest = self._made_anew()
        return self._manifest

    @property
    def noted(self) -> Noted:
        """What was said of paths that are tracked, or are not."""
        if self._noted is None:
            self._noted = read_noted(self.control)
        return self._noted

    @property
    def sparse(self) -> "Sparse | None":
        """Which files of its state the working copy has; None if it has all of them."""
        if self._sparse is None:
            self._sparse = (None,)
            if os.path.exists(self.control + SPARSE):
                from oxy.worktree.sparse import read

                self._sparse = (read(self.control + SPARSE),)
        return self._sparse[0]

    def has(self, path: bytes) -> bool:
        """Tell whether the working copy has what its state has at a path."""
        return self.sparse is None or self.sparse.holds(path)

    def require_has(self, path: bytes) -> None:
        """Refuse a path at which the working copy has nothing of its state.

        Raises:
            OutsideError: that is so.
        """
        if not self.has(path):
            from oxy.worktree.sparse import OutsideError

            raise OutsideError(path)

    def thinned(
        self, sparse: "Sparse | None", come: Iterable[tuple[bytes, Item, bytes]]
    ) -> None:
        """Have other files of the state from now on.

        Args:
            sparse: which; None is all.
            come: path, item and record of those that were written just now.
        """
        from oxy.worktree.sparse import write

        old = self.manifest
        kept = [row for row in map(old.row, old.directories()) if row is not None]
        clock = min((row.clock for row in kept), default=0)
        items = [
            (under(row.path, entry.name), Item.of(entry), entry.record)
            for row in kept
            for entry in row.entries()
        ]
        write(self.control + SPARSE, sparse)
        self._sparse = (sparse,)
        rows = rows_of((each for each in (*items, *come) if self.has(each[0])), clock)
        self._manifest = Manifest(self.control + _MANIFEST)
        self._manifest.update(rows, (), self._vouched_for)

    @property
    def _vouched_for(self) -> bytes:
        """The name of what the manifest is of: the state, and which files of it are here."""
        state = self.here.state
        return state if self.sparse is None else state + b"\0" + self.sparse.tag

    @property
    def has_moves(self) -> bool:
        """Whether any file was moved for sure; see `oxy.worktree.moves`."""
        return os.path.exists(self.control + MOVES)

    def renoted(self) -> None:
        """Read again what was said of paths, when that is asked for."""
        self._noted = None

    def has_happened(self, number: int, microseconds: int) -> bool:
        """Tell whether the operation of a number is one of a time."""
        from oxy.repo.operations import decode_operation
        from oxy.store.protocol import OPERATION

        store = self.repository.store
        if not 0 < number <= store.count(OPERATION):
            return False
        return (
            decode_operation(store, store.read(OPERATION, number)).microseconds == microseconds
        )

    def clock(self) -> int:
        """Return the time that the file system would now give a file, in ns."""
        return file_system_clock(self.control + _MANIFEST)

    def snapshot(
        self,
        only: Sequence[bytes] | None = None,
        *,
        tells: bool = False,
        forgives: bool = False,
    ) -> Snapshot:
        """Return how the files differ from the base state; see `take`.

        With `tells` what is ignored or untracked is among the oddities; where it `forgives`,
        what cannot be read is too, and counts as unchanged. What was found to be
        unchanged is written to the manifest, if it can be.
        """
        manifest = self.manifest
        rules = Rules(self.noted, tells, forgives, self.sparse)
        found, rows = self._taken(manifest, only, rules)
        if rows:
            with phase("manifest write"):
                manifest.update(rows, (), self._vouched_for)
        return found

    def _taken(
        self, manifest: Manifest, only: Sequence[bytes] | None, rules: Rules
    ) -> tuple[Snapshot, list[Row]]:
        """Compare the files; where one is written meanwhile, compare all of them again."""
        for _ in range(AGAIN):
            try:
                return take(self.fd, manifest, self._digests, self.clock(), only, rules)
            except StateError as error:
                # Loaded with what reads files, so long after this.
                from oxy.worktree.reader import ChangedError

                if not isinstance(error, ChangedError):
                    raise
        return take(self.fd, manifest, self._digests, self.clock(), only, rules)

    def moved(
        self,
        to: "Target",
        changes: dict[bytes, tuple[Item, bytes] | None],
        clock: int,
        fresh: Iterable[Row] = (),
    ) -> None:
        """Follow with the manifest where the store was moved.

        What was chosen in another state is forgotten: the files are not as they were then,
        even once they are of that state again.

        Args:
            to: where that is, even if others have moved it on since.
            changes: every path at which the new state differs from the one that the manifest
                is of; None where it holds nothing. A record may be UNKNOWN.
            clock: the file system's time before the contents were read.
            fresh: rows of directories that had none, of what else the new state holds.
        """
        from oxy.worktree import resolutions

        manifest, before = self.manifest, self.here.state
        self._content = None
        asked = self._ask()
        moved_to = _named(to)
        is_there = asked[:2] == moved_to[:2]
        self._here = asked if is_there else self._looked_into(moved_to)
        with phase("manifest write"):
            here = {path: held for path, held in changes.items() if self.has(path)}
            advance(manifest, here, clock, self._vouched_for, fresh)
        if self._here.state != before:
            resolutions.write(self.control, before, resolutions.NOTHING)

    def _ask(self) -> Here:
        """Return what the store says, and remember it."""
        seen = witness(self.store)
        here = self._looked_into(_named(self.target))
        remember(self.control, seen, here)
        return here

    def _looked_into(self, here: Here) -> Here:
        """Return it with what else it tells. Cost: rows, where the tree is kept."""
        from oxy.repo.refs import BOOKMARK, Ref, unpack_target
        from oxy.repo.tree import disputed
        from oxy.repo.trees import tree_of

        state = unpack_target(here.state).state
        is_disputed = next(disputed(tree_of(self.repository, state)), None) is not None
        held = self.repository.refs.get(Ref(BOOKMARK, here.bookmark or b""))
        if held is None:
            return here._replace(disputed=is_disputed)
        standing = _standing(self.repository, here.bookmark or b"", held)
        return here._replace(disputed=is_disputed, moved=held.state != state, standing=standing)

    def _digests(self, items: Sequence[Item]) -> list[bytes]:
        # Nothing can be brought while one commit is read.
        self.content.foresee(item for item in items if item.digest == UNHASHED)
        with phase("graphs"), self.repository.store.snapshot():
            return list(map(self.content.digest, items))

    def _made_anew(self) -> Manifest:
        from oxy.model.operation import KIND_SUBREPO
        from oxy.repo.tree import files
        from oxy.repo.trees import tree_of

        manifest = Manifest(self.control + _MANIFEST)
        held = files(tree_of(self.repository, self.base.state))
        items = [
            (path, Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED), UNKNOWN)
            for path, entry in held
            if entry.kind != KIND_SUBREPO and self.has(path)
        ]
        with suppress(OSError):
            os.makedirs(os.path.dirname(self.control + _MANIFEST), exist_ok=True)
        manifest.update(rows_of(items, 0), (), self._vouched_for)
        return manifest


def _named(target: "Target") -> Here:
    from oxy.repo.refs import Target, pack_target

    return Here(pack_target(Target(target.state)), target.bookmark)


@contextmanager
def working_copy(start: bytes) -> Iterator[WorkingCopy]:
    """Open the working copy at or above a directory for the length of a `with` block.

    Raises:
        NoRepositoryError: there is none.
    """
    copy = WorkingCopy(start)
    try:
        yield copy
    finally:
        copy.close()


def _standing(repository: "Repository", bookmark: bytes, held: "Target") -> Standing | None:
    """Return how a bookmark stands to the one that it follows. Cost: two states."""
    from oxy.repo.refs import REMOTE, UPSTREAM, Ref

    remote = dict(held.extra).get(UPSTREAM)
    if remote is None:
        return None
    seen = repository.refs.get(Ref(REMOTE, bookmark + b"@" + remote))
    if seen is None:
        return None
    own, theirs = (repository.states.members(each.state) for each in (held, seen))
    return Standing(remote, len(own - theirs), len(theirs - own))
