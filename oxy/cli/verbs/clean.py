"""`oxy clean`: remove files that nobody tracks (spec: command-line; working-copy, W39)."""

from __future__ import annotations

import os

from oxy.actions.clean import clean
from oxy.cli.given import add_paths, paths_of
from oxy.cli.listing import Shower
from oxy.cli.output import Styled
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.clean import Cleaned
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Remove new files, which no state holds. They are recorded first, so `oxy undo`\n"
        "brings them back; what is ignored is recorded too, which makes `.oxy` grow by it."
    )
    add_paths(parser, "remove those here only")
    parser.add_argument(
        "--ignored",
        action="store_true",
        help="also what is ignored, and what `oxy untrack` was told of",
    )
    parser.add_argument(
        "--dry-run", dest="is_trial", action="store_true", help="say what would be removed"
    )
    parser.epilog = (
        "example:\n  oxy clean --dry-run\n\n"
        "exit codes:\n  0 fine   1 nothing to remove   2 no such path\n"
        "  3 no repository, or a file that changed meanwhile"
    )


def run(args: Namespace, out: Output) -> int:
    """Remove them."""
    with working_copy(os.getcwdb()) as copy:
        paths = paths_of(args, copy, tells=args.ignored)
        done = clean(copy, paths, ignored=args.ignored, dry_run=args.is_trial)
        tell(out, Shower(copy.root), done, is_trial=args.is_trial)
    return int(not (done.changes or done.leftovers))


def tell(out: Output, shower: Shower, done: Cleaned, *, is_trial: bool) -> None:
    """Tell what was removed."""
    paths = [shower.path(change.path) for change in done.changes]
    leftovers = [shower.path(path) for path in done.leftovers]
    if out.as_json:
        out.record(
            {
                "done": not is_trial,
                "removed": [{"path": path} for path in paths],
                "leftovers": [{"path": path} for path in leftovers],
            }
        )
        return
    did = "would remove " if is_trial else "removed "
    for path in (*paths, *leftovers):
        out.line(Styled("removed", did), path)
    if not paths and not leftovers:
        out.line("nothing to remove")
    elif paths and not is_trial:
        out.note("hint: `oxy undo` brings them back")
