"""`oxy serve`: let somebody elsewhere pull from and push to this (spec: command-line, SY16)."""

from __future__ import annotations

import os

from oxy.actions.serve import serve
from oxy.cli.failure import STATE, exit_code
from oxy.cli.front import UsageError
from oxy.errors import OxyError
from oxy.sync.errors import LostError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Answer one oxy elsewhere over standard input and output. It is what clone, pull and\n"
        "push run there through ssh; whoever may run it may read and push to the repository."
    )
    parser.add_argument("directory", nargs="?", metavar="DIR", help="the repository (here)")
    parser.add_argument(
        "--stdio", action="store_true", help="over standard input and output; must be given"
    )
    parser.epilog = (
        "example:\n  ssh there oxy serve --stdio work/project\n\n"
        "exit codes:\n  0 the other side has ended   2 it asked for what is not here\n"
        "  3 no repository, or the connection was lost   4 what came breaks a rule"
    )


def run(args: Namespace, out: Output) -> int:
    """Serve."""
    if not args.stdio:
        message = "serve needs --stdio"
        raise UsageError(message, "serve")
    root = os.getcwdb() if args.directory is None else os.fsencode(args.directory)
    # Nothing else that writes to standard output may get between the packets.
    wire = os.dup(1)
    os.dup2(2, 1)
    try:
        serve(os.path.realpath(root), 0, wire, out.progress())
    except LostError:
        # Nobody is there any more who could be told.
        return STATE
    except OxyError as error:
        # It has been told to the other side, which would hear it from here once more.
        if os.isatty(2):
            raise
        return exit_code(error)
    finally:
        os.set_blocking(wire, True)
        os.dup2(wire, 1)
        os.close(wire)
    return 0
