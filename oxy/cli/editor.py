"""A message from the user's editor (spec: command-line, L5, L24).

The editor is what OXY_EDITOR, `ui.editor`, VISUAL or EDITOR says, else `vi`; it is split into
words as a shell would, and no shell runs. The text below the scissors line never becomes part
of the message.
"""

from __future__ import annotations

import os

from oxy.errors import StateError

SCISSORS = b"# ------------------------ >8 ------------------------"
NOTICE = b"""
%b
# The message stands above this line. Nothing below it is recorded.
# An empty message records nothing.
#
"""


class EditorError(StateError):
    """The editor could not be run, or said that it failed."""

    def __init__(self, command: str, why: str, outcome: str) -> None:
        super().__init__(f"editor '{command}' {why}: {outcome}")
        self.command = command
        self.why = why


def edited(control: bytes, told: bytes, first: bytes = b"") -> bytes:
    """Return what the user writes above the scissors line.

    Args:
        control: the `.oxy` directory, where the file lies meanwhile.
        told: what is shown below that line.
        first: what stands above it to begin with.

    Raises:
        EditorError: there is no message, for the editor failed.
    """
    path = os.path.join(control, b"MESSAGE.%d" % os.getpid())
    below = b"".join((b"# " + line).rstrip(b" ") + b"\n" for line in told.splitlines())
    try:
        with open(path, "xb") as file:
            file.write(first + NOTICE % SCISSORS + below)
        run(path)
        with open(path, "rb") as file:
            return message_of(file.read())
    finally:
        if os.path.lexists(path):
            os.unlink(path)


def message_of(text: bytes) -> bytes:
    """Return a message without what follows the scissors line."""
    lines = text.split(b"\n")
    cut = lines.index(SCISSORS) if SCISSORS in lines else len(lines)
    return b"\n".join(line.rstrip() for line in lines[:cut]).strip()


def run(path: bytes, outcome: str = "nothing was recorded") -> None:
    """Run the editor on a file.

    Raises:
        EditorError: it failed; `outcome` says what that leaves behind.
    """
    import shlex
    import subprocess

    command = chosen()
    try:
        words = shlex.split(command)
        code = subprocess.run([*words, path], check=False).returncode
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise EditorError(command, f"cannot be run: {why}", outcome) from error
    if code:
        raise EditorError(command, f"ended with {code}", outcome)


def chosen() -> str:
    """Return the command line of the editor."""
    given = os.environ.get("OXY_EDITOR")
    if given:
        return given
    from oxy.actions.config import text
    from oxy.repo.userfile import ConfigError

    try:
        # A repository's own file may name no program.
        found = text(None, "ui.editor")
    except ConfigError:
        # `oxy config edit` puts such a file right.
        found = None
    return found or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
