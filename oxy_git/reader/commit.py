"""A Git commit as it is written (spec: git-bridge, GB7 to GB10). Pure.

Headers in public repositories are odd in every way, so hardly anything fails: what cannot be
read becomes the nearest thing that a change can hold, and the raw bytes are kept elsewhere.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from oxy.codec.limits import AUTHOR, MESSAGE
from oxy.errors import CorruptionError
from oxy.model.change import Moment
from oxy.model.charset import recoded

_ZONE: Final = re.compile(rb"[+-]\d+")
_UNFIT: Final = bytes.maketrans(b"\r\n\0", b"   ")
_TIME: Final = (1 << 63) - 1
_OFFSET: Final = (1 << 31) - 1
_BEGINNING: Final = 64 << 10
_MICRO: Final = 1_000_000
_DIGITS: Final = 24
_OID: Final = 20


class MalformedCommitError(CorruptionError):
    """A commit names its tree or a parent in no way that Git has."""

    def __init__(self) -> None:
        super().__init__("a commit of the Git repository names its tree or a parent by no id")


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
    """Return what a commit object says.

    Raises:
        MalformedCommitError: it names its tree or a parent by no id, which Git reads nowhere.
    """
    head, blank, message = raw.partition(b"\n\n")
    head += blank
    fields: dict[bytes, list[bytes]] = {}
    for line in head.split(b"\n"):
        key, _, value = line.partition(b" ")
        if key:
            fields.setdefault(key, []).append(value)
    trees = fields.get(b"tree", [])[:1]
    author, time = person(fields.get(b"author", [b""])[0])
    encoding = fields.get(b"encoding", [b""])[0]
    return Commit(
        _ids(trees or [b""])[0],
        _ids(fields.get(b"parent", [])),
        author,
        time,
        head,
        _shown(readable(message, encoding)),
        message,
    )


def _ids(values: Sequence[bytes]) -> tuple[bytes, ...]:
    try:
        ids = tuple(bytes.fromhex(value.decode("ascii")) for value in values)
    except ValueError as error:
        raise MalformedCommitError from error
    if any(len(oid) != _OID for oid in ids):
        raise MalformedCommitError
    return ids


def person(line: bytes) -> tuple[bytes, Moment]:
    """Return the name and the time of an author line, as near as a change can hold them.

    Cost: linear; lines are as long as a stranger makes them.
    """
    rest, _, zone = line.rpartition(b" ")
    name = rest.rstrip(b"0123456789")
    seconds = rest[len(name) :]
    if not seconds or not _ZONE.fullmatch(zone):
        return line.translate(_UNFIT)[:AUTHOR], Moment(0, 0)
    if name.endswith(b"-"):
        name, seconds = name[:-1], b"-" + seconds
    name = name.removesuffix(b" ")
    micro = max(-_TIME - 1, min(_TIME, _number(seconds) * _MICRO))
    return name.translate(_UNFIT)[:AUTHOR], Moment(micro, _minutes(zone))


def _number(digits: bytes) -> int:
    """Return a number, or the first digits of one that is beyond any calendar."""
    return int(digits[:_DIGITS])


def _minutes(zone: bytes) -> int:
    digits = _number(zone[1:])
    minutes = min(digits // 100 * 60 + digits % 100, _OFFSET)
    return -minutes if zone.startswith(b"-") else minutes


def _shown(message: bytes) -> bytes:
    """Return a message that a change can hold; of one that is too long the beginning."""
    return message if len(message) <= MESSAGE else message[:_BEGINNING]


def readable(message: bytes, encoding: bytes) -> bytes:
    """Return a message as UTF-8 where its encoding can be known, else as it is."""
    return recoded(message, encoding) if encoding else message
