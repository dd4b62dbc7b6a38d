"""What an annotated tag says, made here or in Git (spec: states, S18, S57)."""

from oxy.typed import Final, NamedTuple

from oxy.model.change import Moment
from oxy.repo.origin import TAG_OBJECT

MESSAGE: Final = b"oxy:message"
TAGGER: Final = b"oxy:tagger"
TIME: Final = b"oxy:time"
"""Microseconds since the epoch, a space, and the offset from UTC in minutes."""

_DIGITS: Final = 18
_ZONE: Final = len(b"+0000")


class Annotation(NamedTuple):
    """The message of a tag; who tagged and when, if that is known."""

    message: bytes
    tagger: bytes | None = None
    time: Moment | None = None


def pack(annotation: Annotation) -> tuple[tuple[bytes, bytes], ...]:
    """Return the fields of a tag."""
    fields = [(MESSAGE, annotation.message)]
    if annotation.tagger is not None:
        fields.append((TAGGER, annotation.tagger))
    if annotation.time is not None:
        fields.append((TIME, b"%d %d" % annotation.time))
    return tuple(fields)


def unpack(fields: tuple[tuple[bytes, bytes], ...]) -> Annotation | None:
    """Return what the fields of a tag say, or None if it has no annotation.

    Fields come from elsewhere too: what is no time is none.
    """
    held = dict(fields)
    raw = held.get(TAG_OBJECT)
    if MESSAGE in held:
        return Annotation(held[MESSAGE], held.get(TAGGER), _time(held.get(TIME, b"")))
    return None if raw is None else _of_git(raw)


def _time(text: bytes) -> Moment | None:
    seconds, _, offset = text.partition(b" ")
    if not _is_number(seconds) or not _is_number(offset):
        return None
    return Moment(int(seconds), int(offset))


def _of_git(raw: bytes) -> Annotation:
    head, _, message = raw.partition(b"\n\n")
    for line in head.split(b"\n"):
        if line.startswith(b"tagger "):
            who, _, when = line.removeprefix(b"tagger ").rpartition(b"> ")
            return Annotation(message, who + b">", _git_time(when))
    return Annotation(message)


def _git_time(text: bytes) -> Moment | None:
    seconds, _, zone = text.partition(b" ")
    if not _is_number(seconds) or len(zone) != _ZONE or not zone[1:].isdigit():
        return None
    offset = int(zone[1:3]) * 60 + int(zone[3:])
    return Moment(int(seconds) * 1_000_000, -offset if zone[:1] == b"-" else offset)


def _is_number(text: bytes) -> bool:
    return text.removeprefix(b"-").isdigit() and len(text) <= _DIGITS
