"""Seal frames in other threads, some ahead, and hand them on in their order (spec: ST51).

Compression and hashing let go of the interpreter, so another processor does them while the
caller reads on. A transaction of one frame starts no thread.
"""

from collections import deque
from collections.abc import Callable
from oxy.typed import TYPE_CHECKING, Final

from oxy.processors import processors
from oxy.store.frame import Packer, packer, seal
from oxy.store.limits import SEALED_AHEAD

if TYPE_CHECKING:
    from queue import SimpleQueue
    from threading import Thread

MOST: Final = 3
"""Threads beyond which one that reads cannot keep the others busy."""

Written = Callable[[bytes], None]
"""Takes a frame, in the thread that gave its content."""


class _Job:
    """Content that becomes a frame; `done` is free when it has."""

    __slots__ = ("done", "error", "form", "frame", "raw", "written")

    def __init__(self, form: int, raw: bytes, written: Written) -> None:
        from threading import Lock

        self.form = form
        self.raw = raw
        self.written = written
        self.frame = b""
        self.error: BaseException | None = None
        self.done = Lock()
        self.done.acquire()

    def run(self, pack: Packer) -> None:
        try:
            self.frame = seal(self.form, self.raw, pack)
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            self.error = error
        self.done.release()


class Sealer:
    """Seals the frames of one transaction.

    Args:
        pack: returns the compressor of the caller's thread.
        level: how hard the others try.
        threads: how many others there may be.

    Memory: contents of `SEALED_AHEAD` bytes and one more, and their frames.
    """

    __slots__ = (
        "_ahead",
        "_count",
        "_has_begun",
        "_jobs",
        "_level",
        "_pack",
        "_queue",
        "_threads",
    )

    def __init__(self, pack: Callable[[], Packer], level: int, threads: int) -> None:
        self._pack = pack
        self._level = level
        self._jobs: deque[_Job] = deque()
        self._ahead = 0
        self._has_begun = False
        self._count = threads
        self._threads: list[Thread] = []
        self._queue: SimpleQueue[_Job | None] | None = None

    def add(self, form: int, raw: bytes, written: Written) -> None:
        """Seal content; its frame is handed on after all before it, at `drain` at the latest.

        What handing on raises is raised here, or by a later call.
        """
        if not self._has_begun or not self._count:
            self._has_begun = True
            written(seal(form, raw, self._pack()))
            return
        job = _Job(form, raw, written)
        self._jobs.append(job)
        self._ahead += len(raw)
        self._begun().put(job)
        while self._ahead > SEALED_AHEAD:
            self._hand_on()

    def drain(self) -> None:
        """Hand on every frame."""
        while self._jobs:
            self._hand_on()

    def close(self) -> None:
        """End the threads; frames that were not handed on are dropped."""
        self._jobs.clear()
        queue, self._queue = self._queue, None
        if queue is None:
            return
        for _ in self._threads:
            queue.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _hand_on(self) -> None:
        job = self._jobs.popleft()
        job.done.acquire()
        self._ahead -= len(job.raw)
        if job.error is not None:
            raise job.error
        job.written(job.frame)

    def _begun(self) -> "SimpleQueue[_Job | None]":
        if self._queue is None:
            from queue import SimpleQueue
            from threading import Thread

            self._queue = SimpleQueue()
            for _ in range(self._count):
                thread = Thread(target=_work, args=(self._queue, self._level), daemon=True)
                thread.start()
                self._threads.append(thread)
        return self._queue


def _work(queue: "SimpleQueue[_Job | None]", level: int) -> None:
    pack = packer(level)
    while (job := queue.get()) is not None:
        job.run(pack)


def helpers() -> int:
    """Return how many threads may seal beside the one that reads."""
    return min(processors() - 1, MOST)
