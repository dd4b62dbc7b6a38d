"""Asking whether to record what looks generated (spec: working-copy, W42)."""

from __future__ import annotations

import sys

from oxy.cli.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from oxy.actions.commit import Confirm
    from oxy.cli.output import Output
    from oxy.worktree.generated import Generated

SHOWN = 10
"""Most kinds that are shown before the question."""


def add_confirmation(parser: ArgumentParser) -> None:
    """Declare the argument that answers beforehand."""
    parser.add_argument(
        "--all-files",
        action="store_true",
        help="record what looks generated in a first change too, without asking",
    )


def confirmation_of(args: Namespace, out: Output) -> Confirm | None:
    """Return what answers whether to record it; None where nobody can be asked."""
    if args.all_files:
        return lambda _: True
    if out.as_json or sys.stdin is None or not sys.stdin.isatty():
        return None
    return lambda found: asked(out, found)


def asked(out: Output, found: Sequence[Generated]) -> bool:
    """Show what looks generated, and ask; the end of the input is no."""
    for what, count in found[:SHOWN]:
        out.line("looks generated: ", what, f"  {count} files")
    if len(found) > SHOWN:
        out.line(f"and {len(found) - SHOWN} more")
    files = sum(each.files for each in found)
    out.raw(escape(f"nothing ignores these {files} files; record them [y,N]? ").encode())
    out.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
