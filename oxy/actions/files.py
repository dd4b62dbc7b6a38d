"""The files of a state (spec: command-line)."""

from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from oxy.actions.patch import git_mode
from oxy.actions.tree import all_files
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, KIND_SYMLINK, KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.states import Name

KINDS: Final = {
    KIND_TEXT: "text",
    KIND_BINARY: "binary",
    KIND_SYMLINK: "symlink",
    KIND_SUBREPO: "subrepo",
}


class File(NamedTuple):
    """A file of a state: its path from the root, its kind, and Git's mode for it."""

    path: bytes
    kind: str
    mode: int


def files(repository: Repository, state: Name) -> Iterator[File]:
    """Yield the files of a state in order of their paths. Cost: the whole tree."""
    for path, entry in all_files(repository, state):
        yield File(path, KINDS[entry.kind], git_mode(entry.kind, entry.mode))
