"""What a Git file is in oxy (spec: git-bridge, GB10, GB11). Pure."""

from typing import Final, NamedTuple

from oxy.codec.limits import TEXT
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, KIND_SYMLINK, KIND_TEXT
from oxy_git.reader.trees import LINK, RUNNABLE, SUBMODULE, plain_mode

SNIFFED: Final = 8000
"""The first bytes, among which a NUL makes a file binary."""


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
        if len(data) > TEXT or b"\0" in data[:SNIFFED]:
            return KIND_BINARY
        return KIND_TEXT


def pin_of(oid: bytes) -> bytes:
    """Return the value of a pin for a commit of another Git repository."""
    return b"git:" + oid.hex().encode()


def body_of(data: bytes) -> bytes:
    """Return a text with a final LF, as its graph sees it."""
    return data if not data or data.endswith(b"\n") else data + b"\n"
