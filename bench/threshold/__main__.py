"""Is every operation under its threshold, and under its bound beside git?

Builds one repository through the library, a commit at a time, and times each step, in the
library and as whole processes beside git. With --growth: in the library alone, and what else
must not grow, at four sizes or at those that --at names.

Does not show: cold disks; other systems.
"""

import sys

from bench.measuring.asked import asked, conclude, parser
from bench.threshold.run import grown, is_ok, run
from bench.threshold.size import CHANGES, FILES, GROWTH, Size


def pair(word: str) -> tuple[int, int]:
    """Return files and changes."""
    files, changes = word.split(",")
    return int(files), int(changes)


def main() -> int:
    """Run at the size that is asked for; return 1 where a row is over."""
    reads = parser(__doc__, size=FILES, counts="files", iters=1)
    reads.add_argument("--changes", type=int, default=CHANGES, metavar="N")
    reads.add_argument("--growth", action="store_true", help="how all of it grows")
    reads.add_argument(
        "--at", action="append", type=pair, metavar="FILES,CHANGES", help="sizes of the growth"
    )
    args = reads.parse_args()
    said = asked(args)
    if not args.growth:
        record = run(Size(said.size, args.changes, said.place))
        conclude(record, said.json)
        return 0 if is_ok(record) else 1
    pairs: list[tuple[int, int]] = args.at or list(GROWTH)
    sizes = [Size(files, changes, said.place) for files, changes in pairs]
    conclude(grown(sizes), said.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
