"""What does comparing two texts cost, beside `git diff --no-index`?

git is a process that reads two files and writes a patch; oxy's part is the library alone, from
bytes to edits. *git, histogram* is its algorithm that is likest to oxy's. Does not show:
reading files and writing patches on the side of oxy; its start.
"""

import os
from collections.abc import Iterator
from functools import partial
from subprocess import DEVNULL, run
from typing import Final

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.process import environment
from bench.measuring.record import LIBRARY
from bench.operations.content import chance, source_text
from oxy.diff.lines import Edit, edits


def one_line(count: int) -> tuple[bytes, bytes]:
    """Return lines, and the same with one of them edited."""
    old = source_text(count).splitlines(keepends=True)
    new = list(old)
    new[count // 2] = b"    edited\n"
    return b"".join(old), b"".join(new)


def repeated(count: int) -> tuple[bytes, bytes]:
    """Return lines that are all the same, and one more among them."""
    line = b"    the same line\n"
    return line * count, line * (count // 2) + b"    inserted\n" + line * (count - count // 2)


def unrelated(count: int) -> tuple[bytes, bytes]:
    """Return two texts that share no line."""
    sides = (b"%d left %d\n", b"%d right %d\n")
    numbers = chance(count)
    texts = [[side % (at, numbers.randrange(1 << 30)) for at in range(count)] for side in sides]
    return b"".join(texts[0]), b"".join(texts[1])


def shuffled(count: int) -> tuple[bytes, bytes]:
    """Return lines of few kinds in two orders: much is common, and little of it in order."""
    numbers = chance(count)
    texts = [
        b"".join(b"%d\n" % numbers.randrange(count // 4) for _ in range(count)) for _ in "ab"
    ]
    return texts[0], texts[1]


MATERIALS: Final = {
    "one line edited": (one_line, 1_000),
    "one inserted among equals": (repeated, 1_000),
    "unrelated, short": (unrelated, 200),
    "unrelated, long": (unrelated, 100_000),
    "shuffled": (shuffled, 20_000),
}


def applied(old: bytes, new: bytes, found: list[Edit]) -> bytes:
    """Return the new text, made of the old one and the edits that were found."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    made: list[bytes] = []
    at = 0
    for edit in found:
        made += before[at : edit.old_start]
        made += after[edit.new_start : edit.new_start + edit.new_count]
        at = edit.old_start + edit.old_count
    return b"".join([*made, *before[at:]])


def compared(name: str, place: Place) -> Iterator[Setting]:
    """Yield the comparison of two texts."""
    make, full = MATERIALS[name]
    count = place.share(full, min(full, 50))
    old, new = make(count)
    paths = [place.path("old"), place.path("new")]
    for path, text in zip(paths, (old, new), strict=True):
        with open(path, "wb") as file:
            file.write(text)

    def check() -> None:
        assert applied(old, new, edits(old, new)) == new

    arms = {
        LIBRARY: Arm(partial(edits, old, new)),
        "git": Arm(partial(differ, paths)),
        "git, histogram": Arm(partial(differ, paths, "histogram")),
    }
    yield Setting("diff", name, {"lines": count}, arms, check)


def differ(paths: list[str], algorithm: str = "myers") -> None:
    """Have git compare two files."""
    words = ["git", "diff", "--no-index", f"--diff-algorithm={algorithm}", *paths]
    top = os.path.dirname(paths[0])
    done = run(words, cwd=top, env=environment(), stdout=DEVNULL, check=False)
    assert done.returncode == 1


CASES: Final = tuple(Case(name, partial(compared, name)) for name in MATERIALS)


def main() -> None:
    """Print a row for each."""
    run_cases("texts", __doc__, CASES)


if __name__ == "__main__":
    main()
