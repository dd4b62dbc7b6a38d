"""Do a part of the writing in a process of its own, on another processor (spec: W36).

A small file costs the interpreter about as long as the system, so threads would wait for each
other; a forked process waits for nothing.
"""

import marshal
import os
from collections.abc import Callable, Iterable
from oxy.typed import Final, NoReturn

from oxy.worktree.row import Row

_PIECE: Final = 1 << 16


class Aside:
    """A child that writes files, and answers with their rows at its end, also where it failed.

    Args:
        work: what the child does. It opens whatever it needs itself: nothing that the parent
            has open may be used in two processes.
    """

    __slots__ = ("_pid", "_pipe")

    def __init__(self, work: Callable[[], Iterable[Row]]) -> None:
        self._pipe, out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _answer_and_exit(out, work)
        os.close(out)

    def rows(self) -> list[Row]:
        """Wait for the child and return the rows of what it wrote; none where it was killed."""
        pieces: list[bytes] = []
        while piece := os.read(self._pipe, _PIECE):
            pieces.append(piece)
        try:
            found: list[tuple[bytes, bytes, bytes, bytes, int, int]] = marshal.loads(  # noqa: S302 - from our own child
                b"".join(pieces)
            )
        except (EOFError, ValueError, TypeError):
            return []
        return [Row(*each) for each in found]

    def end(self) -> None:
        """End the child, if it still runs, and forget it."""
        from signal import SIGKILL

        os.kill(self._pid, SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._pipe)


def _answer_and_exit(out: int, work: Callable[[], Iterable[Row]]) -> NoReturn:
    try:
        found = [tuple(row) for row in work()]
        with open(out, "wb") as file:
            file.write(marshal.dumps(found))
    finally:
        # Nothing of the parent's may be flushed, closed or unlocked by the child.
        os._exit(0)
