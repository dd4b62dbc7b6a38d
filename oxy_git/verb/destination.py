"""The repository that an import goes into (spec: git-bridge, GB22)."""

from __future__ import annotations

import os

from oxy.errors import RequestError
from oxy.repo.place import CONTROL, POINTER, NoRepositoryError, find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.repo.repository import Repository


class NotEmptyError(RequestError):
    """A repository is to be made in a directory that holds other things."""

    def __init__(self, path: bytes) -> None:
        where = os.fsdecode(path)
        super().__init__(f"'{where}' is neither empty nor an oxy repository")
        self.path = path


def destination(source: bytes, given: bytes | None) -> bytes:
    """Return the root of the repository to import into; it may have to be made.

    Args:
        source: the Git repository.
        given: the directory that the user names; None for the repository that they stand in,
            and where there is none, for a new directory that is called as the source.

    Raises:
        NotEmptyError: no repository can be made there.
    """
    if given is None:
        try:
            return find(os.getcwdb())
        except NoRepositoryError:
            given = called_as(source)
    root = os.path.abspath(given)
    if os.path.isdir(os.path.join(root, CONTROL)):
        return root
    if os.path.lexists(root) and not (os.path.isdir(root) and not os.listdir(root)):
        raise NotEmptyError(root)
    return root


def called_as(source: bytes) -> bytes:
    """Return the name of the directory for a source, as `git clone` chooses it."""
    path = os.path.abspath(source)
    if os.path.basename(path) == b".git":
        path = os.path.dirname(path)
    name = os.path.basename(path)
    return name.removesuffix(b".git") or name


def opened(root: bytes) -> Repository:
    """Open the repository at a root, which is made where there is none."""
    from oxy.repo.repository import Repository

    held = (os.path.join(root, CONTROL, name) for name in (b"index.db", POINTER))
    if any(map(os.path.lexists, held)):
        return Repository.at(root)
    os.makedirs(root, exist_ok=True)
    return Repository.create(root)
