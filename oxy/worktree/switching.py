"""The note of a switch that is under way (spec: working-copy, W28).

It is written before the first file is, and removed after the store says that the files are
those of the new state. So where it is found, a switch was interrupted: some files are as the
old state has them and some as the new one has. The same switch again, or one to any other
state, takes both for unedited and ends it.
"""

import os
from contextlib import suppress
from typing import Final, NamedTuple

from oxy.errors import StateError

_NOTE: Final = b"/switching"


class SwitchInterruptedError(StateError):
    """A switch was interrupted, so what differs is not what the user edited."""

    def __init__(self, words: bytes) -> None:
        super().__init__(f"a switch to {os.fsdecode(words)} was interrupted")
        self.words = words


class Note(NamedTuple):
    """Where a switch was going: the state as the manifest names it, and the user's words."""

    state: bytes
    words: bytes


def read(control: bytes) -> Note | None:
    """Return the note, if a switch was interrupted."""
    try:
        with open(control + _NOTE, "rb") as file:
            state, _, words = file.read().partition(b"\n")
        return Note(bytes.fromhex(state.decode("ascii")), words.removesuffix(b"\n"))
    except (FileNotFoundError, ValueError):
        return None


def write(control: bytes, note: Note) -> None:
    """Write the note, so that it is there after a crash of the machine too."""
    temporary = b"%s%s.%d" % (control, _NOTE, os.getpid())
    with open(temporary, "wb") as file:
        file.write(note.state.hex().encode() + b"\n" + note.words + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, control + _NOTE)
    fd = os.open(control, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def clear(control: bytes) -> None:
    """Remove the note."""
    with suppress(FileNotFoundError):
        os.unlink(control + _NOTE)


def refuse_interrupted(control: bytes, state: bytes) -> None:
    """Refuse to go on where a switch was interrupted before the store moved to its state.

    The note of one that was interrupted after that says nothing any more, and is removed.

    Raises:
        SwitchInterruptedError: one was.
    """
    note = read(control)
    if note is None:
        return
    if note.state != state:
        raise SwitchInterruptedError(note.words)
    clear(control)
