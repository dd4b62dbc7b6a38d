"""What the editor shows below the scissors line (spec: command-line, L24)."""

from __future__ import annotations

from itertools import chain, islice

from oxy.actions.diff import working
from oxy.actions.patch import Manner, lines_of
from oxy.cli.output import rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from oxy.cli.listing import Shower
    from oxy.worktree.snapshot import Snapshot
    from oxy.worktree.workcopy import WorkingCopy

SHOWN = 2_000
"""Most lines of the difference that are shown."""


def told(copy: WorkingCopy, shower: Shower, snapshot: Snapshot) -> bytes:
    """Return what is to be recorded: a line for each file, then how it differs.

    Of a file of which hunks were chosen the difference is not shown.
    """
    names = b"".join(rendered(shower.line(change), colour=False) for change in snapshot.changes)
    shown = list(islice(difference(copy, snapshot), SHOWN + 1))
    if len(shown) > SHOWN:
        shown[SHOWN:] = [b"and more"]
    return names + b"".join(b"\n" + line for line in shown)


def difference(copy: WorkingCopy, snapshot: Snapshot) -> Iterator[bytes]:
    """Yield the lines of a patch."""
    partly = {path for path, _ in snapshot.partly}
    whole = [change for change in snapshot.changes if change.path not in partly]
    shown = Manner(brief=True)
    return chain.from_iterable(lines_of(diff, shown) for diff in working(copy, whole))
