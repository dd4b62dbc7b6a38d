"""A working copy in which actions run, each with the working copy opened anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.worktree.workcopy import WorkingCopy, working_copy

ADA = b"Ada Lovelace <ada@example.org>"


class Workshop:
    """A directory with a repository; changes are called by their numbers."""

    def __init__(self, root: Path) -> None:
        init(bytes(root))
        self.root = root

    @contextmanager
    def copy(self) -> Iterator[WorkingCopy]:
        with working_copy(bytes(self.root)) as copy:
            yield copy

    @contextmanager
    def repository(self) -> Iterator[Repository]:
        with opened(bytes(self.root)) as repository:
            yield repository

    def write(self, name: str, text: str | None) -> None:
        path = self.root / name
        if text is None:
            path.unlink()
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self, name: str) -> str:
        return (self.root / name).read_text()

    def commit(self, message: str, author: bytes = ADA, **files: str | None) -> bytes:
        """Record files as they are to be, and return the id of the change."""
        for name, text in files.items():
            self.write(name, text)
        with self.copy() as copy:
            done = commit(copy, Request(author=author), lambda _: message.encode())
        assert done.id is not None
        return done.id

    def switch(self, called: str, create: str | None = None) -> None:
        with self.copy() as copy:
            switch(copy, called.encode(), None if create is None else create.encode())

    def base(self) -> Name:
        """Return the state that the files were made from."""
        with self.copy() as copy:
            return copy.base.state

    def differs(self) -> list[tuple[bytes, str]]:
        """Return what differs from that."""
        with self.copy() as copy:
            return [(each.path, each.kind) for each in status(copy).snapshot.changes]
