"""`oxy bisect good`: say that a state is good (spec: command-line, states S39)."""

from __future__ import annotations

from oxy.actions.bisect import GOOD
from oxy.cli.searching import configure_answer, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    configure_answer(parser, "good", "STATE", "states are good")


def run(args: Namespace, out: Output) -> None:
    """Take the answer."""
    take(args, out, GOOD)
