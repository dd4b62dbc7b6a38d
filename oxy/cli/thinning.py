"""What becomes of the files of a sparse working copy, told (spec: command-line, L84)."""

from __future__ import annotations

from oxy.cli.outcome import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

    from oxy.actions.sparse import Thinned
    from oxy.cli.output import Output

CODES = (
    "exit codes:\n  0 fine   2 a pattern that fits nothing, edits in files that would go, or\n"
    "  something where files would come; nothing was done\n"
    "  3 no repository, or it is a Git checkout too"
)


def add_patterns(parser: ArgumentParser) -> None:
    """Declare the patterns."""
    parser.add_argument(
        "patterns",
        nargs="+",
        metavar="PATTERN",
        help="as in .gitignore: name, /path, dir/, *.md, !not-this; the last that fits counts",
    )


def tell(out: Output, done: Thinned) -> None:
    """Tell what came and went."""
    if out.as_json:
        out.record(done._asdict())
        return
    out.line(
        f"{counted(done.written, 'file')} written, {done.removed} removed; "
        f"{done.here} of {done.here + done.away} are here"
    )
