"""The program that shows what is longer than the terminal (spec: command-line, L35).

It starts with the first byte that is written, so an error alone starts none, and ends before
the command does. That it was left early is no failure.
"""

from __future__ import annotations

import contextlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import IO, BinaryIO

DEFAULT = "less -FRX"
# What a pager that was chosen by its name alone needs to know, to show colour.
TOLD = {"LESS": "FRX", "LV": "-c"}

PAGED = frozenset(
    {"blame", "config list", "deps", "diff", "grep", "help", "hunks", "log"}
    | {"op diff", "op log", "op show", "show"}
)
"""The commands whose output is read in one."""


def chosen() -> str:
    """Return the command line of the pager; empty for none.

    Raises:
        ConfigError: the user's file cannot be read.
    """
    given = os.environ.get("OXY_PAGER")
    if given is None:
        from oxy.actions.config import text

        # A repository's own file may name no program.
        given = text(None, "ui.pager")
    if given is None:
        given = os.environ.get("PAGER", DEFAULT)
    return "" if given == "cat" else given


class Pager:
    """Stands in for the standard output of a command, which is a terminal."""

    __slots__ = ("_command", "_process", "_stream", "_terminal", "was_left")

    def __init__(self, command: str, terminal: BinaryIO) -> None:
        self._command = command
        self._terminal = terminal
        self._stream: IO[bytes] | None = None
        self._process: Popen[bytes] | None = None
        self.was_left = False

    @property
    def has_begun(self) -> bool:
        """Whether something was written, so that the program has the terminal."""
        return self._process is not None

    def write(self, data: bytes) -> None:
        """Write to the program, which starts at the first time.

        Raises:
            BrokenPipeError: the user has left it.
        """
        if self._stream is None:
            self._stream = self._started()
        try:
            self._stream.write(data)
        except BrokenPipeError:
            self.was_left = True
            raise

    def flush(self) -> None:
        """Hand over what is buffered; raises as `write`."""
        if self._stream is None:
            return
        try:
            self._stream.flush()
        except BrokenPipeError:
            self.was_left = True
            raise

    def isatty(self) -> bool:
        """Tell that a person reads this."""
        return True

    def fileno(self) -> int:
        """Return where it writes to."""
        return (self._stream or self._terminal).fileno()

    def finish(self) -> None:
        """Wait until the user has read it all."""
        if self._process is None or self._stream is None:
            return
        with contextlib.suppress(OSError):
            self._stream.close()
        while True:
            try:
                self._process.wait()
            except KeyboardInterrupt:
                # That key is the program's now.
                continue
            break

    def _started(self) -> IO[bytes]:
        """Return where to write: to the program, or to the terminal if it cannot be run."""
        import shlex
        import subprocess

        told = {name: value for name, value in TOLD.items() if name not in os.environ}
        try:
            self._process = subprocess.Popen(
                shlex.split(self._command), stdin=subprocess.PIPE, env={**os.environ, **told}
            )
        except (OSError, ValueError):
            return self._terminal
        return self._process.stdin or self._terminal
