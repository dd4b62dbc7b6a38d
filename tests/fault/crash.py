"""What every crash may leave, tried one after the other: `make crash` (spec: T21).

Each command that writes is recorded; after each of its deeds each state that may be left is
made, and the next commands are run in it. Then the same for a crash during what follows a
crash, and one during what follows that. The plan depends on the seed alone, so that a run that
was interrupted goes on with --begin.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.builders.crashcases import CASES, Case, Site, surroundings
from tests.builders.crashing import BrokenPromiseError, Judge, State, some_states, states

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it


class Share(NamedTuple):
    """Which part of all states a process tries."""

    number: int
    of: int
    most: int
    begin: int
    seed: int


class Count:
    """How many states were tried, and how many were not as promised."""

    def __init__(self) -> None:
        self.tried = 0
        self.again = 0
        self.wrong = 0


def tries(judge: Judge, share: Share, random: Random) -> Iterator[tuple[State, bool]]:
    """Yield the states of one command that are this process's, and those of second crashes."""
    whole = [
        state
        for at, state in enumerate(states(judge.recording))
        if at % share.of == share.number
    ]
    random.shuffle(whole)
    whole = whole[share.begin : share.begin + share.most]
    for at, state in enumerate(whole):
        yield state, False
        if at % 25 == 0:
            for again in judge.recovered(state, random, 12):
                yield again, True
    yield from (
        (state, False) for state in some_states(judge.recording, random, share.most // 10)
    )


def tried(case: Case, above: Path, share: Share, count: Count) -> None:
    """Try the states of one command, and tell of each that is not as promised."""
    shutil.rmtree(above, ignore_errors=True)
    above.mkdir()
    judge = Judge(Site(above), case)
    begun = time.monotonic()
    before = count.tried
    random = Random(f"{share.seed} {case.name}")  # noqa: S311 - a plan is made, no secret
    for state, is_again in tries(judge, share, random):
        count.tried += 1
        count.again += is_again
        try:
            judge.judge(state, is_again=is_again)
        except BrokenPromiseError as error:
            count.wrong += 1
            told = f"after {state.deeds} of {len(judge.recording.deeds)} {dict(state.fates)}"
            print(f"{case.name}: {told}: {error}"[:2000], flush=True)
    took = time.monotonic() - begun
    print(f"{case.name}: {count.tried - before} states in {took:.0f} s", flush=True)


def part(cases: Sequence[Case], share: Share) -> int:
    """Try one process's part of all commands; return the exit code."""
    where = SHARED if os.path.isdir(SHARED) else None
    above = Path(tempfile.mkdtemp(dir=where))
    count = Count()
    try:
        for case in cases:
            tried(case, above / "site", share, count)
    finally:
        shutil.rmtree(above)
    told = f"{count.tried} states, {count.again} of them of a crash after a crash"
    print(f"process {share.number + 1}: {told}; {count.wrong} not as promised", flush=True)
    return 1 if count.wrong else 0


def main() -> int:
    """Read the words, and share the work among processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--most", type=int, default=1_000_000, help="states of a command")
    parser.add_argument("--begin", type=int, default=0, help="leave out so many of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", action="append", help="only this command; may be repeated")
    args = parser.parse_args()
    surroundings(os.environ.__setitem__)
    cases = [case for case in CASES if not args.case or case.name in args.case]
    children = []
    for number in range(args.processes):
        child = os.fork()
        if child == 0:
            share = Share(number, args.processes, args.most, args.begin, args.seed)
            os._exit(part(cases, share))
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return max(map(abs, codes))


if __name__ == "__main__":
    sys.exit(main())
