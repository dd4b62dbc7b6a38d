"""The changes of a working copy, shown to people and as JSON (spec: command-line, L20)."""

from __future__ import annotations

import os

from oxy.actions.paths import shown
from oxy.cli.output import Styled
from oxy.worktree.item import size_of
from oxy.worktree.row import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from oxy.cli.output import Output, Part, Style
    from oxy.cli.records import Record
    from oxy.worktree.snapshot import Changed, Snapshot

LETTERS: dict[str, tuple[str, Style]] = {
    "added": ("A", "added"),
    "deleted": ("D", "removed"),
    "modified": ("M", "id"),
    "renamed": ("R", "id"),
    "mode": ("X", "id"),
    "kind": ("T", "id"),
    "resolved": ("C", "id"),
}


UNREAD = 3
"""The exit code where something could not be read, and the rest was done."""


class Shower:
    """Shows paths as they are from where the user stands."""

    __slots__ = ("_here", "_root")

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._here = os.getcwdb()

    def path(self, path: bytes) -> bytes:
        """Return a path from where the user stands."""
        return shown(self._root, self._here, path)

    def line(self, change: Changed) -> tuple[Part, ...]:
        """Return one line for a change: a letter and the path."""
        letter, style = LETTERS[change.kind]
        if change.source is None:
            return Styled(style, letter), " ", self.path(change.path)
        return (
            Styled(style, letter),
            " ",
            self.path(change.source),
            " -> ",
            self.path(change.path),
        )

    def record(self, change: Changed) -> dict[str, bytes | str]:
        """Return a change for JSON."""
        record: dict[str, bytes | str] = {"path": self.path(change.path), "kind": change.kind}
        if change.source is not None:
            record["from"] = self.path(change.source)
        return record

    def left_out(self, snapshot: Snapshot) -> Iterator[tuple[bytes, str]]:
        """Yield (path, why) of what is not recorded."""
        for path, _, reason in snapshot.oddities:
            yield self.path(path), reason
        for change in snapshot.large:
            size = size_of(change.record or UNKNOWN)
            why = f"is new and has {size} bytes: name it to record it"
            yield self.path(change.path), why

    def write_left_out(self, out: Output, snapshot: Snapshot) -> None:
        """Write a line for each path that is not recorded."""
        for path, why in self.left_out(snapshot):
            out.line("left out: ", path, " ", why)

    def warn_of_unread(self, out: Output, snapshot: Snapshot) -> None:
        """Warn of each path that could not be read."""
        for path, _, reason in snapshot.unread:
            out.warning(self.path(path), " ", reason)

    def records_left_out(self, snapshot: Snapshot) -> list[Record]:
        """Return what is not recorded for JSON."""
        return [{"path": path, "reason": why} for path, why in self.left_out(snapshot)]
