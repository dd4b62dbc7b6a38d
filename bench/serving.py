"""What does it cost a server that all is cloned from it, and pushed to it, beside git's?

Each source is copied first (packed anew), and imported. Then clients clone over HTTP on the
loopback, and push all to an empty repository; only the server is measured: `oxy serve --http`
beside `git http-backend`, processor time and peak memory. Bounds: 1.2 times git's time, 1.5
times its memory, and 150 MB. Does not show: the client, networks, TLS.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import Final

from bench.measuring.asked import (
    Asked,
    Found,
    asked,
    conclude,
    parser,
    recorded,
    tell,
)
from bench.measuring.backend import Served, git_served, oxy_served
from bench.measuring.figures import Sample, figure
from bench.measuring.process import OXY, environment
from bench.measuring.record import OURS, PEER, Row
from bench.measuring.source import Source, copied, git, size_of, source

TIME: Final = 1.2
"""The most of git's processor time that oxy may take."""
MEMORY: Final = 150
"""MB that a server may have."""


def run(*words: str) -> None:
    """Run a client.

    Raises:
        CalledProcessError: it failed.
    """
    subprocess.run(words, check=True, env=environment(), stdout=subprocess.DEVNULL)


class Material:
    """A source as git and oxy hold it, and where clients may work."""

    def __init__(self, item: Source, top: str) -> None:
        self._top = os.path.join(top, item.name.replace("/", "+"))
        self.git_dir = copied(item.path, self._top)
        self.oxy_dir = os.path.join(self._top, "oxy")
        run(*OXY, "git", "import", self.git_dir, self.oxy_dir)

    def _names(self) -> list[str]:
        told = git(self.git_dir, "for-each-ref", "--format=%(refname:short)", "refs/heads")
        return told.decode().split()

    def fresh(self, name: str) -> str:
        """Return a directory that is not there yet."""
        path = os.path.join(self._top, name)
        shutil.rmtree(path, ignore_errors=True)
        return path

    def cloned_from_oxy(self) -> Served:
        """Clone, and return what the server took."""
        with oxy_served(self.oxy_dir) as server:
            run(*OXY, "clone", server.address, self.fresh("clone"))
        return server.took

    def cloned_from_git(self) -> Served:
        """Clone, and return what the backend took."""
        with git_served(self._top) as server:
            run("git", "clone", "-q", f"{server.address}/copy.git", self.fresh("clone"))
        return server.took

    def pushed_to_oxy(self) -> Served:
        """Push every bookmark to an empty repository; return what its server took."""
        there = self.fresh("there")
        run(*OXY, "init", there)
        with oxy_served(there) as server:
            run(*OXY, "-C", self.oxy_dir, "push", server.address, *self._names())
        return server.took

    def pushed_to_git(self) -> Served:
        """Push every branch to an empty repository; return what the backend took."""
        there = self.fresh("there.git")
        run("git", "init", "-q", "--bare", there)
        git(there, "config", "http.receivepack", "true")
        # Not packed anew for the second push: that is done in the background, by nobody's time.
        git(there, "config", "receive.autogc", "false")
        with git_served(self._top) as server:
            git(self.git_dir, "push", "-q", "--all", f"{server.address}/there.git")
        return server.took


def row(
    name: str,
    material: Material,
    item: Source,
    arms: dict[str, Callable[[], Served]],
    rounds: int,
) -> Row:
    """Measure an operation in turn on both: the processor time and memory of the server."""
    taken: dict[str, list[Served]] = {arm: [] for arm in arms}
    for number in range(rounds):
        for arm in reversed(arms) if number % 2 else arms:
            tell([item.name, name, arm, "round", number + 1])
            taken[arm].append(arms[arm]())
    figures = {
        arm: figure(
            [Sample(each.processor, each.processor) for each in runs],
            max(each.peak for each in runs),
        )
        for arm, runs in taken.items()
    }
    commits = int(git(material.git_dir, "rev-list", "--count", "--branches"))
    facts = {"memory of git's": figures[OURS].peak / max(figures[PEER].peak, 1)}
    sizes = {"commits": commits, "git packed MB": round(size_of(material.git_dir))}
    return Row(name, item.name, sizes, figures, bound=TIME, memory=MEMORY, facts=facts)


def measure(sources: Sequence[Source], said: Asked, top: str) -> Found:
    """Measure each source."""
    rows = []
    for item in sources:
        material = Material(item, top)
        operations: dict[str, dict[str, Callable[[], Served]]] = {
            "clone": {OURS: material.cloned_from_oxy, PEER: material.cloned_from_git},
            "push all": {OURS: material.pushed_to_oxy, PEER: material.pushed_to_git},
        }
        rows += [
            row(name, material, item, arms, said.iters)
            for name, arms in operations.items()
            if said.wants(name)
        ]
    return Found(rows)


def main() -> None:
    """Serve, and print what it took."""
    reads = parser(__doc__, size=0, counts="nothing here", iters=3, names=("clone", "push all"))
    reads.add_argument("sources", nargs="*", metavar="[NAME=]PATH", help="Git repositories")
    args = reads.parse_args()
    said = asked(args)
    sources = [source(word) for word in args.sources or [".git"]]

    def work(top: str) -> Found:
        return measure(sources, said, top)

    conclude(recorded("serving", __doc__, said.place, work), said.json)


if __name__ == "__main__":
    main()
