"""What a Git file is in oxy (spec: git-bridge, GB10, GB11). Pure."""

from typing import NamedTuple

from oxy.model.operation import KIND_SUBREPO, KIND_SYMLINK
from oxy.repo.textual import kind_of
from oxy_git.reader.trees import LINK, RUNNABLE, SUBMODULE, plain_mode


class Want(NamedTuple):
    """A file as a commit has it."""

    mode: bytes
    oid: bytes

    @property
    def executable(self) -> int:
        """1 for a file that its owner may run, else 0."""
        return int(self.plain_mode == RUNNABLE)

    @property
    def plain_mode(self) -> bytes:
        """The mode that oxy would write for it."""
        return plain_mode(self.mode)

    @property
    def is_submodule(self) -> bool:
        """Whether it is a pin of another repository, which has no blob."""
        return self.mode == SUBMODULE

    def kind(self, data: bytes) -> int:
        """Return the kind of node that it is, given its blob."""
        if self.mode == LINK:
            return KIND_SYMLINK
        if self.mode == SUBMODULE:
            return KIND_SUBREPO
        return kind_of(data, len(data))


def pin_of(oid: bytes) -> bytes:
    """Return the value of a pin for a commit of another Git repository."""
    return b"git:" + oid.hex().encode()
