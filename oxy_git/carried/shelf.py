"""The changes that a Git repository carries, read one by one (spec: git-bridge, GB49)."""

from typing import NamedTuple

from oxy.codec import limits
from oxy_git.carried.place import BLOBS, CHANGES, named
from oxy_git.reader.git import Git, GitError
from oxy_git.reader.objects import Objects


class Kept(NamedTuple):
    """An object that lies there: Git's id of it, and its size."""

    oid: bytes
    size: int


class Shelf:
    """What lies at a ref. Cost: its list, once it is asked for; a round trip an object."""

    __slots__ = ("_git", "_held", "_objects", "_ref")

    def __init__(self, git: Git, ref: bytes) -> None:
        self._git = git
        self._ref = ref
        self._held: dict[bytes, dict[bytes, Kept]] | None = None
        self._objects: Objects | None = None

    def change(self, name: bytes) -> bytes | None:
        """Return the payload of a change; None where none is there that one could be."""
        kept = self._all()[CHANGES].get(name)
        if kept is None or kept.size > limits.HEADER + limits.OPERATIONS:
            return None
        return self._read(kept)

    def blob_size(self, name: bytes) -> int | None:
        """Return the size of a blob, or None where there is none."""
        kept = self._all()[BLOBS].get(name)
        return None if kept is None else kept.size

    def blob(self, name: bytes) -> bytes:
        """Return a blob that is there. Cost: memory for all of it."""
        return self._read(self._all()[BLOBS][name])

    def held(self, kind: bytes) -> dict[bytes, Kept]:
        """Return all that is there of a kind."""
        return self._all()[kind]

    def close(self) -> None:
        """End the process that it reads with."""
        if self._objects is not None:
            self._objects.close()
            self._objects = None

    def _read(self, kept: Kept) -> bytes:
        if self._objects is None:
            self._objects = Objects(self._git)
        return self._objects.read(kept.oid)

    def _all(self) -> dict[bytes, dict[bytes, Kept]]:
        if self._held is None:
            held: dict[bytes, dict[bytes, Kept]] = {CHANGES: {}, BLOBS: {}}
            for line in self._listing().split(b"\0")[:-1]:
                facts, _, path = line.partition(b"\t")
                _, kind, oid, size = facts.split()
                found = named(path)
                if kind == b"blob" and found is not None:
                    held[found[0]][found[1]] = Kept(bytes.fromhex(oid.decode()), int(size))
            self._held = held
        return self._held

    def _listing(self) -> bytes:
        try:
            self._git.run("rev-parse", "--verify", "-q", self._ref + b"^{commit}")
        except GitError:
            return b""
        return self._git.run("ls-tree", "-r", "-l", "-z", "--full-tree", self._ref)
