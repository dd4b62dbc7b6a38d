"""The one place that writes (spec: command-line, L8, L14, L15).

Text is UTF-8, whatever the locale. Everything that is not raw bytes or JSON is escaped for
terminals, in pipes too, so that what is seen does not depend on where it goes.
"""

from __future__ import annotations

import errno
import os
import sys

from oxy.cli.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO, Literal, TypeAlias

    from oxy.cli.pager import Pager
    from oxy.cli.records import Record
    from oxy.cli.watching import Watcher
    from oxy.progress import Progress

    Style: TypeAlias = Literal[
        "heading", "added", "removed", "added word", "removed word", "id", "author", "warning"
    ]
    Part: TypeAlias = "str | bytes | Styled"

STYLES = {
    "heading": "\x1b[1m",
    "added": "\x1b[32m",
    "removed": "\x1b[31m",
    "added word": "\x1b[7;32m",
    "removed word": "\x1b[7;31m",
    "id": "\x1b[33m",
    "author": "\x1b[36m",
    "warning": "\x1b[35m",
}
PLAIN = "\x1b[0m"
TOGETHER = 4_096
"""Lines that are written in one go."""


class OutputClosedError(Exception):
    """Nobody reads the standard output any more: silent, and no failure of the command."""


class Styled:
    """A part of a line that is shown in a style of `STYLES` where there is colour."""

    __slots__ = ("style", "value")

    def __init__(self, style: Style, value: str | bytes) -> None:
        self.style = style
        self.value = value


def wants_colour(choice: str, stream: BinaryIO | Pager | None) -> bool:
    """Tell whether a stream gets colour when the choice is `always`, `never` or `auto`.

    `auto` is yes for a terminal that is not dumb, where NO_COLOR is absent or empty.
    """
    if choice != "auto":
        return choice == "always"
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def rendered(parts: tuple[Part, ...], *, colour: bool) -> bytes:
    """Return one line: its parts, escaped and painted, then LF."""
    shown = []
    for part in parts:
        if not isinstance(part, Styled):
            shown.append(escape(part))
        elif colour:
            shown.append(f"{STYLES[part.style]}{escape(part.value)}{PLAIN}")
        else:
            shown.append(escape(part.value))
    return "".join(shown).encode() + b"\n"


def unescaped(part: Part, *, colour: bool) -> bytes:
    """Return a part of a line as it is; painted only if asked."""
    value = part.value if isinstance(part, Styled) else part
    data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    if not colour or not isinstance(part, Styled):
        return data
    return STYLES[part.style].encode() + data + PLAIN.encode()


