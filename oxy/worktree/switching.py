"""The note of a switch that is under way (spec: working-copy, W28).

It is written before the first file is, and removed after the store says that the files are
those of the new state. So where it is found, a switch was interrupted: some files are as the
old state has them and some as the new one has. The same switch again, or one to any other
state, takes both for unedited and ends it.

Local edits that go along are in the note, as they were and as they were to be, so that none is
lost and each is known again wherever the switch was interrupted.

    note:  states in hex, SPACE between, perhaps ` at ` number SPACE time of an operation LF
           | the user's words LF | NUL, msgpack of the journeys
"""

import os
from collections.abc import Callable
from contextlib import suppress
from oxy.typed import Final, NamedTuple, TypeAlias, cast

from oxy.errors import StateError

_NOTE: Final = b"/switching"


_RawSpot: TypeAlias = tuple[bytes, int, int, bytes]
_RawJourneys: TypeAlias = tuple[tuple[bytes, bytes | None, tuple[_RawSpot, ...]], ...]


class SwitchInterruptedError(StateError):
    """A switch was interrupted, so what differs is not what the user edited."""

    def __init__(self, words: bytes) -> None:
        super().__init__(f"a switch to {os.fsdecode(words)} was interrupted")
        self.words = words


class Spot(NamedTuple):
    """Where a file lies, and how it is told from others."""

    path: bytes
    kind: int
    mode: int
    digest: bytes


class Journey(NamedTuple):
    """A local edit that goes along: of the file that the base state has at `path`.

    `spots` are the edited file as it was, and as switches were to write it; there are none
    where it was deleted. `data` are the bytes of the first, None where they are in the store or
    stay where they are.
    """

    path: bytes
    data: bytes | None
    spots: tuple[Spot, ...]


class Note(NamedTuple):
    """Where a switch was going: the state as the manifest names it, and the user's words.

    And whence; where switches were going that were interrupted before it; the local edits
    that it takes along; and, where it leaves the files' own state where it is, the number and
    the time of the operation that ends it.
    """

    state: bytes
    words: bytes
    start: bytes = b""
    earlier: tuple[bytes, ...] = ()
    journeys: tuple[Journey, ...] = ()
    ends: tuple[int, int] | None = None


Happened: TypeAlias = Callable[[int, int], bool]
"""Tells whether there is an operation of a number and a time."""


def read(control: bytes) -> Note | None:
    """Return the note, if there is one."""
    try:
        with open(control + _NOTE, "rb") as file:
            head, _, packed = file.read().partition(b"\0")
        states, _, words = head.partition(b"\n")
        told, _, ends = states.decode("ascii").partition(" at ")
        state, start, *earlier = (bytes.fromhex(name) for name in told.split(" "))
        number, _, when = ends.partition(" ")
        return Note(
            state,
            words.removesuffix(b"\n"),
            start,
            tuple(earlier),
            _unpacked(packed),
            (int(number), int(when)) if ends else None,
        )
    except (FileNotFoundError, ValueError):
        return None


def interrupted(control: bytes, state: bytes, happened: Happened) -> Note | None:
    """Return the note of a switch that was interrupted before the store moved, if one was.

    Args:
        control: the `.oxy` directory.
        state: what the store says that the files are of.
        happened: asks the store for the operation that ends one that changes no state.
    """
    note = read(control)
    if note is None or note.start == state:
        # Going back to where it began changes no state.
        return None if note and note.ends and happened(*note.ends) else note
    return None if note.state == state else note._replace(journeys=())


def _unpacked(packed: bytes) -> tuple[Journey, ...]:
    if not packed:
        return ()
    import msgpack

    from oxy.codec.form import byte_string, either, integer, many, nil, row

    spot = row(byte_string, integer, integer, byte_string)
    is_note = many(row(byte_string, either(byte_string, nil), many(spot)))
    held: object = msgpack.unpackb(packed, use_list=False)
    if not is_note(held):
        raise ValueError(held)
    return tuple(
        Journey(path, data, tuple(Spot(*spot) for spot in spots))
        for path, data, spots in cast("_RawJourneys", held)
    )


def _packed(journeys: tuple[Journey, ...]) -> bytes:
    if not journeys:
        return b""
    import msgpack

    packed: bytes = msgpack.packb(journeys)
    return b"\0" + packed


def write(control: bytes, note: Note) -> None:
    """Write the note, so that it is there after a crash of the machine too."""
    from oxy.repo import durable

    states = " ".join(state.hex() for state in (note.state, note.start, *note.earlier))
    ends = f" at {note.ends[0]} {note.ends[1]}" if note.ends else ""
    head = b"%s\n%s\n" % ((states + ends).encode(), note.words)
    durable.put(control + _NOTE, head + _packed(note.journeys))


def clear(control: bytes) -> None:
    """Remove the note."""
    with suppress(FileNotFoundError):
        os.unlink(control + _NOTE)


def refuse_interrupted(control: bytes, state: bytes, happened: Happened) -> None:
    """Refuse to go on where a switch was interrupted before the store moved to its state.

    The note of one that was interrupted after that says nothing any more, and is removed.

    Raises:
        SwitchInterruptedError: one was.
    """
    note = interrupted(control, state, happened)
    if note is not None:
        raise SwitchInterruptedError(note.words)
    clear(control)
