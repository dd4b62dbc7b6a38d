"""What is tracked, as the walk asks for it (spec: working-copy, what is tracked)."""

from collections.abc import Iterable
from oxy.typed import Protocol


class Tracked(Protocol):
    """The files and symlinks that the base state holds; subrepos are not among them."""

    def names(self, directory: bytes) -> bytes:
        """Return the names tracked directly in this directory, sorted and joined by NUL."""
        ...

    def holds(self, directory: bytes) -> bool:
        """Tell whether anything tracked lies in or below this directory."""
        ...


class TrackedPaths:
    """Tracked paths given one by one, for where no manifest knows them."""

    __slots__ = ("_directories", "_holding")

    def __init__(self, paths: Iterable[bytes]) -> None:
        """Group the paths by directory. Cost: one pass and a sort."""
        grouped: dict[bytes, list[bytes]] = {}
        for path in sorted(paths):
            directory, _, name = path.rpartition(b"/")
            grouped.setdefault(directory, []).append(name)
        self._directories = {d: b"\0".join(names) for d, names in grouped.items()}
        self._holding = with_parents(grouped)

    def names(self, directory: bytes) -> bytes:
        """Return the names tracked directly in this directory, sorted and joined by NUL."""
        return self._directories.get(directory, b"")

    def holds(self, directory: bytes) -> bool:
        """Tell whether anything tracked lies in or below this directory."""
        return directory in self._holding


def with_parents(directories: Iterable[bytes]) -> set[bytes]:
    """Return these directories and all that they lie in."""
    found: set[bytes] = set()
    for directory in directories:
        above = directory
        while above not in found:
            found.add(above)
            above = above.rpartition(b"/")[0]
    return found