def handed_over() -> bool:
    """Hand over what is buffered in the streams of the process; False where nobody takes it."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


def abandon(stream: BinaryIO | Pager) -> None:
    """Send what is left in a broken stream nowhere, so that closing it says nothing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class Output:
    """The standard output and standard error of one command.

    `as_json` says that the user asked for JSON: a verb then calls `record` instead of `line`.
    """

    __slots__ = (
        "_pager",
        "_stderr",
        "_stderr_colour",
        "_stdout",
        "_stdout_colour",
        "_watcher",
        "as_json",
    )

    def __init__(self, stdout: BinaryIO | None, stderr: BinaryIO | None) -> None:
        self._stdout: BinaryIO | Pager | None = stdout
        self._stderr = stderr
        self._pager: Pager | None = None
        self._watcher: Watcher | None = None
        self.as_json = False
        self.choose_colour("auto")

    def choose_colour(self, choice: str) -> None:
        """Set where there is colour: `auto`, `always`, `never`."""
        self._stdout_colour = wants_colour(choice, self._stdout)
        self._stderr_colour = wants_colour(choice, self._stderr)

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads the standard output as it comes."""
        return self._stdout is not None and self._stdout.isatty()

    def page(self, command: str) -> None:
        """Let what follows on the standard output, a terminal, be read in a pager."""
        from oxy.cli.pager import Pager

        stream = self._stdout
        if stream is not None and not isinstance(stream, Pager):
            self._stdout = self._pager = Pager(command, stream)

    def finish(self, code: int) -> int:
        """Wait for the pager, if there is one; return the exit code that is left then."""
        hearing = sys.modules.get("oxy.hearing")
        if hearing is not None:
            # What is said from now on belongs to another command.
            hearing.hear_no_more()
        if self._pager is None:
            return code
        self._pager.finish()
        return 0 if self._pager.was_left else code

    @property
    def is_coloured(self) -> bool:
        """Whether the standard output gets colour."""
        return self._stdout_colour

    def line(self, *parts: Part) -> None:
        r"""Write one line of text: its parts, escaped, then LF. An LF inside shows `\x0a`."""
        self.raw(rendered(parts, colour=self._stdout_colour))

    def verbatim(self, *parts: Part) -> None:
        """Write one line that programs take as it is; escaped on a terminal only."""
        if self.is_terminal:
            self.line(*parts)
        else:
            colour = self._stdout_colour
            self.raw(b"".join(unescaped(part, colour=colour) for part in parts) + b"\n")

    def lines(self, lines: Iterable[Part]) -> None:
        """Write what `verbatim` would line by line, many in one go."""
        if self.is_terminal:
            for line in lines:
                self.line(line)
            return
        from itertools import islice

        colour, rest = self._stdout_colour, iter(lines)
        while some := [unescaped(line, colour=colour) for line in islice(rest, TOGETHER)]:
            some.append(b"")
            self.raw(b"\n".join(some))

    def text(self, value: str | bytes) -> None:
        """Write lines of text, escaped; the last one need not end in LF."""
        text = value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
        for line in text.removesuffix("\n").split("\n"):
            self.line(line)

    def record(self, record: Record) -> None:
        """Write one JSON object on one line, in ASCII; see `oxy.cli.records` for bytes."""
        from oxy.cli.records import encode

        self.raw(encode(record))

    def raw(self, data: bytes) -> None:
        """Write bytes as they are, such as the content of a file that was asked for.

        Raises:
            OutputClosedError: the reader of a pipe is gone.
            OSError: it cannot be written, as on a full disk.
        """
        if self._watcher is not None:
            self._watcher.clear()
        if self._stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        try:
            self._stdout.write(data)
        except OSError as error:
            self._give_up(self._stdout, error)

    def flush(self) -> None:
        """Hand over what is buffered.

        Raises:
            OutputClosedError: the reader of a pipe is gone.
            OSError: it cannot be written, as on a full disk.
        """
        if self._watcher is not None:
            self._watcher.clear()
        if self._stdout is None:
            return
        try:
            self._stdout.flush()
        except OSError as error:
            self._give_up(self._stdout, error)

    def warning(self, *parts: str | bytes) -> None:
        """Write a line that begins with `warning: ` to standard error."""
        self.note(Styled("warning", "warning: "), *parts)

    def note(self, *parts: Part) -> None:
        """Write a line of text to standard error, after what was written before."""
        self.flush()
        if self._stderr is None:
            return
        stream: BinaryIO | Pager = self._stderr
        if self._pager is not None and self._pager.has_begun and self._stderr.isatty():
            # The pager has the terminal.
            stream = self._pager
        try:
            stream.write(rendered(parts, colour=self._stderr_colour))
            stream.flush()
        except OSError:
            abandon(stream)

    def progress(self) -> Progress:
        """Return the one that shows progress on a terminal after a second, else nowhere.

        What a program between two machines says meanwhile is told as it comes.
        """
        from oxy.cli.watching import Silent
        from oxy.hearing import listen

        listen(self._hear)
        return self.watcher() or Silent()

    def _hear(self, line: str) -> None:
        """Tell a line that another thread hears: nothing but standard error is touched."""
        if self._stderr is None:
            return
        if self._watcher is not None:
            self._watcher.clear()
        try:
            self._stderr.write(rendered(("there: ", line), colour=self._stderr_colour))
            self._stderr.flush()
        except OSError:
            abandon(self._stderr)

    def watcher(self) -> Progress | None:
        """Return the one that shows progress on a terminal after a second; None elsewhere."""
        if self._stderr is None or not self._stderr.isatty():
            return None
        from oxy.cli.watching import Watcher

        self._watcher = Watcher(self._stderr)
        return self._watcher

    @staticmethod
    def _give_up(stream: BinaryIO | Pager, error: OSError) -> None:
        abandon(stream)
        if error.errno == errno.EPIPE:
            raise OutputClosedError from error
        raise error


def standard() -> Output:
    """Return the output of this process; a stream that was closed at its start is absent."""
    return Output(
        sys.stdout.buffer if sys.stdout else None, sys.stderr.buffer if sys.stderr else None
    )
