"""Every place that a change writes keeps the path rule (spec: names, N22, N41). Pure."""

from collections.abc import Iterator

from oxy.model.change import Operations
from oxy.model.operation import (
    KIND,
    KIND_SYMLINK,
    NodeEdit,
    Place,
)
from oxy.model.pathrule import MAX_DEPTH, MAX_PATH, refusal


def check_places(operations: Operations) -> str | None:
    """Return the rule that a name or a path of a change breaks, or None.

    Cost: a look at each name; no path is put together.
    """
    lengths, depths = [-1], [0]
    for parent, name, _ in operations.directories:
        broken = refusal(name)
        lengths.append(lengths[parent] + 1 + len(name))
        depths.append(depths[parent] + 1)
        broken = broken or _too_far(lengths[-1], depths[-1])
        if broken is not None:
            return _told(name, broken)
    for place in _places(operations):
        length = lengths[place.parent] + 1 + len(place.name)
        broken = refusal(place.name) or _too_far(length, depths[place.parent] + 1)
        if broken is not None:
            return _told(place.name, broken)
    return _below_a_symlink(operations)


def _places(operations: Operations) -> Iterator[Place]:
    for edit in operations.nodes:
        place = _place(edit)
        if place is not None:
            yield place


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


def _below_a_symlink(operations: Operations) -> str | None:
    """Refuse a symlink under the name of a directory in which the change puts something."""
    used = {(parent, name) for parent, name, k in operations.directories if not k}
    for edit in operations.nodes:
        is_link = edit.created == KIND_SYMLINK or any(
            write.register == KIND and write.value == KIND_SYMLINK for write in edit.writes
        )
        place = _place(edit) if is_link else None
        if place is not None and (place.parent, place.name) in used:
            return _told(place.name, "is that of a symlink and of a directory above others")
    return None
