"""A pack of Git objects on its way to `git index-pack`, which checks it (spec: GB36).

The number of objects stands at the head of a pack and a digest at its end, so the objects are
put into a temporary file first.
"""

import hashlib
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

from oxy_git.exporter.delta import delta
from oxy_git.reader.git import Git, GitError

DEPTH: Final = 40
"""So many deltas may build on each other, as Git's own packs have it (50)."""

REMEMBERED: Final = 32 << 20
"""Bytes of objects that later ones may be told from."""

LEVEL: Final = 1
"""Twice as fast as Git's own, and some percent larger; `git gc` packs anew."""

_REF_DELTA: Final = 7
_TAKE: Final = "index-pack"
_PIECE: Final = 1 << 20


class _Base(NamedTuple):
    """The last version of a thing: its id, bytes and how many deltas it builds on."""

    oid: bytes
    data: bytes
    depth: int


class Pack:
    """Objects that are collected for a Git repository; each is taken once."""

    __slots__ = ("_bases", "_file", "_held", "_known", "count")

    def __init__(self, directory: bytes) -> None:
        """Begin a pack; its file is in a directory and goes when it is closed."""
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115 - see close
        self._file.write(bytes(12))
        self._known: set[bytes] = set()
        self._bases: OrderedDict[object, _Base] = OrderedDict()
        self._held = 0
        self.count = 0

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def add(self, kind: int, oid: bytes, data: bytes, thing: object = None) -> None:
        """Take an object that is not there yet.

        Args:
            kind: COMMIT, TREE, BLOB or TAG.
            oid: its id.
            data: its bytes.
            thing: what it is a version of; it is told from the last version, where that is
                shorter.
        """
        if oid in self._known:
            return
        self._known.add(oid)
        self.count += 1
        depth = 0
        base = self._bases.get((kind, thing)) if thing is not None else None
        told = delta(base.data, data) if base is not None and base.depth < DEPTH else None
        if base is not None and told is not None:
            depth = base.depth + 1
            self._write(_REF_DELTA, len(told), base.oid, told)
        else:
            self._write(kind, len(data), b"", data)
        if thing is not None:
            self._remember((kind, thing), _Base(oid, data, depth))

    def _remember(self, thing: object, base: _Base) -> None:
        old = self._bases.pop(thing, None)
        self._held += len(base.data) - (len(old.data) if old else 0)
        self._bases[thing] = base
        while self._held > REMEMBERED and len(self._bases) > 1:
            self._held -= len(self._bases.popitem(last=False)[1].data)

    def _write(self, kind: int, length: int, base: bytes, data: bytes) -> None:
        head = bytearray([kind << 4 | length & 15])
        length >>= 4
        while length:
            head[-1] |= 0x80
            head.append(length & 0x7F)
            length >>= 7
        self._file.write(bytes(head) + base + zlib.compress(data, LEVEL))

    def send(self, git: Git) -> None:
        """Let git take the pack into its repository; nothing is sent where nothing was added.

        Raises:
            GitError: git refused it.
        """
        if not self.count:
            return
        self._file.seek(0)
        self._file.write(b"PACK" + (2).to_bytes(4, "big") + self.count.to_bytes(4, "big"))
        pipe = git.start(_TAKE, "--stdin", "--fix-thin")
        try:
            for piece in self._pieces():
                pipe.stdin.write(piece)
            pipe.stdin.close()
            pipe.stdout.read()
            if pipe.wait():
                raise GitError(_TAKE, pipe.said())
        except BrokenPipeError as error:
            raise GitError(_TAKE, pipe.said()) from error
        finally:
            pipe.close()

    def _pieces(self) -> Iterator[bytes]:
        summed = hashlib.sha1(usedforsecurity=False)
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            summed.update(piece)
            yield piece
        yield summed.digest()
