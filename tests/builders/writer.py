"""A program that pushes to a bucket until all is acknowledged; it may be killed.

Words: its repository, which knows the bucket as team; its name, how many pushes, the bookmark.
Each push brings two changes. A line is written for each that was acknowledged.
"""

import sys
from pathlib import Path

from oxy.cli.main import main

_TRIES = 200


def run(root: Path, *words: str) -> int:
    return main(["-C", str(root), *words])


def write(root: Path, name: str) -> None:
    """Record two changes that travel together, unless a life before this one did."""
    for part in "ab":
        path = root / f"{name}{part}"
        if not path.exists():
            path.write_text(f"{name}{part}\n")
        # What is recorded already leaves nothing to record.
        run(root, "commit", "-m", f"{name}{part}", path.name)


def push(root: Path, bookmark: str) -> None:
    """Push until it is acknowledged; who shares a bookmark unites with the others first."""
    for _ in range(_TRIES):
        if run(root, "push", "team", bookmark) == 0:
            return
        run(root, "pull", "team", bookmark)
    sys.exit(f"{root}: not pushed")


def work(root: Path, who: str, count: int, bookmark: str) -> None:
    done = set((root.parent / f"{who}.done").read_text().split())
    for at in range(count):
        name = f"{who}.{at}"
        if name not in done:
            write(root, name)
            push(root, bookmark)
            with (root.parent / f"{who}.done").open("a") as file:
                file.write(f"{name}\n")


if __name__ == "__main__":
    where, called, pushes, on = sys.argv[1:]
    work(Path(where), called, int(pushes), on)
