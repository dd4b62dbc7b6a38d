"""Work in a process of its own, on another processor (spec: store ST26, working-copy W36).

What is worked through is the interpreter's, so threads would wait for each other; a forked
process waits for nothing.
"""

import marshal
import os
from collections.abc import Callable, Iterable
from oxy.typed import Generic, NoReturn, TypeVar

T = TypeVar("T", bound=tuple[object, ...])

_PIECE = 1 << 16


class Aside(Generic[T]):
    """A child that works something out, and answers with named tuples at its end.

    Args:
        work: what the child does. It opens whatever it needs itself: nothing that the parent
            has open may be used in two processes.
        make: makes an answer of its values.
    """

    __slots__ = ("_make", "_pid", "_pipe")

    def __init__(
        self, work: Callable[[], Iterable[T]], make: Callable[[Iterable[object]], T]
    ) -> None:
        self._make = make
        self._pipe, out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _answer_and_exit(out, work)
        os.close(out)

    def answers(self) -> list[T] | None:
        """Wait for the child and return what it answers, or None where it came to nothing."""
        data = bytearray()
        while piece := os.read(self._pipe, _PIECE):
            data += piece
        try:
            found: list[tuple[object, ...]] = marshal.loads(data)  # noqa: S302 - from our own child
        except (EOFError, ValueError, TypeError):
            return None
        return list(map(self._make, found))

    def end(self) -> None:
        """End the child, if it still runs, and forget it."""
        from signal import SIGKILL

        os.kill(self._pid, SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._pipe)


def _answer_and_exit(out: int, work: Callable[[], Iterable[tuple[object, ...]]]) -> NoReturn:
    """Do the work in the child; no answer at all says that something went wrong."""
    try:
        found = [tuple(each) for each in work()]
        with open(out, "wb") as file:
            file.write(marshal.dumps(found))
    finally:
        # Nothing of the parent's may be flushed, closed or unlocked by the child.
        os._exit(0)
