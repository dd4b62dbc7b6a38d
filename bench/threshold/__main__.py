"""Is every operation under its threshold, and under its bound beside git?

Builds one repository through the library, a commit at a time, and times each step, in the
library and as whole processes beside git. With --growth: the library alone, at four sizes.
"""

import sys

from bench.measuring.asked import asked, conclude, parser
from bench.threshold.run import grown, is_ok, run
from bench.threshold.size import CHANGES, FILES, GROWTH, Size


def main() -> int:
    """Run at the size that is asked for; return 1 where a row is over."""
    reads = parser(__doc__, size=FILES, counts="files", iters=1)
    reads.add_argument("--changes", type=int, default=CHANGES, metavar="N")
    reads.add_argument("--growth", action="store_true", help="a table of four sizes")
    args = reads.parse_args()
    said = asked(args)
    if not args.growth:
        record = run(Size(said.size, args.changes, said.place))
        conclude(record, said.json)
        return 0 if is_ok(record) else 1
    scale = said.size / FILES
    sizes = [
        Size(max(1, int(files * scale)), max(1, int(changes * scale)), said.place)
        for files, changes in GROWTH
    ]
    conclude(grown(sizes), said.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
