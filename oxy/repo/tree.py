"""The tree view of a state: which node is at which path (spec: checkpoints, CP2, CP6, CP23).

Trees share what they have in common: changing a path copies the directories above it, and a
directory that was saved is loaded when somebody looks into it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from oxy.typed import Final, NamedTuple, TypeAlias

import msgpack
from blake3 import blake3

from oxy.repo.cache import TREE, Cache

DISPUTED_TEXT: Final = 1
"""The lines of the text are in conflict (spec: conflicts, C3)."""

DISPUTED_PLACE: Final = 2
DISPUTED_MODE: Final = 4
DISPUTED_CONTENT: Final = 8
"""Bytes, target or pin have values that differ (spec: names, N3)."""

DISPUTED_KIND: Final = 16
DISPUTED_FINAL_LF: Final = 32
DISPUTED_PATH: Final = 64
"""Another node, or a directory, claims the path (spec: names, N16)."""

DELETED_EDITED: Final = 128
"""The node is deleted and shows because it was edited (spec: names, N38)."""

DISPUTED_DIRECTORY: Final = 256
"""A directory above has several places, or moves in a circle (spec: names, N19, N20)."""


class Entry(NamedTuple):
    """A file of a tree.

    `key` is its version key: where two entries have the same node and key, they read the same.
    `disputed` is what of it is in conflict, as a set of the bits above. `digest` is that of its
    bytes, empty where it is not known; it says nothing that the key does not. `twins` are other
    nodes of equal content that claim the path (spec: names, N18).
    """

    node: int
    kind: int
    mode: int
    key: bytes
    disputed: int = 0
    digest: bytes = b""
    twins: tuple[int, ...] = ()


class Directory:
    """Names with files and directories.

    `saved` is the key under which the cache holds it; `disputed` tells whether a file below is
    in conflict, None where nobody has looked; `mark` is a bridge's own note on it. All are for
    what the directory holds now, so whoever changes one makes a new directory.

    Args:
        entries: what it holds, or None where that is loaded when somebody looks.
        saved: see above.
        load: loads what it holds.
        disputed: see above.
    """

    __slots__ = ("_entries", "_load", "disputed", "mark", "saved")

    def __init__(
        self,
        entries: "dict[bytes, Child] | None",
        saved: bytes | None = None,
        load: "Load | None" = None,
        *,
        disputed: bool | None = None,
    ) -> None:
        self._entries = entries
        self.saved = saved
        self.disputed = disputed
        self._load = load
        self.mark: bytes | None = None

    @property
    def entries(self) -> "dict[bytes, Child]":
        """The names in this directory; not to be modified."""
        if self._entries is None:
            self._entries = self._load() if self._load else {}
        return self._entries


Child: TypeAlias = Entry | Directory
Load: TypeAlias = Callable[[], dict[bytes, Child]]
Packed: TypeAlias = (
    bytes
    | tuple[bytes]
    | tuple[int, int, int, bytes]
    | tuple[int, int, int, bytes, int]
    | tuple[int, int, int, bytes, int, tuple[int, ...]]
)
"""A child in a directory's row: the key of a directory, in an array of its own where something
below is in conflict; or a file."""

_NEW: Final = tuple.__new__
_FIELDS: Final = 4
_PLAIN: Final = (0, b"", ())

EMPTY: Final = Directory({})

ROW_KEY: Final = 16
"""Bytes of the key under which a directory's row is kept."""


def get(root: Directory, path: bytes) -> Entry | None:
    """Return the file at a path, or None. Cost: the directories on the way."""
    at: Child | None = root
    for name in path.split(b"/"):
        if not isinstance(at, Directory):
            return None
        at = at.entries.get(name)
    return at if isinstance(at, Entry) else None


def files(root: Directory, prefix: bytes = b"") -> Iterator[tuple[bytes, Entry]]:
    """Yield (path, file) of everything below, in path order by name."""
    return _walk(root, prefix, only_disputed=False)


def disputed(root: Directory) -> Iterator[tuple[bytes, Entry]]:
    """Yield (path, file) of every file that is in conflict, in path order by name.

    Cost: the directories that hold one; those that were not saved are looked through.
    """
    return _walk(root, b"", only_disputed=True)


