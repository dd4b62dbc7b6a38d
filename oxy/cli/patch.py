"""Patches shown to people, and as JSON (spec: command-line)."""

from __future__ import annotations

from oxy.actions.diffstat import stat_of
from oxy.actions.patch import PLAIN, binary_lines, body, heading, lines_of, parts
from oxy.cli.output import Styled
from oxy.phase import phase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from oxy.actions.patch import FileDiff, Manner
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Record, Scalar


def write_patch(out: Output, diffs: Iterable[FileDiff], manner: Manner = PLAIN) -> None:
    """Write differences as one patch: what programs take, escaped on a terminal only."""
    if not out.is_coloured:
        for diff in diffs:
            out.lines(_plain(diff, manner))
        return
    # Loaded where words may stand out only.
    from oxy.cli.words import write_lines

    _write(out, diffs, manner, write_lines)


def write_words(out: Output, diffs: Iterable[FileDiff], manner: Manner = PLAIN) -> None:
    """Write differences with changed words inside their lines, which is no patch."""
    from oxy.cli.words import write_words as write

    _write(out, diffs, manner, write)


def _write(
    out: Output,
    diffs: Iterable[FileDiff],
    manner: Manner,
    write: Callable[[Output, Sequence[bytes]], None],
) -> None:
    for diff in diffs:
        for part in parts(diff):
            for line in heading(part):
                out.verbatim(Styled("heading", line))
            for line in binary_lines(part, manner):
                out.verbatim(line)
            with phase("diff"):
                hunks = body(part, manner)
            for hunk in hunks:
                out.verbatim(Styled("author", hunk.header()))
                write(out, hunk.lines)


def _plain(diff: FileDiff, manner: Manner) -> Iterator[bytes]:
    """Yield the lines of a difference as a patch has them."""
    for part in parts(diff):
        yield from heading(part)
        yield from binary_lines(part, manner)
        with phase("diff"):
            hunks = body(part, manner)
        for hunk in hunks:
            yield hunk.header()
            yield from hunk.lines


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


def record_of(
    diff: FileDiff, manner: Manner = PLAIN
) -> dict[str, bytes | Scalar | Record | Sequence[Scalar | Record]]:
    """Return a difference for JSON: what `brief_record_of` does, its patch and its hunks."""
    hunks: list[Record] = [
        {
            "old_start": hunk.old_start + bool(hunk.old_count),
            "old_lines": hunk.old_count,
            "new_start": hunk.new_start + bool(hunk.new_count),
            "new_lines": hunk.new_count,
            "lines": b"".join(line + b"\n" for line in hunk.lines),
        }
        for part in parts(diff)
        for hunk in body(part, manner)
    ]
    patch = b"".join(line + b"\n" for line in lines_of(diff, manner))
    return {**brief_record_of(diff, manner), "patch": patch, "hunks": hunks}


def brief_record_of(diff: FileDiff, manner: Manner = PLAIN) -> dict[str, bytes | Scalar]:
    """Return what happened to a file for JSON; `added` and `removed` count lines."""
    stat = stat_of(diff, manner)
    record: dict[str, bytes | Scalar] = {
        "path": diff.new_path or diff.old_path or b"",
        "kind": kind_of(diff),
        "old_mode": _octal(diff.old_mode),
        "new_mode": _octal(diff.new_mode),
        "binary": diff.binary,
        "added": None if diff.binary else stat.added,
        "removed": None if diff.binary else stat.removed,
    }
    if record["kind"] == "renamed":
        record["from"] = diff.old_path or b""
    return record


def _octal(mode: int | None) -> str | None:
    return None if mode is None else f"{mode:06o}"
