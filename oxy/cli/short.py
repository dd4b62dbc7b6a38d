"""The short form of `oxy status`: a letter and a path each (spec: command-line, L29)."""

from __future__ import annotations

from oxy.cli.listing import LETTERS
from oxy.cli.output import Styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from oxy.actions.status import Status
    from oxy.cli.listing import Shower
    from oxy.cli.output import Output, Style

LEFT_OUT = "!"
ALONE = {"ignored": "I", "untracked": "U"}


def write_short(out: Output, found: Status, shower: Shower, *, nul: bool) -> None:
    """Write it; with `nul` as programs take it, the old path of a rename after the new one."""
    if found.interrupted is not None:
        out.note("a switch to ", found.interrupted.words, " was interrupted")
    for letter, style, path, source in entries(found, shower):
        if nul:
            out.raw(letter.encode() + b" " + path + b"\0")
            out.raw(b"" if source is None else source + b"\0")
        else:
            way = () if source is None else (source, " -> ")
            out.line(Styled(style, letter), " ", *way, path)


def entries(found: Status, shower: Shower) -> Iterator[tuple[str, Style, bytes, bytes | None]]:
    """Yield letter, style, path and the old path of a rename."""
    for change in found.snapshot.changes:
        source = None if change.source is None else shower.path(change.source)
        yield *LETTERS[change.kind], shower.path(change.path), source
    for conflict in found.conflicts:
        yield "C", "warning", shower.path(conflict.path), None
    for path, _ in shower.left_out(found.snapshot):
        yield LEFT_OUT, "warning", path, None
    for path, kind, _ in found.ignored or ():
        yield ALONE[kind], "id", shower.path(path), None