def _walk(
    root: Directory, prefix: bytes, *, only_disputed: bool
) -> Iterator[tuple[bytes, Entry]]:
    stack = [(prefix, iter(sorted(root.entries.items())))]
    while stack:
        above, names = stack[-1]
        for name, child in names:
            if only_disputed and not child.disputed and child.disputed is not None:
                continue
            path = above + b"/" + name if above else name
            if isinstance(child, Directory):
                stack.append((path, iter(sorted(child.entries.items()))))
                break
            yield path, child
        else:
            stack.pop()


def subtree(root: Directory, path: bytes) -> Child | None:
    """Return what is at a path: a directory, a file, or None."""
    at: Child | None = root
    for name in path.split(b"/") if path else ():
        at = at.entries.get(name) if isinstance(at, Directory) else None
    return at


def edited(root: Directory, changes: Mapping[bytes, Entry | None]) -> Directory:
    """Return the tree with files put (or, for None, removed) at paths.

    A file that is put where a directory was takes its place only once that is empty, so
    removals come first; what is not there is not removed.
    Cost: a copy of each directory on the way, once.
    """
    root = Directory(dict(root.entries))
    copies: dict[bytes, Directory] = {b"": root}
    for path, entry in sorted(changes.items(), key=lambda item: item[1] is not None):
        parent, _, name = path.rpartition(b"/")
        if entry is not None:
            _own(copies, parent).entries[name] = entry
        elif get(root, path) is not None:
            _remove(copies, path)
    return root


def _own(copies: dict[bytes, Directory], path: bytes) -> Directory:
    """Return the directory at a path as one that may be changed."""
    way = []
    while path not in copies:
        way.append(path)
        path = path.rpartition(b"/")[0]
    own = copies[path]
    for below in reversed(way):
        name = below.rpartition(b"/")[2]
        child = own.entries.get(name)
        copy = Directory(dict(child.entries) if isinstance(child, Directory) else {})
        own.entries[name] = copies[below] = copy
        own = copy
    return own


def _remove(copies: dict[bytes, Directory], path: bytes) -> None:
    while path:
        parent, _, name = path.rpartition(b"/")
        above = _own(copies, parent)
        above.entries.pop(name, None)
        copies.pop(path, None)
        if above.entries:
            return
        path = parent


def differences(
    old: Directory, new: Directory, prefix: bytes = b""
) -> Iterator[tuple[bytes, Entry | None, Entry | None]]:
    """Yield (path, old file, new file) where two trees differ, in path order.

    Cost: the directories that differ; shared ones are not looked into.
    """
    stack: list[tuple[bytes, Child | None, Child | None]] = [(prefix, old, new)]
    while stack:
        path, before, after = stack.pop()
        if before is after or _same(before, after):
            continue
        if isinstance(before, Entry) or isinstance(after, Entry):
            one = before if isinstance(before, Entry) else None
            other = after if isinstance(after, Entry) else None
            if (one and one[:4]) != (other and other[:4]):
                yield path, one, other
            before = None if one else before
            after = None if other else after
        left = before.entries if isinstance(before, Directory) else {}
        right = after.entries if isinstance(after, Directory) else {}
        for name in sorted(_unlike(left, right), reverse=True):
            below = path + b"/" + name if path else name
            stack.append((below, left.get(name), right.get(name)))


def differing(
    old: Directory, new: Directory
) -> Iterator[tuple[bytes, Entry | None, Entry | None]]:
    """Yield (path, old file, new file) where trees differ, or a text is in conflict in both.

    What the sides of a conflict are follows from what changes knew of each other, and that may
    be through changes of other files: equal version keys do not make them equal (C13).
    Cost: the directories that differ, and those with conflicts.
    """
    seen: set[bytes] = set()
    for path, before, after in differences(old, new):
        seen.add(path)
        yield path, before, after
    for path, entry in disputed(new):
        if entry.disputed & DISPUTED_TEXT and path not in seen:
            yield path, get(old, path), entry


def _unlike(left: dict[bytes, Child], right: dict[bytes, Child]) -> list[bytes]:
    """Return the names under which two directories hold no equal file, or another directory."""
    # In rows that were loaded apart nothing is the very same, and nearly everything is equal.
    names = [name for name, child in right.items() if left.get(name) != child]
    names += [name for name in left if name not in right]
    return names


def _same(before: Child | None, after: Child | None) -> bool:
    return (
        isinstance(before, Directory)
        and isinstance(after, Directory)
        and before.saved is not None
        and before.saved == after.saved
    )


