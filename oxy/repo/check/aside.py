"""A part of the check in a process of its own, on another processor (spec: store, ST26)."""

import marshal
import os
from collections.abc import Callable, Iterable
from oxy.typed import Final, NoReturn

from oxy.repo.check.finding import Finding

_PIECE: Final = 1 << 16


class Aside:
    """A child that finds what is wrong with something, and says so at its end.

    Args:
        work: what the child does. It opens whatever it needs itself: nothing that the parent
            has open may be used in two processes.
    """

    __slots__ = ("_pid", "_pipe")

    def __init__(self, work: Callable[[], Iterable[Finding]]) -> None:
        self._pipe, out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _answer_and_exit(out, work)
        os.close(out)

    def findings(self) -> list[Finding] | None:
        """Wait for the child and return what it found, or None where it came to nothing."""
        pieces: list[bytes] = []
        while piece := os.read(self._pipe, _PIECE):
            pieces.append(piece)
        try:
            found: list[tuple[str, str, bytes | None, bytes | None]] = marshal.loads(  # noqa: S302 - from our own child
                b"".join(pieces)
            )
        except (EOFError, ValueError, TypeError):
            return None
        return [Finding(*each) for each in found]

    def end(self) -> None:
        """End the child, if it still runs, and forget it."""
        from signal import SIGKILL

        os.kill(self._pid, SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._pipe)


def _answer_and_exit(out: int, work: Callable[[], Iterable[Finding]]) -> NoReturn:
    """Do the work in the child; no answer at all says that something went wrong."""
    try:
        found = [tuple(each) for each in work()]
        with open(out, "wb") as file:
            file.write(marshal.dumps(found))
    finally:
        # Nothing of the parent's may be flushed, closed or unlocked by the child.
        os._exit(0)
