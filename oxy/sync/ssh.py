"""A wire to a program that was started for it: the user's own ssh (spec: sync, SY16, SY52).

Loaded only where an address is used. What the program writes to standard error is passed on
line by line as it comes, and its last line is kept, to say why a connection was lost (SY64).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from oxy.typed import TYPE_CHECKING, Final

from oxy.errors import StateError
from oxy.hearing import pass_on
from oxy.sync import limits
from oxy.sync.pipes import Pipes
from oxy.sync.wire import Caller

if TYPE_CHECKING:
    from subprocess import Popen

_GRACE: Final = 5.0
"""Seconds that the program has to end by itself."""

_SOON: Final = 5.0
"""Seconds in which it says its last words once it sends nothing any more."""


class NoProgramError(StateError):
    """The program that connects to another machine cannot be run."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(f"{program} cannot be run: {why}")
        self.program = program


@contextmanager
def connected(words: Sequence[str], limit: float = limits.SILENCE) -> Iterator[Caller]:
    """Start a program, and speak with what answers through it until the block ends.

    Args:
        words: the program and its arguments; no shell reads them.
        limit: seconds of silence after which the other side counts as lost.

    Raises:
        NoProgramError: there is no such program.
    """
    from subprocess import PIPE, Popen

    try:
        process = Popen(words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    except OSError as error:
        raise NoProgramError(words[0], error.strerror or str(error)) from error
    with process:
        said = _Said(process)
        try:
            assert process.stdin is not None  # noqa: S101 -- it was asked for above
            assert process.stdout is not None  # noqa: S101 -- as well
            pipes = Pipes(
                process.stdout.fileno(), process.stdin.fileno(), limit, said.last_words
            )
            yield Caller(pipes.read, pipes.write)
        finally:
            _end(process)
            said.thread.join(_GRACE)


def _end(process: "Popen[bytes]") -> None:
    """Let a program end: it reads no more, then it is told to, then it has to."""
    assert process.stdin is not None  # noqa: S101 -- it was asked for
    with suppress(OSError):
        process.stdin.close()
    from subprocess import TimeoutExpired

    for stop in (process.terminate, process.kill):
        with suppress(TimeoutExpired):
            process.wait(_GRACE)
            return
        stop()


class _Said:
    """What a program writes to standard error: each line is passed on, the last is kept."""

    __slots__ = ("_last", "_process", "_rest", "thread")

    def __init__(self, process: "Popen[bytes]") -> None:
        from threading import Thread

        self._process = process
        self._rest = bytearray()
        self._last = ""
        self.thread = Thread(target=self._gather, daemon=True)
        self.thread.start()

    def _gather(self) -> None:
        # Whoever ends the program closes this end of the pipe.
        with suppress(ValueError):
            self._pass_on_all()

    def _pass_on_all(self) -> None:
        assert self._process.stderr is not None  # noqa: S101 -- it was asked for
        while data := self._process.stderr.read1(limits.WORDS):  # type: ignore[attr-defined] # a BufferedReader, which the stubs do not say
            self._rest += data
            *lines, rest = bytes(self._rest).split(b"\n")
            # A line that never ends is passed on in pieces.
            if len(rest) > limits.WORDS:
                lines, rest = [*lines, rest], b""
            self._rest[:] = rest
            for line in lines:
                self._say(line)
        self._say(bytes(self._rest))

    def _say(self, line: bytes) -> None:
        words = line.decode("utf-8", "surrogateescape").strip()
        if words:
            self._last = words[-limits.WORDS :]
            pass_on(words)

    def last_words(self) -> str:
        """Return the last line, once the program has ended."""
        from subprocess import TimeoutExpired

        with suppress(TimeoutExpired):
            self._process.wait(_SOON)
        self.thread.join(_SOON)
        return self._last
