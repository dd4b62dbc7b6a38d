"""`oxy git colocate`: keep in step with Git's repository here, or no longer (spec: GB65)."""

from __future__ import annotations

import os

from oxy.cli.clock import stamp
from oxy.repo.place import find
from oxy_git.beside.glance import git_directory
from oxy_git.beside.keeping import NoCheckoutError, end, is_noted, keep, note
from oxy_git.verb.beginning import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Keep this repository in step with the one of Git in the same directory: what oxy\n"
        "records is there as commits, and what git commits, switches to or fetches, oxy takes\n"
        "in, before and after each command. --off ends that, and leaves both as they are."
    )
    parser.add_argument("--off", action="store_true", help="do so no longer")
    parser.epilog = (
        "example:\n  oxy git colocate\n\n"
        "exit codes:\n  0 fine   2 a Git repository that cannot be imported\n"
        "  3 no Git repository is here, or git failed"
    )


def run(args: Namespace, out: Output) -> None:
    """Begin or end it."""
    root = find(os.getcwdb())
    if args.off:
        was = is_noted(root)
        end(root)
        if out.as_json:
            out.record({"path": root, "colocated": False})
        else:
            out.line("both sides go their own ways now" if was else "they did already")
        return
    if git_directory(root) is None:
        raise NoCheckoutError(root)
    note(root)
    kept = keep(root, lambda: stamp("git colocate"), out.progress())
    for parts in kept.said:
        out.note(*parts)
    tell(out, root, kept, "in step with Git in ")
