"""A Git commit as it is written (spec: git-bridge, GB7 to GB10). Pure.

Headers in public repositories are odd in every way, so nothing here fails: what cannot be read
becomes the nearest thing that a change can hold, and the raw bytes are kept elsewhere.
"""

import codecs
import re
from typing import Final, NamedTuple

from oxy.codec.limits import AUTHOR, MESSAGE
from oxy.model.change import Moment

_PERSON: Final = re.compile(rb"(.*?) ?(-?\d+) ([+-]\d+)$", re.DOTALL)
_UNFIT: Final = bytes.maketrans(b"\r\n\0", b"   ")
_TIME: Final = (1 << 63) - 1
_OFFSET: Final = (1 << 31) - 1
_BEGINNING: Final = 64 << 10
_MICRO: Final = 1_000_000


class Commit(NamedTuple):
    """What a raw commit says; `head` is everything before the message."""

    tree: bytes
    parents: tuple[bytes, ...]
    author: bytes
    time: Moment
    head: bytes
    message: bytes
    raw_message: bytes


def parse(raw: bytes) -> Commit:
    """Return what a commit object says."""
    head, blank, message = raw.partition(b"\n\n")
    head += blank
    fields: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key:
            fields.setdefault(key, []).append(value)
    author, time = person(fields.get(b"author", [b""])[0])
    encoding = fields.get(b"encoding", [b""])[0]
    return Commit(
        bytes.fromhex(fields[b"tree"][0].decode("ascii")),
        tuple(bytes.fromhex(value.decode("ascii")) for value in fields.get(b"parent", ())),
        author,
        time,
        head,
        _shown(readable(message, encoding)),
        message,
    )


def person(line: bytes) -> tuple[bytes, Moment]:
    """Return the name and the time of an author line, as near as a change can hold them."""
    found = _PERSON.match(line)
    if found is None:
        return line.translate(_UNFIT)[:AUTHOR], Moment(0, 0)
    name, seconds, zone = found.groups()
    micro = max(-_TIME - 1, min(_TIME, int(seconds) * _MICRO))
    return name.translate(_UNFIT)[:AUTHOR], Moment(micro, _minutes(zone))


def _minutes(zone: bytes) -> int:
    digits = int(zone[1:])
    minutes = min(digits // 100 * 60 + digits % 100, _OFFSET)
    return -minutes if zone.startswith(b"-") else minutes


def _shown(message: bytes) -> bytes:
    """Return a message that a change can hold; of one that is too long the beginning."""
    return message if len(message) <= MESSAGE else message[:_BEGINNING]


def readable(message: bytes, encoding: bytes) -> bytes:
    """Return a message as UTF-8 where its encoding can be known, else as it is."""
    if not encoding:
        return message
    try:
        name = codecs.lookup(encoding.decode("ascii")).name
        return message if name == "utf-8" else message.decode(name).encode()
    except (LookupError, UnicodeError, ValueError):
        return message
