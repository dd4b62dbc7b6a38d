"""Every fault of every system call of every command that writes, one after the other (T22)."""

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.builders.crashcases import CASES, Case, Site, surroundings
from tests.builders.crashing import BrokenPromiseError, Judge
from tests.builders.faults import Breaker

SHARED = "/dev/shm"  # noqa: S108 - a directory of its own is made in it


def tried(case: Case, above: Path, most: int, seed: int) -> tuple[Counter[int], int]:
    """Try the faults of one command; return how often each code was answered, and failures."""
    shutil.rmtree(above, ignore_errors=True)
    above.mkdir()
    breaker = Breaker(Judge(Site(above), case))
    every = list(breaker.faults())
    random = Random(f"{seed} {case.name}")  # noqa: S311 - a plan is made, no secret
    codes: Counter[int] = Counter()
    wrong = 0
    for fault in random.sample(every, min(most, len(every))):
        try:
            codes[breaker.breaks(fault)] += 1
        except BrokenPromiseError as error:
            wrong += 1
            print(f"{case.name}: {fault}: {error}"[:2000], flush=True)
    told = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items()))
    print(
        f"{case.name}: {sum(codes.values())} of {len(every)} faults; codes {told}", flush=True
    )
    return codes, wrong


def main() -> int:
    """Read the words, and try one command after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1_000_000, help="faults of a command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", action="append", help="only this command; may be repeated")
    args = parser.parse_args()
    surroundings(os.environ.__setitem__)
    where = SHARED if os.path.isdir(SHARED) else None
    above = Path(tempfile.mkdtemp(dir=where))
    total, wrong = 0, 0
    try:
        for case in CASES:
            if not args.case or case.name in args.case:
                codes, bad = tried(case, above / "site", args.most, args.seed)
                total += sum(codes.values()) + bad
                wrong += bad
    finally:
        shutil.rmtree(above)
    print(f"{total} faults; {wrong} not as promised")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
