"""What a command did to a state, shown to people and as JSON (spec: command-line, L19, L20)."""

from __future__ import annotations

from oxy.cli.conflicts import line_of as conflict_line
from oxy.cli.listing import LETTERS
from oxy.cli.output import Styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oxy.actions.joining import Joined
    from oxy.actions.outcome import Author, Conflict, FileChange, Outcome
    from oxy.cli.listing import Shower
    from oxy.cli.output import Output, Part
    from oxy.cli.records import Record, Scalar

FILES = 50
"""Most files that are named; JSON names all of them."""

AUTHORS = 5
"""Most authors that a line names."""


def write(
    out: Output, shower: Shower, did: tuple[str, str], joined: Joined, preposition: str
) -> None:
    """Write what was done, or would be: the changes, the files, the conflicts.

    Args:
        out: where to.
        shower: shows paths.
        did: the verb as what was done, and as what would be.
        joined: what there is to tell.
        preposition: what stands between the verb and the bookmark, if anything does.
    """
    verb = did[0] if joined.went else f"would {did[1]}"
    found = joined.outcome
    where: tuple[Part, ...] = ()
    if joined.bookmark is not None:
        between = f" {preposition} " if preposition else " "
        where = between, Styled("heading", joined.bookmark)
    out.line(verb, *where, ": ", counted(found.came or found.went), *by(found.authors))
    write_files(out, shower, joined)


def write_files(out: Output, shower: Shower, joined: Joined) -> None:
    """Write a line for each file that differs, up to `FILES`; and for each in conflict."""
    found = joined.outcome
    for file in found.files[:FILES]:
        out.line(*line_of(shower, file))
    if len(found.files) > FILES:
        out.line(f"and {len(found.files) - FILES} more files")
    write_conflicts(out, shower, found.conflicts, are_here=joined.went is not None)
    if joined.in_the_way:
        named = b", ".join(shower.path(path) for path in joined.in_the_way)
        out.warning("edited or untracked files are in the way: ", named)


def write_conflicts(
    out: Output, shower: Shower, conflicts: Sequence[Conflict], *, are_here: bool
) -> None:
    """Write a line for each file that is in conflict, and what to do if the files show them."""
    for conflict in conflicts:
        out.line(*conflict_line(conflict.path, conflict.kinds, shower))
    if conflicts and are_here:
        out.note("hint: `oxy resolve` settles conflicts; they hold nobody up")


def counted(number: int, one: str = "change", many: str = "") -> str:
    """Return a number of things in words; `many` is `one` with an s where it is not given."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def by(authors: Sequence[Author]) -> tuple[Part, ...]:
    """Return by whom changes are; with how many are whose where there are several."""
    parts: list[Part] = []
    for author in authors[:AUTHORS]:
        name = author.name.partition(b" <")[0]
        count = f" ({author.changes})" if len(authors) > 1 else ""
        parts += [" by " if not parts else ", ", Styled("author", name), count]
    if len(authors) > AUTHORS:
        parts.append(f" and {len(authors) - AUTHORS} more")
    return tuple(parts)


def line_of(shower: Shower, file: FileChange) -> tuple[Part, ...]:
    """Return one line for a file that differs: a letter and the path."""
    letter, style = LETTERS[file.kind]
    path = shower.path(file.path)
    if file.source is None:
        return Styled(style, letter), " ", path
    return Styled(style, letter), " ", shower.path(file.source), " -> ", path


def record_of(
    shower: Shower, joined: Joined
) -> dict[str, bytes | Scalar | Sequence[Scalar | Record]]:
    """Return it for JSON; `written` and `removed` are there where something was done.

    `in_the_way` is there where something is, and it was only asked.
    """
    record = record_of_outcome(shower, joined.outcome)
    record["bookmark"] = joined.bookmark
    record["done"] = joined.went is not None
    if joined.in_the_way:
        record["in_the_way"] = [{"path": shower.path(path)} for path in joined.in_the_way]
    if joined.went is not None:
        record["written"], record["removed"] = joined.went
    return record


def record_of_outcome(
    shower: Shower, found: Outcome
) -> dict[str, bytes | Scalar | Sequence[Scalar | Record]]:
    """Return what differs between two states for JSON."""
    return {
        "came": found.came,
        "went": found.went,
        "authors": [{"author": name, "changes": count} for name, count in found.authors],
        "files": [file_record(shower, file) for file in found.files],
        "conflicts": conflict_records(shower, found.conflicts),
    }


def conflict_records(shower: Shower, conflicts: Sequence[Conflict]) -> list[Record]:
    """Return files in conflict for JSON."""
    return [{"path": shower.path(path), "kinds": list(kinds)} for path, kinds in conflicts]


def file_record(shower: Shower, file: FileChange) -> Mapping[str, bytes | str]:
    """Return a file that differs for JSON."""
    record: dict[str, bytes | str] = {"path": shower.path(file.path), "kind": file.kind}
    if file.source is not None:
        record["from"] = shower.path(file.source)
    return record
