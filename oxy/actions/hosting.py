"""A repository that others pull from and push to (spec: sync, SY2, SY8, SY43)."""

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from oxy.typed import Protocol

from pyroaring import BitMap

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.signers import why_not_signed
from oxy.progress import Progress
from oxy.repo.place import CONTROL, Home, NoRepositoryError, home
from oxy.repo.refs import HERE
from oxy.repo.repository import Repository, identify
from oxy.repo.writing import Stamp
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB
from oxy.sync.endpoint import Stored
from oxy.sync.part import Part, pass_over
from oxy.sync.taking import Gate, open_gate, take
from oxy.sync.wish import STOPPED, Refused, Taken, Wish


class Watch(Protocol):
    """Whoever looks at what is taken in, in the name of the owner."""

    def before(self, root: bytes, user: bytes, wishes: Sequence[Wish]) -> bool:
        """Tell whether somebody may have what is wished. Nothing is taken in yet."""

    def after(self, root: bytes, user: bytes, taken: Taken) -> None:
        """Know what became of it."""


class Hosted(Stored):
    """A repository in a directory as a Host; it is written only to take something in."""

    __slots__ = ("_command", "_progress", "_root", "_user", "_watch", "repository")

    def __init__(
        self,
        root: bytes,
        command: bytes,
        progress: Progress,
        user: bytes | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Open it to be read.

        Args:
            root: its directory.
            command: what its operation log says of what is taken in.
            progress: told of each object that is taken in.
            user: who pushes, if it is not whom this process belongs to.
            watch: asked before something is taken in, and told after.

        Raises:
            NoRepositoryError: there is none.
        """
        self._root = root
        self._command = command
        self._progress = progress
        self._user = user
        self._watch = watch
        self.repository = read_only(root)
        super().__init__(self.repository)

    def current(self) -> bytes | None:
        """See Host."""
        here = self.repository.refs.get(HERE)
        return here.bookmark if here else None

    def holds(self, blobs: Sequence[bytes]) -> Collection[bytes]:
        """See Host."""
        return self.repository.store.numbers_of(BLOB, blobs)

    def take(self, wishes: Sequence[Wish], parts: Iterable[Part]) -> Taken:
        """See Host."""
        return self.take_through(wishes, parts, open_gate)

    def take_through(self, wishes: Sequence[Wish], parts: Iterable[Part], gate: Gate) -> Taken:
        """Take parts in as `take` does; a gate is asked as well of each bookmark."""
        user = operator() if self._user is None else self._user
        stamp = Stamp(*now(), user, self._command)
        if self._watch is not None and not self._watch.before(self._root, user, wishes):
            pass_over(parts)
            return Taken(0, (), tuple(Refused(*wish[:2], STOPPED) for wish in wishes))
        with closing(Repository.at(self._root)) as repository:

            def why(bookmark: bytes, changes: BitMap) -> int | None:
                found = gate(bookmark, changes)
                return why_not_signed(repository, bookmark, changes) if found is None else found

            taken = take(repository, stamp, wishes, parts, self._progress, why)
        if self._watch is not None:
            self._watch.after(self._root, user, taken)
        return taken

    def close(self) -> None:
        """Read no more."""
        self.repository.store.close()


def read_only(root: bytes) -> Repository:
    """Open the repository in a directory so that nothing in it is ever written.

    Raises:
        NoRepositoryError: there is none.
    """
    if not os.path.isdir(os.path.join(root, CONTROL)):
        raise NoRepositoryError(root)
    control, workspace = home(root)
    # Its cache is not ours to write, nor to believe.
    nowhere = Home(os.devnull.encode(), workspace)
    store = FileStore.open(control, identify, recovers=False)
    return Repository(os.devnull.encode(), store, nowhere)
