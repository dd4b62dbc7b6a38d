"""Runs benches by name: `python -m bench NAME… [--small] [OPTION…]`; without a name lists them.

`all` is every bench that needs nothing and takes minutes. Options are those of the bench; of
several benches each gets the same. `--small` is before them the sizes at which all benches
together take a few minutes; `--results DIR` writes a record of each there, `NAME.json`.

`compare`, `ab` and `baseline` compare runs; each tells more with `--help`.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from bench import ab, baseline, compare
from bench.measuring.asked import UNSHOWN, question_of, tell, unshown_of
from bench.scenarios import SCENARIOS

ALL: Final = "all"
SMALL: Final = "--small"
RESULTS: Final = "--results"
COMMANDS: Final[Mapping[str, Callable[[Sequence[str]], int]]] = {
    "compare": compare.main,
    "ab": ab.main,
    "baseline": baseline.main,
}


class Called(NamedTuple):
    """What the words ask for: benches, whether small, where records go, and the rest."""

    names: Sequence[str]
    is_small: bool
    results: str | None
    words: Sequence[str]


class UnknownBenchError(Exception):
    """A name is that of no bench."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no bench {name}; there are: {', '.join(SCENARIOS)}")


def called(words: Sequence[str]) -> Called:
    """Return what the words ask for: names first, then options.

    Raises:
        UnknownBenchError: a name is that of no bench.
    """
    begin = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    names, rest = list(words[:begin]), list(words[begin:])
    for name in names:
        if name != ALL and name not in SCENARIOS:
            raise UnknownBenchError(name)
    if ALL in names:
        names = [name for name, scenario in SCENARIOS.items() if not scenario.is_alone]
    is_small = SMALL in rest
    if is_small:
        rest.remove(SMALL)
    results = None
    if RESULTS in rest:
        at = rest.index(RESULTS)
        results = rest[at + 1]
        del rest[at : at + 2]
    return Called(names, is_small, results, rest)


def run(said: Called) -> None:
    """Run the benches that were asked for, one after the other."""
    before = sys.argv
    for name in said.names:
        scenario = SCENARIOS[name]
        words = [*(scenario.small if said.is_small else ()), *said.words]
        if said.results is not None:
            words += ["--json", os.path.join(said.results, f"{name}.json")]
        tell([name])
        sys.argv = [f"bench {name}", *words]
        try:
            scenario.run()
        finally:
            sys.argv = before


def listing() -> str:
    """Return all benches with what they answer and what they do not show."""
    lines: list[str] = []
    for name, scenario in SCENARIOS.items():
        unshown = unshown_of(scenario.told) or f"{UNSHOWN}: nothing is told."
        lines += [f"{name}: {question_of(scenario.told)}", f"    {unshown}"]
    return "\n".join(lines)


def main() -> int:
    """Run or list; return the exit code."""
    words = sys.argv[1:]
    if words and words[0] in COMMANDS:
        return COMMANDS[words[0]](words[1:])
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        said = called(words)
    except UnknownBenchError as error:
        print(error, file=sys.stderr)
        return 2
    if not said.names:
        print(listing())
    run(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
