"""Processes that work files out beside the one that makes the trees (spec: git-bridge, GB57).

What a file reads in a state follows from the changes that touch it, so files are shared out by
node: each process has the graphs of its own nodes, and none is built twice. It opens the
repository itself and is told only which file of which state is wanted. What is not answered,
since a process died, is worked out where it is wanted.
"""

import os
import struct
from collections import deque
from collections.abc import Collection, Iterable
from contextlib import suppress
from signal import SIGKILL
from typing import BinaryIO, Final, NamedTuple, NoReturn, TypeAlias

from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository
from oxy_git.verify.rendering import Renderer

Answers: TypeAlias = dict[int, bytes | None]
"""The id that Git has for a file, by node; None where it is in conflict."""

OPEN: Final = 2000
"""Questions to one process that are not answered: both pipes hold as many, so nobody waits for
each other."""

SLOTS: Final = 64
TREES: Final = 0.3
"""The part of the work that making the trees is, which stays with the first process."""

_QUESTION: Final = struct.Struct("<QQB")
_ANSWER: Final = struct.Struct("<B20s")
_NOBODY: Final = b"\0" * 20
_FIRST_FREE: Final = 3


class Question(NamedTuple):
    """Which file of a change's state; whether the change was recorded on one state alone."""

    change: int
    node: int
    is_recorded: bool


class Workers:
    """Processes that answer questions, in the order in which they were asked."""

    __slots__ = ("_own", "_workers")

    def __init__(self, root: bytes, jobs: int) -> None:
        """Start all but one of so many processes: this one has a part of the files too."""
        self._workers: list[_Worker] = []
        for _ in range(jobs - 1):
            self._workers.append(_Worker(root, self._workers))
        self._own = round(SLOTS * max(0.0, (1 / jobs - TREES) / (1 - TREES)))

    def ask(self, change: int, nodes: Iterable[int], *, is_recorded: bool) -> None:
        """Ask for files of a change's state; those of this process are left out."""
        others = len(self._workers)
        for node in nodes:
            slot = node % SLOTS
            if slot >= self._own and others:
                self._workers[node % others].ask(Question(change, node, is_recorded))

    def take(self, change: int) -> Answers:
        """Return all that was asked about a change, and is answered."""
        found: Answers = {}
        for worker in self._workers:
            worker.take(change, found)
        return found

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process, and the questions to it that are open."""

    __slots__ = ("_open", "_pid", "answers", "questions")

    def __init__(self, root: bytes, others: Collection["_Worker"]) -> None:
        asked, questions = os.pipe()
        answers, answered = os.pipe()
        self._open: deque[tuple[int, int]] = deque()
        self._pid = os.fork()
        if not self._pid:
            # A pipe of another process that this one has open would never end.
            ends = [each.answers.fileno() for each in others]
            ends += [each.questions.fileno() for each in others]
            _answer_and_exit(root, asked, answered, [*ends, questions, answers])
        os.close(asked)
        os.close(answered)
        self.questions: BinaryIO = open(questions, "wb", buffering=0)  # noqa: SIM115 - closed by close
        self.answers: BinaryIO = open(answers, "rb")  # noqa: SIM115 - closed by close

    def ask(self, question: Question) -> None:
        if len(self._open) < OPEN:
            with suppress(BrokenPipeError):
                self.questions.write(_QUESTION.pack(*question))
                self._open.append((question.change, question.node))

    def take(self, change: int, into: Answers) -> None:
        while self._open and self._open[0][0] == change:
            answer = self.answers.read(_ANSWER.size)
            _, node = self._open.popleft()
            if len(answer) == _ANSWER.size:
                is_clean, oid = _ANSWER.unpack(answer)
                into[node] = oid if is_clean else None

    def close(self) -> None:
        os.kill(self._pid, SIGKILL)
        os.waitpid(self._pid, 0)
        self.answers.close()
        self.questions.close()


def _answer_and_exit(root: bytes, asked: int, answered: int, ends: list[int]) -> NoReturn:
    """Answer until nobody asks any more; what cannot be answered ends it."""
    try:
        for end in ends:
            os.close(end)
        with open(asked, "rb") as questions, open(answered, "wb", buffering=0) as answers:
            worker = _Answerer(Repository.at(root))
            while len(question := questions.read(_QUESTION.size)) == _QUESTION.size:
                change, node, is_recorded = _QUESTION.unpack(question)
                answers.write(worker.answer(Question(change, node, bool(is_recorded))))
    finally:
        # Nothing of the parent's may be flushed, closed or unlocked by the child.
        os._exit(0)


class _Answerer:
    """Works files out of changes alone."""

    __slots__ = ("_renderer", "_repository")

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._renderer = Renderer(repository)

    def answer(self, question: Question) -> bytes:
        change, node, is_recorded = question
        state = self._repository.states.of_change(change)
        seen = self._renderer.view(node, state)
        if seen.path is None:
            return _ANSWER.pack(0, _NOBODY)
        before = state - BitMap([change])
        is_proven = is_recorded and self._renderer.view(node, before).kind == KIND_TEXT
        oid = self._renderer.digest(node, state, seen, is_proven=is_proven)
        return _ANSWER.pack(oid is not None, oid or _NOBODY)
