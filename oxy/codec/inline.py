"""Which content lies inside a change, and which is a blob beside it (spec: model, M33). Pure.

Whoever records and whoever checks ask the same `Room`, in the order in which the change holds
its contents.
"""

from collections.abc import Iterator
from oxy.typed import Final

from oxy.codec.limits import INLINE, INLINE_TOTAL
from oxy.model.operation import BYTES, BlobRef, Content, NodeEdit

_RULE: Final = (
    f"content is inline under {INLINE} bytes while all of it is at most {INLINE_TOTAL}, and a"
    " blob from there on"
)


class Room:
    """What one change still holds inside itself."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = INLINE_TOTAL

    def takes(self, size: int) -> bool:
        """Tell whether the next content lies inside the change; if so, its room is taken."""
        if size >= INLINE or size > self._left:
            return False
        self._left -= size
        return True


def contents(edit: NodeEdit) -> Iterator[Content]:
    """Yield the contents of an edit as they are encoded: the bytes register, inserted text."""
    for register, value, _ in edit.writes:
        if register == BYTES and isinstance(value, bytes | BlobRef):
            yield value
    if edit.content is not None:
        yield edit.content


def check_inline(edit: NodeEdit, room: Room) -> str | None:
    """Return the rule that is broken where a content is not where it belongs, or None.

    Args:
        edit: an edit of a change.
        room: what the edits before it have left.
    """
    for content in contents(edit):
        if isinstance(content, BlobRef):
            broken = room.takes(content.length)
        else:
            broken = not room.takes(len(content))
        if broken:
            return _RULE
    return None
