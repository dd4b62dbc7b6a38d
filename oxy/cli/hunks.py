"""Hunks shown to people, in patches, and as JSON (spec: command-line, hunks)."""

from __future__ import annotations

from oxy.actions.hunks import difference_of
from oxy.actions.patch import Manner, binary_lines, body, heading, parts
from oxy.cli.output import Styled
from oxy.cli.patch import painted
from oxy.worktree.hunks import TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.listing import Shower
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Record, Scalar
    from oxy.diff import unified
    from oxy.worktree.hunks import FileHunks, Hunk
    from oxy.worktree.workcopy import WorkingCopy


def line_of(file: FileHunks, hunk: Hunk, shower: Shower) -> tuple[Part, ...]:
    """Return one line for a hunk: its number, the path, and what it is."""
    change = file.change
    path = shower.path(change.path)
    number = Styled("id", str(hunk.number))
    if hunk.kind != TEXT:
        old = () if change.source is None else (shower.path(change.source), " -> ")
        return (number, " ", hunk.kind, " ", *old, path)
    added, removed = counts(file.shown(hunk))
    many = f", {len(hunk.edits)} parts" if len(hunk.edits) > 1 else ""
    at = file.shown(hunk).header()
    return (number, " ", path, " ", at, f" +{added} -{removed}{many}")


def counts(shown: unified.Hunk) -> tuple[int, int]:
    """Return how many lines a hunk adds and removes."""
    added = sum(line.startswith(b"+") for line in shown.lines)
    return added, sum(line.startswith(b"-") for line in shown.lines)


def record_of(file: FileHunks, hunk: Hunk, shower: Shower) -> Record:
    """Return a hunk for JSON."""
    change = file.change
    made: dict[str, Scalar | bytes] = {
        "hunk": hunk.number,
        "path": shower.path(change.path),
        "kind": hunk.kind,
    }
    if change.source is not None:
        made["from"] = shower.path(change.source)
    if hunk.kind == TEXT:
        shown = file.shown(hunk)
        added, removed = counts(shown)
        made |= {
            "old_start": shown.old_start + 1,
            "new_start": shown.new_start + 1,
            "added": added,
            "removed": removed,
            "parts": len(hunk.edits),
            "lines": b"".join(line + b"\n" for line in shown.lines),
        }
    return made


def write_numbered(out: Output, copy: WorkingCopy, file: FileHunks) -> None:
    """Write the difference of a file as a patch that names its hunks.

    What names a hunk that has no lines stands before the file, where a patch may say anything.
    """
    for hunk in file.hunks:
        if hunk.kind != TEXT:
            out.verbatim(Styled("id", f"hunk {hunk.number}: {hunk.kind}"))
    diff = difference_of(copy, file)
    texts = iter([hunk for hunk in file.hunks if hunk.kind == TEXT])
    for part in parts(diff) if diff else ():
        for line in heading(part):
            out.verbatim(Styled("heading", line))
        for line in binary_lines(part, Manner(brief=out.is_terminal)):
            out.verbatim(line)
        for shown in body(part):
            named = next(texts, None)
            note = b" hunk %d" % named.number if named else b""
            write_lines(out, shown, note)


def write_lines(out: Output, shown: unified.Hunk, note: bytes = b"") -> None:
    """Write a hunk as a patch has it, with a note behind its header."""
    out.verbatim(Styled("author", shown.header() + note))
    for line in shown.lines:
        out.verbatim(painted(line))
