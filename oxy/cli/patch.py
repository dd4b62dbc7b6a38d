"""Patches shown to people, and as JSON (spec: command-line)."""

from __future__ import annotations

from oxy.actions.patch import body, heading, lines_of, parts
from oxy.cli.output import Styled
from oxy.phase import phase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from oxy.actions.patch import FileDiff
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Record


def write_patch(out: Output, diffs: Iterable[FileDiff]) -> None:
    """Write differences as one patch: what programs take, escaped on a terminal only."""
    for diff in diffs:
        for part in parts(diff):
            for line in heading(part):
                out.verbatim(Styled("heading", line))
            with phase("diff"):
                hunks = body(part)
            for hunk in hunks:
                out.verbatim(Styled("author", hunk.header()))
                for line in hunk.lines:
                    out.verbatim(painted(line))


def painted(line: bytes) -> Part:
    """Return one line of a hunk in its style."""
    if line.startswith(b"+"):
        return Styled("added", line)
    return Styled("removed", line) if line.startswith(b"-") else line


def kind_of(diff: FileDiff) -> str:
    """Return the word for what happened to a file."""
    if diff.old_path is None:
        return "added"
    if diff.new_path is None:
        return "deleted"
    return "modified" if diff.old_path == diff.new_path else "renamed"


def record_of(diff: FileDiff) -> Record:
    """Return a difference for JSON: its path, kind, modes, and its patch as one text."""
    record: dict[str, str | bytes | bool | None] = {
        "path": diff.new_path or diff.old_path or b"",
        "kind": kind_of(diff),
        "old_mode": _octal(diff.old_mode),
        "new_mode": _octal(diff.new_mode),
        "binary": diff.binary,
        "patch": b"".join(line + b"\n" for line in lines_of(diff)),
    }
    if record["kind"] == "renamed":
        record["from"] = diff.old_path
    return record


def _octal(mode: int | None) -> str | None:
    return None if mode is None else f"{mode:06o}"
