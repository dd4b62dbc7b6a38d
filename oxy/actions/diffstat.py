"""How much files differ: lines added and removed, and the picture of it (spec: L62). Pure."""

from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.actions.patch import PLAIN, FileDiff, Manner, Source, edits_in, parts
from oxy.diff.quoting import quoted

WIDTH: Final = 80
"""Columns that a line takes at most, unless the name of a file is longer than all of it."""

_LEAST: Final = 10


class Stat(NamedTuple):
    """One file: its paths (the old one where it moved), and lines; of a binary, bytes."""

    path: bytes
    source: bytes | None
    added: int
    removed: int
    binary: bool

    @property
    def name(self) -> bytes:
        """The paths as they are shown."""
        if self.source is None:
            return quoted(self.path)
        return quoted(self.source) + b" => " + quoted(self.path)


def stat_of(diff: FileDiff, manner: Manner = PLAIN) -> Stat:
    """Return how much a file differs. Cost: that of its edits."""
    path = diff.new_path or diff.old_path or b""
    source = diff.old_path if diff.new_path and diff.old_path != path else None
    if diff.binary:
        sizes = [_size(diff.old, diff.old_source), _size(diff.new, diff.new_source)]
        return Stat(path, source, sizes[1], sizes[0], binary=True)
    added = removed = 0
    for part in parts(diff):
        for edit in edits_in(part.old or b"", part.new or b"", manner.past):
            added += edit.new_count
            removed += edit.old_count
    return Stat(path, source, added, removed, binary=False)


def _size(data: bytes | None, source: Source | None) -> int:
    return source.size if source else len(data or b"")


def lines_of(stats: Sequence[Stat]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield (text, pluses, minuses) for each file; the texts are equally long."""
    names = max((len(stat.name) for stat in stats), default=0)
    most = max((stat.added + stat.removed for stat in stats if not stat.binary), default=0)
    digits = max(len(b"%d" % most), 3 if any(stat.binary for stat in stats) else 1)
    room = max(_LEAST, WIDTH - names - digits - 5)
    for stat in stats:
        start = b" " + stat.name.ljust(names) + b" | "
        if stat.binary:
            yield (
                start
                + b"Bin".rjust(digits)
                + b" %d -> %d bytes"
                % (
                    stat.removed,
                    stat.added,
                ),
                b"",
                b"",
            )
            continue
        pluses, minuses = _scaled(stat.added, stat.removed, most, room)
        number = b"%d" % (stat.added + stat.removed)
        yield (
            start + number.rjust(digits) + b" " * bool(pluses + minuses),
            b"+" * pluses,
            (b"-" * minuses),
        )


def _scaled(added: int, removed: int, most: int, room: int) -> tuple[int, int]:
    """Return how many signs stand for lines; one at least for any."""
    if most <= room:
        return added, removed
    return -(-added * room // most), -(-removed * room // most)


def summary_of(stats: Sequence[Stat]) -> bytes:
    """Return the line that counts everything."""
    added = sum(stat.added for stat in stats if not stat.binary)
    removed = sum(stat.removed for stat in stats if not stat.binary)
    parts = [_counted(len(stats), b"file changed", b"files changed")]
    if added or not removed:
        parts.append(_counted(added, b"insertion(+)", b"insertions(+)"))
    if removed or not added:
        parts.append(_counted(removed, b"deletion(-)", b"deletions(-)"))
    return b" " + b", ".join(parts)


def _counted(count: int, one: bytes, many: bytes) -> bytes:
    return b"%d %b" % (count, one if count == 1 else many)
