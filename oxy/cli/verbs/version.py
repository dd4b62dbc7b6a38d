"""`oxy version`: which oxy this is (spec: command-line)."""

from __future__ import annotations

from oxy import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = "Print the version of oxy."
    parser.epilog = "example:\n  oxy version --json"


def bare(out: Output) -> None:
    """Print the version without a parser: the shortest way through oxy."""
    if out.as_json:
        from oxy.model.digest import backend

        out.record({"version": __version__, "digests": backend()})
    else:
        out.line("oxy ", __version__)


def run(_args: Namespace, out: Output) -> None:
    """Print the version."""
    bare(out)
