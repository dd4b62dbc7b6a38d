"""What a Git file is in oxy (spec: git-bridge, GB15 to GB20). Pure."""

from typing import Final, NamedTuple

from oxy.codec.limits import TEXT
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, KIND_SYMLINK, KIND_TEXT
from oxy.repo.tree import Entry

SNIFFED: Final = 8000
"""The first bytes, among which a NUL makes a file binary."""

_LINK: Final = b"120000"
_SUBMODULE: Final = b"160000"
_RUNNABLE: Final = 0o100


class Want(NamedTuple):
    """A file as a commit has it."""

    mode: bytes
    oid: bytes

    @property
    def executable(self) -> int:
        """1 for a file that its owner may run, else 0."""
        if self.mode in (_LINK, _SUBMODULE):
            return 0
        return int(bool(int(self.mode, 8) & _RUNNABLE))

    @property
    def plain_mode(self) -> bytes:
        """The mode that oxy would write for it."""
        if self.mode in (_LINK, _SUBMODULE):
            return self.mode
        return b"100755" if self.executable else b"100644"

    @property
    def is_submodule(self) -> bool:
        """Whether it is a pin of another repository, which has no blob."""
        return self.mode == _SUBMODULE

    def kind(self, data: bytes) -> int:
        """Return the kind of node that it is, given its blob."""
        if self.mode == _LINK:
            return KIND_SYMLINK
        if self.mode == _SUBMODULE:
            return KIND_SUBREPO
        if len(data) > TEXT or b"\0" in data[:SNIFFED]:
            return KIND_BINARY
        return KIND_TEXT


def git_mode(entry: Entry) -> bytes:
    """Return the mode that Git has for a file of a tree."""
    if entry.kind == KIND_SYMLINK:
        return _LINK
    if entry.kind == KIND_SUBREPO:
        return _SUBMODULE
    return b"100755" if entry.mode else b"100644"


def pin_of(oid: bytes) -> bytes:
    """Return the value of a pin for a commit of another Git repository."""
    return b"git:" + oid.hex().encode()


def body_of(data: bytes) -> bytes:
    """Return a text with a final LF, as its graph sees it."""
    return data if not data or data.endswith(b"\n") else data + b"\n"
