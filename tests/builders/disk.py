"""A disk that loses power: what was on it, what was done, and what may be left (spec: T21).

What was done is a list of deeds. A deed is durable when a sync of its file, or of a directory
that it changed, came after it; a crash keeps every durable deed and of the others any that it
likes, whole or in part, in the order in which they were done. This is more than a file system
with a journal does, which keeps names in order, and all that POSIX promises.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

SECTOR: Final = 512
ROOT: Final = 0


class Node(NamedTuple):
    """A file, a directory (no content) or a symlink (its target)."""

    kind: int
    mode: int
    content: bytes


class Named(NamedTuple):
    """A name is given to a node, which may be a new one."""

    directory: int
    name: str
    node: int
    made: Node | None


class Unnamed(NamedTuple):
    """A name is taken away."""

    directory: int
    name: str


class Renamed(NamedTuple):
    """A name becomes another in one go."""

    source: Unnamed
    target: Named


class Written(NamedTuple):
    """Bytes of a file are written."""

    node: int
    offset: int
    data: bytes


class Cut(NamedTuple):
    """A file gets a length."""

    node: int
    size: int


class Moded(NamedTuple):
    """A file gets a mode."""

    node: int
    mode: int


class Synced(NamedTuple):
    """A file or directory was made durable."""

    node: int


class Said(NamedTuple):
    """Something was written to the standard output."""

    data: bytes


Deed: TypeAlias = Named | Unnamed | Renamed | Written | Cut | Moded | Synced | Said
Fate: TypeAlias = Callable[[Deed], Deed | None]
Names: TypeAlias = dict[int, dict[str, int]]


class Disk:
    """Nodes, and the names in each directory; 0 is the root."""

    def __init__(
        self, nodes: Mapping[int, Node], names: Mapping[int, Mapping[str, int]]
    ) -> None:
        self.nodes = dict(nodes)
        self.names: Names = {at: dict(held) for at, held in names.items()}

    @classmethod
    def of(cls, root: Path) -> "Disk":
        """Return what a directory holds; nodes have the numbers that the system gives them."""
        disk = cls({}, {})
        disk.take(os.fspath(root), ROOT)
        return disk

    def take(self, path: str, number: int) -> None:
        """Take in a directory that the system has."""
        self.nodes[number] = Node(stat.S_IFDIR, 0o755, b"")
        held = self.names[number] = {}
        for entry in os.scandir(path):
            status = entry.stat(follow_symlinks=False)
            held[entry.name] = status.st_ino
            if entry.is_dir(follow_symlinks=False):
                self.take(entry.path, status.st_ino)
                continue
            kind, mode = stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode)
            content = (
                os.fsencode(os.readlink(entry.path))
                if stat.S_ISLNK(kind)
                else Path(entry.path).read_bytes()
            )
            self.nodes[status.st_ino] = Node(kind, mode, content)

    def copy(self) -> "Disk":
        """Return another that may change."""
        return Disk(self.nodes, self.names)

    def do(self, deed: Deed) -> None:
        """Let something be done."""
        match deed:
            case Named(directory, name, node, made):
                if made is not None:
                    self.nodes[node] = made
                self.names.setdefault(directory, {})[name] = node
            case Unnamed(directory, name):
                self.names.setdefault(directory, {}).pop(name, None)
            case Renamed(source, target):
                self.do(source)
                self.do(target)
            case Synced() | Said():
                pass
            case _:
                self._change(deed)

    def _change(self, deed: Written | Cut | Moded) -> None:
        held = self.nodes[deed.node]
        match deed:
            case Written(node, offset, data):
                content = held.content.ljust(offset, b"\0")
                content = content[:offset] + data + content[offset + len(data) :]
                self.nodes[node] = held._replace(content=content)
            case Cut(node, size):
                content = held.content[:size].ljust(size, b"\0")
                self.nodes[node] = held._replace(content=content)
            case Moded(node, mode):
                self.nodes[node] = held._replace(mode=mode)

    def flat(self) -> dict[str, Node]:
        """Return what every path holds."""
        found: dict[str, Node] = {}
        ahead = [("", ROOT)]
        while ahead:
            above, directory = ahead.pop()
            for name, number in self.names.get(directory, {}).items():
                node = self.nodes[number]
                found[above + name] = node
                if stat.S_ISDIR(node.kind):
                    ahead.append((f"{above}{name}/", number))
        return found

    def digest(self) -> bytes:
        """Return what only a disk with the same names and contents has."""
        return digest(self.flat())

    def put(self, root: Path) -> None:
        """Make a directory hold this and nothing else."""
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        for path, node in sorted(self.flat().items()):
            place = f"{root}/{path}"
            if stat.S_ISDIR(node.kind):
                os.mkdir(place)
            elif stat.S_ISLNK(node.kind):
                os.symlink(os.fsdecode(node.content), place)
            else:
                fd = os.open(place, os.O_WRONLY | os.O_CREAT, node.mode)
                os.write(fd, node.content)
                os.close(fd)


def digest(flat: Mapping[str, Node]) -> bytes:
    """Return what only these paths with these contents have."""
    found = blake2b(digest_size=16)
    for path, (kind, mode, content) in sorted(flat.items()):
        head = f"{path}\0{kind} {mode} {len(content)}\0"
        found.update(head.encode("utf-8", "surrogateescape") + content)
    return found.digest()


def touched(deed: Deed) -> tuple[int, ...]:
    """Return the nodes of which a sync makes a deed durable."""
    match deed:
        case Named(directory=directory) | Unnamed(directory=directory):
            return (directory,)
        case Renamed(source, target):
            return (source.directory, target.directory)
        case Written(node=node) | Cut(node=node) | Moded(node=node):
            return (node,)
        case Synced() | Said():
            return ()


def pending(deeds: Sequence[Deed], free: Iterable[int] = ()) -> list[int]:
    """Return which deeds a crash after the last one may undo.

    Args:
        deeds: what was done.
        free: nodes whose deeds are not looked at: they are always kept.
    """
    durable: set[int] = set(free)
    found = []
    for at in range(len(deeds) - 1, -1, -1):
        deed = deeds[at]
        if isinstance(deed, Synced):
            durable.add(deed.node)
            continue
        nodes = touched(deed)
        if nodes and not durable.intersection(nodes):
            found.append(at)
    return found[::-1]


def dropped(_deed: Deed) -> None:
    """Return what is left of a deed that never reached the disk."""
    return


def zeroed(deed: Deed) -> Deed | None:
    """Return what is left of a write whose length reached the disk, and its bytes did not."""
    return deed._replace(data=bytes(len(deed.data))) if isinstance(deed, Written) else None


def torn(deed: Deed) -> Deed | None:
    """Return what is left of a write that ended in the middle, wherever that is."""
    if not isinstance(deed, Written):
        return None
    return deed._replace(data=deed.data[: len(deed.data) // 2])


def half(deed: Deed) -> Deed | None:
    """Return what is left of a write of which only the last sectors reached the disk."""
    if not isinstance(deed, Written):
        return None
    middle = deed.offset + len(deed.data) // 2
    skip = middle - middle % SECTOR - deed.offset
    if skip <= 0:
        return None
    return deed._replace(offset=deed.offset + skip, data=deed.data[skip:])


def is_data(deed: Deed) -> bool:
    """Tell whether a deed changed bytes, not names."""
    return isinstance(deed, Written | Cut)


def after(before: Disk, deeds: Sequence[Deed], fates: Mapping[int, Fate]) -> Disk:
    """Return the disk after deeds of which some were undone, whole or in part."""
    disk = before.copy()
    for deed in deeds:
        # A node is there whether or not its first name is: it may have another.
        if isinstance(deed, Named) and deed.made is not None:
            disk.nodes.setdefault(deed.node, deed.made)
    for at, deed in enumerate(deeds):
        fate = fates.get(at)
        left = deed if fate is None else fate(deed)
        if left is not None:
            disk.do(left)
    return disk
