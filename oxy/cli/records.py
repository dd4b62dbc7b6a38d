r"""JSON of the values that commands report (spec: command-line, JSON).

JSON is text; names and lines are bytes. The rule: where what is under a key `K` is UTF-8, `K`
is that text. Where it is not, `K` is the text with U+FFFD for each bad byte, to look at, and
the key `K_bytes` that follows has all the bytes in hexadecimal, to use. All that is not ASCII
is written as `\u` escapes, so a terminal shows any of it safely.
"""

import json  # noqa: TID253 - what it is made of; loaded for that
from collections.abc import Mapping, Sequence
from oxy.typed import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
# Bytes stand under a key only, so that there is a key to tell of them: a list has objects.
Record: TypeAlias = Mapping[str, "Scalar | bytes | Record | Sequence[Scalar | Record]"]
Json: TypeAlias = "Scalar | list[Json] | dict[str, Json]"


def plain(record: Record) -> dict[str, Json]:
    """Return the record as JSON has it, the rule for bytes applied at every depth."""
    made: dict[str, Json] = {}
    for key, value in record.items():
        if isinstance(value, str | bytes):
            made |= text(key, value)
        elif isinstance(value, Mapping):
            made[key] = plain(value)
        elif isinstance(value, Sequence):
            made[key] = [plain(item) if isinstance(item, Mapping) else item for item in value]
        else:
            made[key] = value
    return made


def text(key: str, value: str | bytes) -> dict[str, Json]:
    """Return one or two keys for text that may not be UTF-8."""
    data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    try:
        return {key: data.decode()}
    except UnicodeDecodeError:
        return {key: data.decode("utf-8", "replace"), f"{key}_bytes": data.hex()}


def encode(record: Record) -> bytes:
    """Return one JSON object as a line of ASCII."""
    return json.dumps(plain(record), allow_nan=False).encode() + b"\n"
