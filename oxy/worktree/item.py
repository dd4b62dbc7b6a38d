"""What the base state holds at a path, as the manifest keeps it (spec: checkpoints, CP12).

The key of a manifest entry names the node, its kind and its mode; so the manifest is the tree
of the base state, and a clean status reads nothing else. Pure.
"""

import stat
import struct
from oxy.typed import Final, NamedTuple

from oxy.worktree.listing import RECORD
from oxy.worktree.row import DIGEST_SIZE, KEY_SIZE, Entry

UNHASHED: Final = bytes(DIGEST_SIZE)
"""A digest that nobody has worked out."""

_KEY: Final = struct.Struct("<IBB10x")
assert _KEY.size == KEY_SIZE  # noqa: S101 - the format of the manifest


class Item(NamedTuple):
    """A file of the base state: node number, kind, mode, and the digest of its bytes."""

    node: int
    kind: int
    mode: int
    digest: bytes

    @classmethod
    def of(cls, entry: Entry) -> "Item":
        """Return what an entry of the manifest says."""
        node, kind, mode = _KEY.unpack(entry.key)
        return cls(node, kind, mode, entry.digest)

    @property
    def key(self) -> bytes:
        """The key of its entry in the manifest."""
        return _KEY.pack(self.node, self.kind, self.mode)

    def entry(self, name: bytes, record: bytes) -> Entry:
        """Return the entry of the manifest under a name, as it is on disk."""
        return Entry(name, record, self.key, self.digest or UNHASHED)

    @property
    def is_symlink(self) -> bool:
        """Whether it is a symlink."""
        # Not above: a clean status asks this of nothing, and the model would cost it 3 ms.
        from oxy.model.operation import KIND_SYMLINK

        return self.kind == KIND_SYMLINK

    def fits(self, record: bytes) -> bool:
        """Tell whether a file on disk is of this type and mode."""
        if is_symlink(record) or self.is_symlink:
            return is_symlink(record) and self.is_symlink
        return executable(record) == self.mode


def mode_of(record: bytes) -> int:
    """Return the mode of a record, as the system has it."""
    return int(RECORD.unpack(record)[-1])


def size_of(record: bytes) -> int:
    """Return the size of a record in bytes."""
    return int(RECORD.unpack(record)[0])


def is_symlink(record: bytes) -> bool:
    """Tell whether a record is that of a symlink."""
    return stat.S_ISLNK(mode_of(record))


def is_open_to_all(record: bytes) -> bool:
    """Tell whether a record is that of a symlink, or of a file that everybody may read."""
    to_all = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
    return mode_of(record) & to_all == to_all


def executable(record: bytes) -> int:
    """Return the mode register for a record: 1 if its owner may execute it."""
    return int(bool(mode_of(record) & stat.S_IXUSR) and not is_symlink(record))
