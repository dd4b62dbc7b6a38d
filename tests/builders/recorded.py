"""What a command did to a directory, call by call, with the bytes (spec: T21)."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tests.builders.disk import (
    ROOT,
    Cut,
    Deed,
    Disk,
    Moded,
    Named,
    Node,
    Renamed,
    Said,
    Synced,
    Unnamed,
    Written,
    after,
)
from tests.builders.traced import MADE, Call, Verdict, traced

_MAP_SHARED: Final = 1
_PROT_WRITE: Final = 2
_AT: Final = {
    "open": (None, 0),
    "creat": (None, 0),
    "openat": (0, 1),
    "mkdir": (None, 0),
    "mkdirat": (0, 1),
    "unlink": (None, 0),
    "rmdir": (None, 0),
    "unlinkat": (0, 1),
    "symlink": (None, 1),
    "symlinkat": (1, 2),
    "chmod": (None, 0),
    "fchmodat": (0, 1),
    "truncate": (None, 0),
}
"""Which arguments of a call are the directory, if it takes one, and the path."""
_PAIRS: Final = {
    "rename": (None, 0, None, 1),
    "renameat": (0, 1, 2, 3),
    "renameat2": (0, 1, 2, 3),
    "link": (None, 0, None, 1),
    "linkat": (0, 1, 2, 3),
}
_UNKNOWN: Final = {"writev", "pwritev", "sendfile", "copy_file_range", "fallocate", "syncfs"}


class UnknownCallError(Exception):
    """A command changed the directory in a way that is not recorded."""


class Recording(NamedTuple):
    """What was there before, what was done, what was said, and how it ended."""

    before: Disk
    deeds: tuple[Deed, ...]
    code: int
    said: str


class Place(NamedTuple):
    """A name in a directory below the root."""

    directory: int
    name: str
    path: str


class Recorder:
    """Turns calls into deeds; nodes are called by the numbers that the system gives them."""

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)
        self.deeds: list[Deed] = []
        self._waiting: Callable[[int], None] | None = None

    def entered(self, call: Call) -> Verdict:
        """See a call before it is made, when names still mean what they meant to it."""
        self._waiting = self._seen(call)
        return MADE

    def left(self, _call: Call, result: int) -> None:
        """See how it ended."""
        if self._waiting is not None and result >= 0:
            self._waiting(result)

    def _seen(self, call: Call) -> Callable[[int], None] | None:
        name = call.name
        if name in _PAIRS:
            return self._pair(call)
        if name in _AT:
            return self._one(call)
        if name in {"write", "pwrite64"}:
            return self._write(call)
        if name in {"fsync", "fdatasync", "ftruncate", "fchmod", "mmap", *_UNKNOWN}:
            return self._descriptor(call)
        return None

    def _one(self, call: Call) -> Callable[[int], None] | None:
        at, path = _AT[call.name]
        place = self._place(call, at, path)
        if place is None:
            return None
        if call.name in {"open", "openat"}:
            return self._opening(call, place, call.args[path + 1])
        if call.name == "creat":
            return self._opening(call, place, os.O_CREAT | os.O_TRUNC)
        if call.name in {"truncate", "chmod", "fchmodat"}:
            return self._changed(call, self._number(place.path), call.args[path + 1])
        return self._named(call, place)

    def _named(self, call: Call, place: Place) -> Callable[[int], None]:
        """Return what notes that a name was made or taken away."""
        if call.name.startswith("mkdir"):
            return lambda _: self._made(place, stat.S_IFDIR, b"")
        if call.name.startswith("symlink"):
            target = call.text(0)
            return lambda _: self._made(place, stat.S_IFLNK, target)
        return lambda _: self.deeds.append(Unnamed(place.directory, place.name))

    def _changed(self, call: Call, number: int, value: int) -> Callable[[int], None]:
        if "truncate" in call.name:
            return lambda _: self.deeds.append(Cut(number, value))
        return lambda _: self.deeds.append(Moded(number, value))

    def _opening(self, call: Call, place: Place, flags: int) -> Callable[[int], None] | None:
        if not flags & (os.O_CREAT | os.O_TRUNC):
            return None
        is_there = os.path.lexists(place.path)

        def opened(fd: int) -> None:
            status = os.stat(f"/proc/{call.pid}/fd/{fd}")
            if not is_there:
                node = Node(stat.S_IFREG, stat.S_IMODE(status.st_mode), b"")
                named = Named(place.directory, place.name, status.st_ino, node)
                self.deeds.append(named)
            elif flags & os.O_TRUNC:
                self.deeds.append(Cut(status.st_ino, 0))

        return opened

    def _pair(self, call: Call) -> Callable[[int], None] | None:
        old_at, old_path, new_at, new_path = _PAIRS[call.name]
        old, new = self._place(call, old_at, old_path), self._place(call, new_at, new_path)
        if old is None and new is None:
            return None
        if old is None or new is None:
            raise UnknownCallError(call)
        named = Named(new.directory, new.name, self._number(old.path), None)
        if "link" in call.name:
            return lambda _: self.deeds.append(named)
        return lambda _: self.deeds.append(Renamed(Unnamed(old.directory, old.name), named))

    def _write(self, call: Call) -> Callable[[int], None] | None:
        fd = call.file(0)
        number = self._open_file(call, fd)
        if number is None:
            if fd != 1:
                return None
            data = call.bytes(call.args[1], call.args[2])
            return lambda _: self.deeds.append(Said(data))
        data = call.bytes(call.args[1], call.args[2])
        offset = call.args[3] if call.name == "pwrite64" else self._position(call, fd)
        return lambda done: self.deeds.append(Written(number, offset, data[:done]))

    def _descriptor(self, call: Call) -> Callable[[int], None] | None:
        if call.name == "mmap":
            is_written = call.args[3] & _MAP_SHARED and call.args[2] & _PROT_WRITE
            if is_written and self._open_file(call, call.file(4)) is not None:
                raise UnknownCallError(call)
            return None
        number = self._open_file(call, call.file(0))
        if number is None:
            return None
        if call.name in _UNKNOWN:
            raise UnknownCallError(call)
        if call.name in {"ftruncate", "fchmod"}:
            return self._changed(call, number, call.args[1])
        return lambda _: self.deeds.append(Synced(number))

    def _made(self, place: Place, kind: int, content: bytes) -> None:
        status = os.lstat(place.path)
        node = Node(kind, stat.S_IMODE(status.st_mode), content)
        self.deeds.append(Named(place.directory, place.name, status.st_ino, node))

    def _place(self, call: Call, at: int | None, path: int) -> Place | None:
        text = os.fsdecode(call.text(path))
        if at is None or call.file(at) < 0:
            base = os.readlink(f"/proc/{call.pid}/cwd")
        else:
            base = os.readlink(f"/proc/{call.pid}/fd/{call.file(at)}")
        above, name = os.path.split(os.path.join(base, text.rstrip("/")))
        above = os.path.realpath(above)
        if above != self.root and not above.startswith(self.root + "/"):
            return None
        if not os.path.isdir(above):
            return None
        return Place(self._number(above), name, os.path.join(above, name))

    def _number(self, path: str) -> int:
        return ROOT if path == self.root else os.lstat(path).st_ino

    def _open_file(self, call: Call, fd: int) -> int | None:
        """Return the node that a descriptor is of, if it lies below the root."""
        link = f"/proc/{call.pid}/fd/{fd}"
        try:
            path = os.readlink(link)
        except OSError:
            return None
        if path != self.root and not path.startswith(self.root + "/"):
            return None
        return ROOT if path == self.root else os.stat(link).st_ino

    @staticmethod
    def _position(call: Call, fd: int) -> int:
        with open(f"/proc/{call.pid}/fdinfo/{fd}", encoding="ascii") as file:
            told = dict(line.split(":", 1) for line in file)
        if int(told["flags"], 8) & os.O_APPEND:
            return os.stat(f"/proc/{call.pid}/fd/{fd}").st_size
        return int(told["pos"])


def record(root: Path, action: Callable[[], int], heard: Path) -> Recording:
    """Run an action and return what it did below a directory.

    Args:
        root: the directory.
        action: what is run, in a child.
        heard: a file beside the directory, for what the action says.
    """
    before = Disk.of(root)
    recorder = Recorder(root)
    fd = os.open(heard, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    try:
        code = traced(action, recorder, fd)
    finally:
        os.close(fd)
    recording = Recording(before, tuple(recorder.deeds), code, heard.read_text("utf-8"))
    replayed = after(before, recording.deeds, {}).digest()
    # What is not the same was done in a way that was not seen.
    assert replayed == Disk.of(root).digest(), "the recording is not what was done"
    return recording
