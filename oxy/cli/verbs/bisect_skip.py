"""`oxy bisect skip`: say that a state cannot be tested (spec: command-line, states S39)."""

from __future__ import annotations

from oxy.actions.bisect import SKIP
from oxy.cli.searching import configure_answer, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    configure_answer(parser, "skip", "CHANGE", "the states of changes cannot be tested")


def run(args: Namespace, out: Output) -> None:
    """Take the answer."""
    take(args, out, SKIP)
