"""Run something in a child whose every system call is seen, and may be made to fail.

The kernel's ptrace, by way of ctypes: what SQLite does is seen as well, and the child is a fork
of this process, so that it has imported everything already. For Linux on x86-64.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

CALLS: Final = {
    0: "read",
    1: "write",
    2: "open",
    3: "close",
    9: "mmap",
    17: "pread64",
    18: "pwrite64",
    20: "writev",
    32: "dup",
    33: "dup2",
    40: "sendfile",
    74: "fsync",
    75: "fdatasync",
    76: "truncate",
    77: "ftruncate",
    82: "rename",
    83: "mkdir",
    84: "rmdir",
    85: "creat",
    86: "link",
    87: "unlink",
    88: "symlink",
    90: "chmod",
    91: "fchmod",
    257: "openat",
    258: "mkdirat",
    263: "unlinkat",
    264: "renameat",
    265: "linkat",
    266: "symlinkat",
    268: "fchmodat",
    277: "sync_file_range",
    285: "fallocate",
    296: "pwritev",
    306: "syncfs",
    316: "renameat2",
    326: "copy_file_range",
}
"""What is told of; every other call passes unseen."""

_TRACEME: Final = 0
_POKEUSER: Final = 6
_SYSCALL: Final = 24
_SETOPTIONS: Final = 0x4200
_GETREGS: Final = 12
_DETACH: Final = 17
_OPTIONS: Final = 0x00100001
"""A stop at a call is told from others; the child dies with its tracer."""
_AT_CALL: Final = signal.SIGTRAP | 0x80

_WORDS: Final = 27
_RAX: Final = 10
_RDX: Final = 12
_RSI: Final = 13
_RDI: Final = 14
_ORIG_RAX: Final = 15
_ARGUMENTS: Final = (_RDI, _RSI, _RDX, 7, 9, 8)
_WORD: Final = 8
_SIGNED: Final = 1 << 63

Registers = ctypes.c_ulonglong * _WORDS


class Call(NamedTuple):
    """A system call of a process: its name and its arguments."""

    pid: int
    name: str
    args: tuple[int, ...]

    def text(self, at: int) -> bytes:
        """Return the string that an argument points to."""
        return self.bytes(self.args[at], 4097).partition(b"\0")[0]

    def bytes(self, address: int, size: int) -> bytes:
        """Return bytes of the process's memory, fewer where it ends."""
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            page = 4096
            memory.seek(address)
            first = memory.read(min(size, page - address % page)) or b""
            return first + (memory.read(size - len(first)) or b"" if len(first) < size else b"")

    def file(self, at: int) -> int:
        """Return an argument as a descriptor, which may be AT_FDCWD."""
        return ctypes.c_int(self.args[at]).value


class Watcher(Protocol):
    """What sees the calls of a process."""

    def entered(self, call: Call) -> "Verdict":
        """Say what becomes of a call that is about to be made."""

    def left(self, call: Call, result: int) -> None:
        """See what a call answered; negative is an error's number."""


class Verdict(NamedTuple):
    """What becomes of a call: it is made, or fails with an error; perhaps with fewer bytes."""

    error: int = 0
    size: int | None = None
    signal: int = 0
    is_last: bool = False
    """Nothing further has to be seen."""


MADE: Final = Verdict()


class TraceError(Exception):
    """The kernel does not let a child be traced."""


def _request(what: int, pid: int, address: int, data: int) -> int:
    library = _library()
    answer: int = library.ptrace(
        ctypes.c_long(what), ctypes.c_long(pid), ctypes.c_void_p(address), ctypes.c_void_p(data)
    )
    if answer == -1 and ctypes.get_errno():
        raise TraceError(os.strerror(ctypes.get_errno()))
    return answer


def _library() -> ctypes.CDLL:
    if not _LIBRARY:
        library = ctypes.CDLL(None, use_errno=True)
        library.ptrace.restype = ctypes.c_long
        _LIBRARY.append(library)
    return _LIBRARY[0]


_LIBRARY: list[ctypes.CDLL] = []


def traced(action: Callable[[], int], watcher: Watcher, heard: int) -> int:
    """Run an action in a child that is watched, and return the child's exit code.

    Args:
        action: what to run; what it returns is the exit code.
        watcher: sees what the child does.
        heard: a descriptor that takes what the child writes to its standard streams.

    Returns:
        The exit code; negative if a signal ended the child.
    """
    _library()
    child = os.fork()
    if child == 0:
        _run(action, heard)
    os.waitpid(child, 0)
    _request(_SETOPTIONS, child, 0, _OPTIONS)
    return _Tracer(child, watcher).until_end()


def _run(action: Callable[[], int], heard: int) -> None:
    code = 99
    try:
        os.dup2(heard, 1)
        os.dup2(heard, 2)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - the child's own
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - likewise
        _request(_TRACEME, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
        code = action()
        sys.stdout.flush()
    finally:
        os._exit(code)


class _Tracer:
    """Takes a child from call to call."""

    def __init__(self, pid: int, watcher: Watcher) -> None:
        self.pid = pid
        self.watcher = watcher
        self.registers = Registers()
        self.call: Call | None = None
        self.verdict = MADE
        self.is_inside = False

    def until_end(self) -> int:
        passed = 0
        while True:
            _request(_SYSCALL, self.pid, 0, passed)
            _, status = os.waitpid(self.pid, 0)
            passed = 0
            if not os.WIFSTOPPED(status):
                return os.waitstatus_to_exitcode(status)
            what = os.WSTOPSIG(status)
            if what != _AT_CALL:
                passed = what
                continue
            self.is_inside = not self.is_inside
            if self.is_inside:
                self.enter()
            else:
                self.leave()
            if self.verdict.is_last and not self.is_inside:
                _request(_DETACH, self.pid, 0, 0)
                return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def read(self) -> "ctypes.Array[ctypes.c_ulonglong]":
        _request(_GETREGS, self.pid, 0, ctypes.addressof(self.registers))
        return self.registers

    def poke(self, register: int, value: int) -> None:
        _request(_POKEUSER, self.pid, register * _WORD, value & (2 * _SIGNED - 1))

    def enter(self) -> None:
        registers = self.read()
        name = CALLS.get(registers[_ORIG_RAX])
        self.call, self.verdict = None, MADE
        if name is None:
            return
        self.call = Call(self.pid, name, tuple(registers[at] for at in _ARGUMENTS))
        self.verdict = self.watcher.entered(self.call)
        if self.verdict.error:
            self.poke(_ORIG_RAX, -1)
        if self.verdict.size is not None:
            self.poke(_RDX, self.verdict.size)
        if self.verdict.signal:
            os.kill(self.pid, self.verdict.signal)

    def leave(self) -> None:
        if self.call is None:
            return
        if self.verdict.error:
            self.poke(_RAX, -self.verdict.error)
            self.watcher.left(self.call, -self.verdict.error)
            return
        answer = self.read()[_RAX]
        self.watcher.left(self.call, answer - 2 * _SIGNED if answer >= _SIGNED else answer)
