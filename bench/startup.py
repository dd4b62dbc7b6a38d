"""What does a command cost before it does its work, against a bare start of the interpreter?

Bounds: `oxy version` at most 2 times a bare start, any other command at most 3.5 times. Does
not show: the work.
"""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Final

from bench.measuring.asked import Found, asked, conclude, parser, question_of, recorded
from bench.measuring.figures import alternating, figure
from bench.measuring.process import OXY, timed, watched
from bench.measuring.record import OURS, Row

BARE: Final = "bare python"
START: Final = (sys.executable, "-I", "-c", "pass")
COMMANDS: Final[dict[str, tuple[Sequence[str], float]]] = {
    "version": ([*OXY, "version"], 2.0),
    "version -h": ([*OXY, "version", "-h"], 3.5),
    "--json version": ([*OXY, "--json", "version"], 3.5),
}
"""Commands with next to no work, and their bounds in bare starts."""


def main() -> None:
    """Run the commands in turn, and print medians."""
    names = tuple(COMMANDS)
    said = asked(parser(__doc__, size=0, counts="nothing", iters=40, names=names).parse_args())

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

    conclude(recorded("startup", question_of(__doc__), said.place, measure), said.json)


if __name__ == "__main__":
    main()
