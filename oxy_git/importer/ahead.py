"""Line diffs that another process works out ahead (spec: git-bridge, GB47).

The diff of two blobs is a function of the two alone, so it makes no difference who works it
out. The child has a git of its own to read blobs with. What it does not answer, since it died
or a blob is no text, is worked out where it is wanted.
"""

import os
import struct
import threading
from array import array
from collections.abc import Iterable
from contextlib import closing, suppress
from queue import SimpleQueue
from signal import SIGKILL
from typing import BinaryIO, Final, NoReturn, TypeAlias

from oxy.diff.lines import edits
from oxy.model.operation import KIND_TEXT
from oxy.processors import processors
from oxy.repo.textual import kind_of, with_final_lf
from oxy_git.importer.caches import Texts
from oxy_git.reader.git import Git
from oxy_git.reader.objects import OID, Objects

PAYS: Final = 200
"""Commits from which on a process of its own pays."""

TEXT_BYTES: Final = 24 << 20
"""Bytes of blobs that the child remembers."""

Told: TypeAlias = list[tuple[int, int, int, int]]

_ALONE: Final = 1
_PAIR: Final = 2 * OID
_HEAD: Final = struct.Struct("<I")
_NOTHING: Final = 0xFFFFFFFF
_FIELDS: Final = 4
_FIRST_FREE: Final = 3


class Ahead:
    """Pairs of blobs that are asked for in an order, and what differs, in the same order.

    Both ends may be used from threads, each by one.
    """

    __slots__ = ("_answers", "_asked", "_questions", "pid")

    def __init__(self, git: Git) -> None:
        """Start the child. A process that has threads should not."""
        asked, questions = os.pipe()
        answers, answered = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            _answer_and_exit(git, asked, answered)
        os.close(asked)
        os.close(answered)
        self._questions: BinaryIO = open(questions, "wb")  # noqa: SIM115 - closed by close
        self._answers: BinaryIO = open(answers, "rb")  # noqa: SIM115 - closed by close
        self._asked: SimpleQueue[bytes | None] = SimpleQueue()

    def start(self) -> None:
        """Begin to hand questions over; only now, as it takes a thread."""
        threading.Thread(target=self._feed, daemon=True).start()

    def ask(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        """Ask what differs between blobs, the old one of a pair first. It never waits."""
        self._asked.put(b"".join([old + new for old, new in pairs]))

    def take(self) -> Told | None:
        """Return the edits of the next pair that was asked for; None if there is no answer."""
        head = self._answers.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        (count,) = _HEAD.unpack(head)
        if count == _NOTHING:
            return None
        numbers = array("I", self._answers.read(count * array("I").itemsize))
        if len(numbers) < count:
            return None
        fields = iter(numbers)
        return list(zip(fields, fields, fields, fields, strict=True))

    def close(self) -> None:
        """End the child, if it still runs, and forget it."""
        os.kill(self.pid, SIGKILL)
        os.waitpid(self.pid, 0)
        self._asked.put(None)
        self._answers.close()

    def _feed(self) -> None:
        with suppress(OSError), self._questions:
            while (pairs := self._asked.get()) is not None:
                self._questions.write(pairs)
                self._questions.flush()


def ahead_of(git: Git, commits: int) -> Ahead | None:
    """Return a child that works ahead, where there is enough to do and a processor for it."""
    return Ahead(git) if commits >= PAYS and processors() > _ALONE else None


def _answer_and_exit(git: Git, asked: int, answered: int) -> NoReturn:
    """Answer until nobody asks any more."""
    try:
        # A lock or a pipe that the parent has open would outlive it here.
        low, high = sorted((asked, answered))
        os.closerange(_FIRST_FREE, low)
        os.closerange(low + 1, high)
        os.closerange(high + 1, os.sysconf("SC_OPEN_MAX"))
        with (
            open(asked, "rb") as questions,
            open(answered, "wb") as answers,
            closing(Objects(git)) as objects,
        ):
            _answer(questions, answers, Texts(objects.read, TEXT_BYTES))
    finally:
        # Nothing of the parent's may be flushed, closed or unlocked by the child.
        os._exit(0)


def _answer(questions: BinaryIO, answers: BinaryIO, texts: Texts) -> None:
    while len(pair := questions.read(_PAIR)) == _PAIR:
        answers.write(_packed(texts.get(pair[:OID]), texts.get(pair[OID:])))
        answers.flush()


def _packed(old: bytes, new: bytes) -> bytes:
    if kind_of(old, len(old)) != KIND_TEXT or kind_of(new, len(new)) != KIND_TEXT:
        return _HEAD.pack(_NOTHING)
    found = edits(with_final_lf(old), with_final_lf(new))
    numbers = array("I", [number for edit in found for number in edit])
    return _HEAD.pack(_FIELDS * len(found)) + numbers.tobytes()
