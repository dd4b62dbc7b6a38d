"""Make a repository (spec: command-line, init)."""

import os
from oxy.typed import Final

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.errors import StateError
from oxy.repo.durable import make_directories
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository, RepositoryExistsError
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import OPERATION

MAIN: Final = b"main"
"""The bookmark that a new repository begins with."""


class NotADirectoryToUseError(StateError):
    """A repository is to be made where a file is."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"{os.fsdecode(path)} is not a directory")
        self.path = path


def init(directory: bytes) -> bytes:
    """Make an empty repository in a directory, which is made if it is missing.

    Returns:
        The directory, absolute.

    Raises:
        RepositoryExistsError: there is one.
        NotADirectoryToUseError: it is a file.
    """
    root = os.path.abspath(directory)
    if os.path.lexists(root) and not os.path.isdir(root):
        raise NotADirectoryToUseError(root)
    make_directories(root)
    repository = _made(root)
    try:
        stamp = Stamp(*now(), operator(), b"init")
        with writing(repository, stamp) as work:
            work.move(Ref(BOOKMARK, MAIN), Target(Name()))
            work.move(HERE, Target(Name(), (), MAIN))
    finally:
        repository.close()
    return root


def _made(root: bytes) -> Repository:
    """Return a new repository, or one that was left before its first operation."""
    try:
        return Repository.create(root)
    except RepositoryExistsError:
        repository = Repository.at(root)
        if repository.store.count(OPERATION):
            repository.close()
            raise
        return repository
