"""What do the same operations cost on oxy, git, Mercurial and Fossil, as whole processes?

Every system that is installed works on files of its own, in turn with the others. Git runs with
core.fsync=all and oxy with `safe`; `hg` and `fossil` have no durability to ask for. Does not
show: cold disks (what is measured was written or read just before), networks, large histories
unless `--changes` asks for one.
"""

from typing import Final

from bench.beside.bounds import bound
from bench.beside.marks import notes
from bench.beside.operations import OPERATIONS
from bench.beside.run import Bench, run
from bench.beside.systems import installed
from bench.beside.trees import SIZES, TREES
from bench.measuring.asked import Found, asked, conclude, parser, recorded, tell
from bench.measuring.record import Row

EDITS: Final = {"long": 1_000}
"""Changes that a tree has where no number is asked for."""
MEMORY: Final = 500
"""MB that any operation may take on any tree."""


def main() -> None:
    """Measure and print."""
    reads = parser(__doc__, size=0, counts="files", iters=5, names=OPERATIONS)
    reads.add_argument("--tree", choices=tuple(TREES), default="flat")
    reads.add_argument("--systems", default="oxy,git,hg,fossil", metavar="A,B")
    reads.add_argument("--changes", type=int, metavar="N", help="of one file, one by one")
    args = reads.parse_args()
    said = asked(args)
    tree = TREES[args.tree](said.size or SIZES[args.tree])
    changes: int = EDITS.get(args.tree, 0) if args.changes is None else args.changes
    systems = [system for system in installed() if system.name in args.systems.split(",")]

    def measure(top: str) -> Found:
        bench = Bench(top, tree, systems)
        found = run(bench, changes, said.iters, said.only or OPERATIONS, tell)
        sizes = dict(tree.sizes) | ({"changes": changes} if changes else {})
        rows = [
            Row(
                operation,
                tree.name,
                sizes,
                figures,
                bound=bound(operation, tree.sizes["files"]),
                memory=MEMORY,
            )
            for operation, figures in found.items()
        ]
        medians = f"Medians of {said.iters} rounds in turn, and half their 95% intervals."
        return Found(rows, [medians, *notes(rows)])

    conclude(recorded("peers", __doc__, said.place, measure), said.json)


if __name__ == "__main__":
    main()
