"""What a tag of a tree or a blob leads to, kept with the tag (spec: git-bridge, GB44)."""

from typing import Final, TypeAlias

from oxy_git.reader.limits import KEPT, OverLimitError
from oxy_git.reader.objects import Objects
from oxy_git.reader.trees import SUBMODULE, TREE, entries_of, plain_mode

Things: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Objects: (kind, bytes), the first the one that leads to the others."""

_BLOB: Final = b"blob"
_TREE: Final = b"tree"


def things_below(objects: Objects, kind: bytes, oid: bytes) -> Things | None:
    """Return an object and all that it leads to; None where that is over the limit.

    Raises:
        MissingObjectError: one of them is not there.
    """
    found: dict[bytes, tuple[bytes, bytes]] = {}
    held = 0
    work = [(kind, oid)]
    while work:
        at, name = work.pop()
        if name in found:
            continue
        try:
            data = objects.read(name, KEPT - held)
        except OverLimitError:
            return None
        held += len(data) + len(name)
        found[name] = at, data
        if at == _TREE:
            modes = ((plain_mode(entry.mode), entry.oid) for entry in entries_of(data))
            work += [(_TREE if m == TREE else _BLOB, o) for m, o in modes if m != SUBMODULE]
    return tuple(found.values())
