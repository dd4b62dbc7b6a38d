"""Changes shown to people, and as JSON (spec: command-line, L18, L19)."""

from __future__ import annotations

from oxy.cli.dates import readable, rfc3339
from oxy.cli.output import Styled, rendered
from oxy.model.change import subject
from oxy.model.digest import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oxy.actions.log import Entry
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Scalar

GIT_DIGITS = 10
"""Digits of the id of a Git commit that stand beside oxy's on a line."""


def record_of(entry: Entry) -> dict[str, bytes | Scalar | Sequence[Scalar]]:
    """Return a change for JSON. `context` are heads; `absent` is there where some are."""
    header = entry.header
    record: dict[str, bytes | Scalar | Sequence[Scalar]] = {
        "id": entry.id.hex(),
        "author": header.author,
        "date": rfc3339(header.time),
        "message": header.message,
        "context": [name.hex() for name in header.context.heads],
        "deps": [name.hex() for name in header.deps],
    }
    if header.context.absent:
        record["absent"] = [name.hex() for name in header.context.absent]
    if entry.git is not None:
        record["git"] = entry.git.hex()
    if entry.replaces:
        record["replaces"] = [name.hex() for name in entry.replaces]
    if entry.replaced_by:
        record["replaced_by"] = [name.hex() for name in entry.replaced_by]
    return record


def lines_of(
    entry: Entry, names: Sequence[bytes] = (), more: Iterable[tuple[Part, ...]] = ()
) -> Iterator[tuple[Part, ...]]:
    """Yield the lines of a change for people, an empty one last.

    Args:
        entry: the change.
        names: what holds it.
        more: lines of facts beside it, shown below its own.
    """
    yield Styled("id", f"change {short(entry.id)}"), *held_by(names)
    if entry.git is not None:
        yield "git:    ", entry.git.hex()
    yield "author: ", Styled("author", entry.header.author)
    yield "date:   ", readable(entry.header.time)
    for what, names_of in (
        ("replaces: ", entry.replaces),
        ("replaced by: ", entry.replaced_by),
    ):
        if names_of:
            yield what, ", ".join(short(name) for name in names_of)
    yield from more
    yield ("",)
    for line in entry.header.message.removesuffix(b"\n").split(b"\n"):
        yield ("    ", line.removesuffix(b"\r")) if line else ("",)
    yield ("",)


def piece_of(entry: Entry, names: Sequence[bytes] = ()) -> bytes:
    """Return what `lines_of` yields in one piece, unpainted.

    Cost: a few microseconds where nothing must be escaped, as in most of a long log.
    """
    header = entry.header
    author, message = header.author, header.message.removesuffix(b"\n")
    if not is_plain(b"".join((author, *names)) if names else author, message):
        return b"".join(rendered(line, colour=False) for line in lines_of(entry, names))
    if b"\n" in message:
        message = b"\n".join(b"    " + line if line else b"" for line in message.split(b"\n"))
    elif message:
        message = b"    " + message
    return b"change %b%b\n%bauthor: %b\ndate:   %b\n%b\n%b\n\n" % (
        entry.id[:6].hex().encode(),
        b" [%b]" % b", ".join(names) if names else b"",
        b"" if entry.git is None else b"git:    %b\n" % entry.git.hex().encode(),
        author,
        readable(header.time).encode(),
        b"".join(_more(entry)) if entry.replaces or entry.replaced_by else b"",
        message,
    )


def is_plain(line: bytes, message: bytes) -> bool:
    """Tell whether a line and a message of several show as they are."""
    own = line + message
    return (
        own.isascii()
        and b"\n" not in line
        and own.translate(None, b"\n\t").decode().isprintable()
    )


def _more(entry: Entry) -> Iterator[bytes]:
    """Yield the lines of what a change replaces and is replaced by."""
    for what, names in ((b"replaces", entry.replaces), (b"replaced by", entry.replaced_by)):
        if names:
            listed = ", ".join(name[:6].hex() for name in names)
            yield b"%b: %b\n" % (what, listed.encode())


def held_by(names: Sequence[bytes]) -> tuple[Part, ...]:
    """Return the names that hold a change, in brackets; nothing where none does."""
    return (" [", b", ".join(names), "]") if names else ()


def summary_of(entry: Entry, names: Sequence[bytes] = ()) -> tuple[Part, ...]:
    """Return a change on one line: its ids and the first line of its message."""
    git = () if entry.git is None else (f" git:{entry.git.hex()[:GIT_DIGITS]}",)
    text = subject(entry.header.message)
    return Styled("id", short(entry.id)), *git, *held_by(names), " ", text


def write_entry(
    out: Output,
    entry: Entry,
    names: Sequence[bytes] = (),
    more: Iterable[tuple[Part, ...]] = (),
) -> None:
    """Write a change for people; see `lines_of`."""
    for line in lines_of(entry, names, more):
        out.line(*line)


def write_count(out: Output, total: int) -> None:
    """Write how many changes there are."""
    if out.as_json:
        out.record({"count": total})
    else:
        out.line(str(total))
