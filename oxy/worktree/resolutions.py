"""The note of what was chosen where values are in conflict (spec: conflicts, C28).

A choice that is what the file shows already leaves no trace in the file, so it is noted here
until the next commit of the file records it. The note is of one state: in another it says
nothing.
"""

from collections.abc import Iterable
from oxy.typed import Final, TypeAlias, cast

import msgpack

from oxy.codec.form import byte_string, integer, many, row
from oxy.repo import durable

_NOTE: Final = b"/resolutions"

Choices: TypeAlias = frozenset[tuple[bytes, int]]
"""(id of a node, register): what stands in the working copy is what the register is to be."""

_Held: TypeAlias = tuple[bytes, tuple[tuple[bytes, int], ...]]
_FORM: Final = row(byte_string, many(row(byte_string, integer)))

NOTHING: Final[Choices] = frozenset()


def read(control: bytes, state: bytes) -> Choices:
    """Return what was chosen.

    Args:
        control: the `.oxy` directory.
        state: the base state as the manifest names it.
    """
    try:
        with open(control + _NOTE, "rb") as file:
            raw: object = msgpack.unpackb(file.read(), use_list=False)
    except (FileNotFoundError, ValueError):
        return NOTHING
    if not _FORM(raw):
        return NOTHING
    held, choices = cast("_Held", raw)
    return frozenset(choices) if held == state else NOTHING


def write(control: bytes, state: bytes, choices: Iterable[tuple[bytes, int]]) -> None:
    """Note what was chosen in a state, in place of all that was."""
    held = sorted(choices)
    if not held:
        durable.remove(control + _NOTE)
        return
    durable.put(control + _NOTE, msgpack.packb((state, held)))
