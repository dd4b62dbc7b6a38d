"""Every place that a change writes keeps the path rule (spec: names, N22, N41). Pure."""

from collections.abc import Sequence

from oxy.model.operation import (
    KIND,
    KIND_SYMLINK,
    Directory,
    NodeEdit,
    Place,
)
from oxy.model.pathrule import MAX_DEPTH, MAX_PATH, refusal


class PlacesCheck:
    """Checks the places that one change writes; `broken` is what is wrong with its directories.

    Cost: a look at each name; no path is put together.
    """

    __slots__ = ("_depths", "_lengths", "_used", "broken")

    def __init__(self, directories: Sequence[Directory]) -> None:
        self._lengths, self._depths = [-1], [0]
        self._used = {(parent, name) for parent, name, k in directories if not k}
        self.broken: str | None = None
        for parent, name, _ in directories:
            self._lengths.append(self._lengths[parent] + 1 + len(name))
            self._depths.append(self._depths[parent] + 1)
            broken = refusal(name) or _too_far(self._lengths[-1], self._depths[-1])
            if broken is not None:
                self.broken = self.broken or _told(name, broken)

    def check(self, edit: NodeEdit) -> str | None:
        """Return the rule that the name or the path of an edit breaks, or None."""
        if self.broken is not None:
            return self.broken
        place = _place(edit)
        if place is None:
            return None
        length = self._lengths[place.parent] + 1 + len(place.name)
        depth = self._depths[place.parent] + 1
        broken = refusal(place.name) or _too_far(length, depth)
        if broken is None and place in self._used and _is_link(edit):
            # Something is put below the symlink.
            broken = "is that of a symlink and of a directory above others"
        return None if broken is None else _told(place.name, broken)


def _place(edit: NodeEdit) -> Place | None:
    value = edit.writes[0].value if edit.writes else None
    return value if isinstance(value, Place) else None


def _too_far(length: int, depth: int) -> str | None:
    if length > MAX_PATH:
        return f"is in a path longer than {MAX_PATH} bytes"
    return f"is deeper than {MAX_DEPTH} directories" if depth > MAX_DEPTH else None


def _told(name: bytes, broken: str) -> str:
    shown = name.decode("utf-8", "backslashreplace")
    return f"the name '{shown}' {broken}"


def _is_link(edit: NodeEdit) -> bool:
    return edit.created == KIND_SYMLINK or any(
        write.register == KIND and write.value == KIND_SYMLINK for write in edit.writes
    )
