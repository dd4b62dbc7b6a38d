"""What was said of paths: tracked though ignored, untracked though there (spec: W4).

A note in `.oxy`, of this working copy alone: each path with a sign, ended by NUL. A path stands
for all below it; of several that speak of a path the longest counts.
"""

from collections.abc import Iterable, Mapping
from oxy.typed import Final

_NOTE: Final = b"/tracking"
_YES: Final = b"+"
_NO: Final = b"-"


class Noted:
    """What was said of paths: True is tracked, False is not."""

    __slots__ = ("_above", "said")

    def __init__(self, said: Mapping[bytes, bool]) -> None:
        """Take what was said of each path."""
        self.said = dict(said)
        self._above: set[bytes] = set()
        for path in (path for path, is_tracked in self.said.items() if is_tracked):
            above = path
            while above:
                above = above.rpartition(b"/")[0]
                self._above.add(above)

    def __bool__(self) -> bool:
        """Tell whether anything was said."""
        return bool(self.said)

    def says(self, path: bytes) -> bool | None:
        """Return what holds for a path; None where nothing was said."""
        at = path
        while at:
            if at in self.said:
                return self.said[at]
            at = at.rpartition(b"/")[0]
        return self.said.get(b"")

    def names(self, path: bytes) -> bool:
        """Tell whether a path itself was said to be tracked."""
        return self.said.get(path, False)

    def holds(self, directory: bytes) -> bool:
        """Tell whether something below a directory was said to be tracked."""
        return directory in self._above


NOTHING: Final = Noted({})


def read(control: bytes) -> Noted:
    """Return what was said.

    Args:
        control: the `.oxy` directory.
    """
    try:
        with open(control + _NOTE, "rb") as file:
            lines = file.read().split(b"\0")
    except FileNotFoundError:
        return NOTHING
    return Noted({line[1:]: line[:1] == _YES for line in lines if line[:1] in (_YES, _NO)})


def write(control: bytes, said: Mapping[bytes, bool]) -> None:
    """Note what was said, in place of all that was."""
    from oxy.repo import durable

    if not said:
        durable.remove(control + _NOTE)
        return
    durable.put(control + _NOTE, b"".join(_lines(said)))


def _lines(said: Mapping[bytes, bool]) -> Iterable[bytes]:
    for path, is_tracked in sorted(said.items()):
        yield (_YES if is_tracked else _NO) + path + b"\0"
