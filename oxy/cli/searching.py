"""How far a search for a change is, shown to people and as JSON (spec: command-line, L19)."""

from __future__ import annotations

import os

from oxy.actions.bisect import answer
from oxy.cli.changes import summary_of, write_entry
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.bisect import Search
    from oxy.cli.output import Output


def configure_answer(parser: ArgumentParser, what: str, each: str, why: str) -> None:
    """Declare the arguments of an answer.

    Args:
        parser: of the verb.
        what: the verb.
        each: what is named: STATE or CHANGE.
        why: what it says of them.
    """
    parser.description = f"Say that {why}, and go to the state that is to be tested next."
    parser.add_argument(
        "named", nargs="*", metavar=each, help="which (what the files were made from)"
    )
    parser.epilog = (
        f"example:\n  oxy bisect {what}\n\n"
        "exit codes:\n  0 fine\n"
        "  2 no search, no such state, no change can be it, or a file is in the way\n"
        "  3 no repository"
    )


def take(args: Namespace, out: Output, verdict: bytes) -> None:
    """Take an answer, and tell how far the search is."""
    with working_copy(os.getcwdb()) as copy:
        search = answer(copy, verdict, [os.fsencode(each) for each in args.named])
    write(out, search)


def write(out: Output, search: Search) -> None:
    """Tell how far a search is."""
    if out.as_json:
        write_record(out, search)
    elif search.missing is not None:
        out.line("waiting for a ", search.missing, " state")
    elif search.testing is not None:
        steps = (search.left - 1).bit_length()
        left = f"{search.left} changes left, {steps} {'test' if steps == 1 else 'tests'}; now "
        out.line(left, *summary_of(search.testing))
    elif search.found is not None:
        out.line("this made it bad:")
        write_entry(out, search.found)
    else:
        out.line(f"one of {search.left} changes made it bad; what would tell was skipped:")
        for entry in search.undecided:
            out.line(*summary_of(entry))


def write_record(out: Output, search: Search) -> None:
    """Tell it as JSON."""
    out.record(
        {
            "missing": search.missing,
            "left": search.left,
            "testing": None if search.testing is None else search.testing.id.hex(),
            "found": None if search.found is None else search.found.id.hex(),
            "undecided": [entry.id.hex() for entry in search.undecided],
            "written": search.went.written,
            "removed": search.went.removed,
        }
    )
