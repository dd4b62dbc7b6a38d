"""What does a command cost before it does its work, against a bare start of the interpreter?

Bounds: `oxy version` at most 2 times a bare start, any other command at most 3.5 times. Of a
verb called *loaded* only what stands before the work is run: the command line, the verb's
module with all that it loads, and the reading of its arguments. Does not show: the work.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Final

from bench.measuring.asked import Found, asked, conclude, parser, recorded
from bench.measuring.figures import alternating, figure
from bench.measuring.process import OXY, timed, watched
from bench.measuring.record import OURS, Row
from oxy.cli.commands import COMMANDS as VERBS
from oxy.cli.commands import Table

BARE: Final = "bare python"
START: Final = (sys.executable, "-I", "-c", "pass")
BOUND: Final = 3.5
BEFORE: Final = """
import oxy.cli.main, oxy.cli.reading, {0}
oxy.cli.reading.read({0}.configure, [])
"""


def verbs(rows: Table, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the module of every verb, those in groups too."""
    for name, (module, *_) in rows.items():
        group: Table | None = getattr(import_module(module), "COMMANDS", None)
        if group is None:
            yield f"{above}{name}", module
        else:
            yield from verbs(group, f"{name} ")


COMMANDS: Final[dict[str, tuple[Sequence[str], float]]] = {
    "version": ([*OXY, "version"], 2.0),
    "version -h": ([*OXY, "version", "-h"], BOUND),
    "--json version": ([*OXY, "--json", "version"], BOUND),
    **{
        f"{name}, loaded": ([sys.executable, "-c", BEFORE.format(module)], BOUND)
        for name, module in verbs(VERBS)
    },
}
"""Commands with next to no work, or without it, and their bounds in bare starts."""


def main() -> None:
    """Run the commands in turn, and print medians."""
    names = tuple(COMMANDS)
    said = asked(parser(__doc__, size=0, counts="nothing", iters=15, names=names).parse_args())

    def measure(top: str) -> Found:
        wanted = [name for name in names if said.wants(name)]
        commands = {BARE: START} | {name: COMMANDS[name][0] for name in wanted}
        peaks = {name: watched(words, top).peak for name, words in commands.items()}
        arms = {name: partial(timed, words, top) for name, words in commands.items()}
        taken = alternating(arms, said.iters)
        figures = {name: figure(samples, peaks[name]) for name, samples in taken.items()}
        return Found(
            [
                Row(
                    name,
                    "",
                    {},
                    {OURS: figures[name], BARE: figures[BARE]},
                    against=BARE,
                    bound=COMMANDS[name][1],
                )
                for name in wanted
            ]
        )

    conclude(recorded("startup", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