def save(root: Directory, cache: Cache) -> bytes:
    """Write a tree, without its digests, to the cache; return its key.

    Cost: the directories not saved before.
    """
    key, rows = sealed(root)
    cache.put(TREE, rows)
    return key


def row_key(row: bytes) -> bytes:
    """Return the key under which the cache holds a row."""
    return blake3(row).digest(ROW_KEY)


def sealed(root: Directory) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """Return the key of a tree, and the rows of its directories that had none yet.

    Trees with the same key hold the same. Cost: the directories not saved before.
    """
    rows: list[tuple[bytes, bytes]] = []
    order = [root]
    for directory in order:  # No recursion: trees may be deep.
        if directory.saved is None:
            order += [c for c in directory.entries.values() if isinstance(c, Directory)]
    key = b""
    for directory in reversed(order):
        key = directory.saved or _seal(directory, rows)
    return key, rows


def _seal(directory: Directory, rows: list[tuple[bytes, bytes]]) -> bytes:
    """Add the row of a directory whose subdirectories have theirs; return its key."""
    held = sorted(directory.entries.items())
    # Most are files with nothing to say beyond the first four.
    packed: bytes = msgpack.packb(
        [
            (name, child[:4])
            if child.__class__ is Entry and not (child[4] or child[6])
            else (name, _packed(child))
            for name, child in held
        ]
    )
    directory.saved = key = row_key(packed)
    directory.disputed = any(child.disputed for _, child in held)
    rows.append((key, packed))
    return key


def _packed(child: Child) -> Packed:
    if isinstance(child, Directory):
        saved = child.saved or b""
        return (saved,) if child.disputed else saved
    if child.twins:
        return (*child[:5], child.twins)
    return child[:5] if child.disputed else child[:4]


def children_of(row: bytes) -> list[bytes]:
    """Return the keys of the directories that a row of the cache names."""
    try:
        children = [child for _, child in msgpack.unpackb(row, use_list=False)]
    except (ValueError, TypeError):
        return []
    held = (child if isinstance(child, bytes) else child[0] for child in children)
    return [each for each in held if isinstance(each, bytes)]


def load(key: bytes, cache: Cache, rebuild: Callable[[], Directory]) -> Directory:
    """Return the tree saved under a key; directories are loaded when they are looked into.

    Args:
        key: what `save` returned.
        cache: where it was saved.
        rebuild: returns the whole tree without the cache; called once, where the cache turns
            out to have lost a part of it.
    """
    return _Kept(cache, rebuild).directory(key, b"")


class _Kept:
    """A tree in the cache, and how to have it if the cache has lost a part of it."""

    __slots__ = ("_cache", "_rebuild", "_whole")

    def __init__(self, cache: Cache, rebuild: Callable[[], Directory]) -> None:
        self._cache = cache
        self._rebuild = rebuild
        self._whole: Directory | None = None

    def directory(
        self, saved: bytes, path: bytes, *, disputed: bool | None = None
    ) -> Directory:
        """Return the directory at a path, not yet loaded."""
        return Directory(None, saved, partial(self._entries, saved, path), disputed=disputed)

    def _entries(self, saved: bytes, path: bytes) -> dict[bytes, Child]:
        row = self._cache.get(TREE, saved)
        found = None if row is None else self._parse(row, path)
        if found is not None:
            return found
        if self._whole is None:
            self._whole = self._rebuild()
        lost = subtree(self._whole, path)
        return lost.entries if isinstance(lost, Directory) else {}

    def _parse(self, row: bytes, path: bytes) -> dict[bytes, Child] | None:
        above = path + b"/" if path else b""
        try:
            # Most are files with nothing to say beyond the first four.
            return {
                name: _NEW(Entry, child + _PLAIN)
                if child.__class__ is tuple and len(child) == _FIELDS
                else self._child(child, above + name)
                for name, child in msgpack.unpackb(row, use_list=False)
            }
        except (ValueError, TypeError):
            # A row of another version of this program.
            return None

    def _child(self, packed: Packed, path: bytes) -> Child:
        if isinstance(packed, bytes):
            return self.directory(packed, path, disputed=False)
        if len(packed) == 1:
            return self.directory(packed[0], path, disputed=True)
        if len(packed) == 6:  # noqa: PLR2004 - with twins in place of the digest
            return Entry(*packed[:5], twins=packed[5])
        return Entry(*packed)
