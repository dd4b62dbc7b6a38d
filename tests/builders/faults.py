"""A command whose system calls fail, fall short or are interrupted (spec: T22)."""

import errno
import os
import signal
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from oxy.cli.main import main
from tests.builders.crashing import Judge, State, broken
from tests.builders.disk import Disk
from tests.builders.traced import MADE, Call, Verdict, traced

CALLS: Final = {
    "openat": (errno.EACCES, errno.EMFILE, errno.ENOSPC, errno.EIO),
    "write": (errno.ENOSPC, errno.EIO, errno.EINTR),
    "pwrite64": (errno.ENOSPC, errno.EIO, errno.EINTR, errno.EDQUOT),
    "pread64": (errno.EIO,),
    "read": (errno.EIO,),
    "fsync": (errno.EIO, errno.ENOSPC),
    "fdatasync": (errno.EIO,),
    "ftruncate": (errno.EIO, errno.ENOSPC),
    "truncate": (errno.EIO,),
    "rename": (errno.EIO, errno.ENOSPC, errno.EACCES),
    "renameat": (errno.EIO, errno.ENOSPC, errno.EACCES),
    "unlink": (errno.EIO, errno.EACCES),
    "unlinkat": (errno.EIO, errno.EACCES),
    "mkdir": (errno.ENOSPC, errno.EACCES),
    "mkdirat": (errno.ENOSPC, errno.EACCES),
    "symlinkat": (errno.ENOSPC,),
}
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WRITES: Final = ("write", "pwrite64")
CODES: Final = (0, 1, 2, 3, 4, 5, 130)
"""What a command may answer where the machine fails: never that there is a bug (L10)."""


class Fault(NamedTuple):
    """What happens to the n-th call of a name below the root, once or from then on."""

    name: str
    number: int
    error: int = 0
    is_lasting: bool = False
    signal: int = 0
    is_short: bool = False


class Faulty:
    """Counts the calls of each name, and lets one fail."""

    def __init__(self, root: str, fault: Fault | None = None) -> None:
        self.root = root
        self.fault = fault
        self.count: dict[str, int] = {}

    def entered(self, call: Call) -> Verdict:
        """Say what becomes of a call."""
        if call.name not in CALLS or not self.is_below(call):
            return MADE
        number = self.count[call.name] = self.count.get(call.name, 0) + 1
        fault = self.fault
        if fault is None or call.name != fault.name or number < fault.number:
            return MADE
        if number > fault.number and not fault.is_lasting:
            return MADE
        if fault.is_short:
            return Verdict(size=max(1, call.args[2] // 2))
        return Verdict(error=fault.error, signal=fault.signal)

    def left(self, call: Call, result: int) -> None:
        """See how it ended, which tells nothing further."""

    def is_below(self, call: Call) -> bool:
        """Tell whether a call is of a file below the root."""
        if call.name in {"truncate", "rename", "unlink", "mkdir"}:
            path = os.fsdecode(call.text(0))
            return self.is_in(os.path.join(self.link(call, "cwd"), path))
        if call.name in {"openat", "renameat", "unlinkat", "mkdirat", "symlinkat"}:
            at = 1 if call.name == "symlinkat" else 0
            fd = call.file(at)
            base = self.link(call, "cwd" if fd < 0 else f"fd/{fd}")
            return self.is_in(os.path.join(base, os.fsdecode(call.text(at + 1))))
        return self.is_in(self.link(call, f"fd/{call.file(0)}"))

    def is_in(self, path: str) -> bool:
        """Tell whether a path is below the root."""
        return path.startswith(self.root)

    @staticmethod
    def link(call: Call, name: str) -> str:
        """Return where a link of the process leads."""
        try:
            return os.readlink(f"/proc/{call.pid}/{name}")
        except OSError:
            return ""


class Breaker:
    """Runs a case with faults, and has the disk judged that each leaves."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.words = judge.site.words(judge.case.words)
        self.calls = self.run(None)[1].count

    def run(self, fault: Fault | None) -> tuple[int, Faulty]:
        """Run the command on what there was before; return its exit code."""
        site = self.judge.site
        self.judge.recording.before.put(site.root)
        watcher = Faulty(str(site.root), fault)
        fd = os.open(site.heard, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        try:
            return traced(lambda: main(self.words), watcher, fd), watcher
        finally:
            os.close(fd)

    def faults(self) -> Iterator[Fault]:
        """Yield every fault of every call that the command makes."""
        for name, count in sorted(self.calls.items()):
            for number in range(1, count + 1):
                for error in CALLS[name]:
                    yield Fault(name, number, error)
                    if error != errno.EINTR:
                        # A call that is interrupted for ever is made for ever.
                        yield Fault(name, number, error, is_lasting=True)
                yield from (Fault(name, number, signal=each) for each in SIGNALS)
                if name in WRITES:
                    yield Fault(name, number, is_short=True)

    def breaks(self, fault: Fault) -> int:
        """Let a fault happen and check what it leaves; return the exit code.

        Raises:
            BrokenPromiseError: something is not as it was promised.
        """
        code, _ = self.run(fault)
        site = self.judge.site
        said = site.heard.read_text("utf-8")
        is_killed = code in {-signal.SIGTERM, -signal.SIGHUP} and fault.signal == -code
        if (code not in CODES and not is_killed) or "Traceback" in said:
            broken(f"{fault}: it answers {code}: {said}")
        if fault.is_short and code:
            broken(f"{fault}: it answers {code}: {said}")
        state = State(0, {}, Disk.of(site.root), is_done=False, is_kept=not code)
        self.judge.judge(state, is_again=True)
        return code


def chosen(breaker: Breaker, random: Random, most: int) -> list[Fault]:
    """Return some faults, so that each name of a call is as likely as any other."""
    every = list(breaker.faults())
    names = sorted({fault.name for fault in every})
    of = {name: [fault for fault in every if fault.name == name] for name in names}
    return [random.choice(of[random.choice(names)]) for _ in range(most)]
