"""A repository that others pull from and push to (spec: sync, SY2, SY8, SY43)."""

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from functools import partial

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.signers import is_signed
from oxy.progress import Progress
from oxy.repo.place import CONTROL, Home, NoRepositoryError, home
from oxy.repo.refs import HERE
from oxy.repo.repository import Repository, identify
from oxy.repo.writing import Stamp
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB
from oxy.sync.endpoint import Stored
from oxy.sync.part import Part
from oxy.sync.taking import take
from oxy.sync.wish import Taken, Wish


class Hosted(Stored):
    """A repository in a directory as a Host; it is written only to take something in."""

    __slots__ = ("_command", "_progress", "_root", "repository")

    def __init__(self, root: bytes, command: bytes, progress: Progress) -> None:
        """Open it to be read.

        Args:
            root: its directory.
            command: what its operation log says of what is taken in.
            progress: told of each object that is taken in.

        Raises:
            NoRepositoryError: there is none.
        """
        self._root = root
        self._command = command
        self._progress = progress
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
        stamp = Stamp(*now(), operator(), self._command)
        with closing(Repository.at(self._root)) as repository:
            gate = partial(is_signed, repository)
            return take(repository, stamp, wishes, parts, self._progress, gate)

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
