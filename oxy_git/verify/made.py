"""Commits and tags that Git did not write, as it would (spec: git-bridge, GB33 to GB35). Pure.

The same change becomes the same commit wherever it is exported: nothing but what is in it, and
what its parents became, is written.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from oxy.model.change import Moment, subject
from oxy.model.digest import short

CHANGE: Final = b"oxy-change"
"""The header of a commit that names the change that it is, in hex."""

STATE: Final = b"oxy-state"
"""The header of a commit that stands for a state: the ids of its heads, in hex."""

_PERSON: Final = re.compile(rb"([^<>]*) <([^<>]*)>")
_UNFIT: Final = re.compile(rb"[<>\n]+")
_MICRO: Final = 1_000_000
_HOUR: Final = 60


class Written(NamedTuple):
    """Who made something and when, and what they wrote about it."""

    author: bytes
    time: Moment
    message: bytes


def person(author: bytes, time: Moment) -> bytes:
    """Return an author and a time as Git has them; what no name can hold is left out."""
    if _PERSON.fullmatch(author) is None:
        author = _UNFIT.sub(b" ", author).strip() + b" <>"
    sign = b"-" if time.offset < 0 else b"+"
    hours, minutes = divmod(abs(time.offset), _HOUR)
    zone = b"%s%02d%02d" % (sign, hours, minutes)
    return b"%s %d %s" % (author, time.microseconds // _MICRO, zone)


def commit_of(tree: bytes, parents: Sequence[bytes], by: Written, origin: bytes) -> bytes:
    """Return a raw commit.

    Args:
        tree: the id of its tree.
        parents: the ids of its parents.
        by: who made it, when and why.
        origin: the header that tells what of oxy it is.
    """
    who = person(by.author, by.time)
    lines = [b"tree " + _hex(tree)]
    lines += [b"parent " + _hex(parent) for parent in parents]
    lines += [b"author " + who, b"committer " + who, origin, b"", by.message]
    raw = b"\n".join(lines).replace(b"\0", b" ")
    return raw if raw.endswith(b"\n") else raw + b"\n"


def of_change(change: bytes) -> bytes:
    """Return the header for a change."""
    return CHANGE + b" " + _hex(change)


def of_state(heads: Sequence[bytes]) -> bytes:
    """Return the header for a state."""
    return STATE + b" " + b" ".join(map(_hex, heads))


def told(heads: Sequence[tuple[bytes, bytes]], folded: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Return the message of a commit that stands for a state.

    Args:
        heads: the newest changes in it, by id and message.
        folded: those that are in no commit of their own.
    """
    lines = [b"Merge " + b", ".join(short(name).encode() for name, _ in heads), b""]
    lines += [_line(*head) for head in heads]
    if folded:
        lines += [b"", b"Changes that are in no commit of their own:", b""]
        lines += [_line(*item) for item in folded]
    return b"\n".join(lines) + b"\n"


def tag_of(commit: bytes, name: bytes, by: Written) -> bytes:
    """Return a raw tag object of a commit."""
    lines = [b"object " + _hex(commit), b"type commit", b"tag " + name]
    lines += [b"tagger " + person(by.author, by.time), b"", by.message]
    raw = b"\n".join(lines)
    return raw if raw.endswith(b"\n") else raw + b"\n"


def _line(name: bytes, message: bytes) -> bytes:
    return b"  " + short(name).encode() + b" " + subject(message)


def _hex(oid: bytes) -> bytes:
    return oid.hex().encode()
