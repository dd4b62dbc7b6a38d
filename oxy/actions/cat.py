"""The content of one file of a state (spec: command-line)."""

from collections.abc import Iterator

from oxy.actions.tree import file_at
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.worktree.conflicted import content


def cat(repository: Repository, state: Name, path: bytes) -> Iterator[bytes]:
    """Return the bytes of a file in pieces: of a symlink its target, of a subrepo its pin.

    The conflicts of a text have their markers, as in the working copy.

    Raises:
        NoPathError: nothing is there.
        IsDirectoryError: a directory is.
    """
    entry = file_at(repository, state, path)
    return content(repository, entry.node, repository.states.members(state))
