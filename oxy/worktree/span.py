"""A part of a walk that several processes share (spec: working-copy, W30). Pure."""

from oxy.typed import Final, NamedTuple


class Span(NamedTuple):
    """A part of the tree, in the order of the walk: directories from `start` to before `end`.

    Both are tuples of components; () starts at the root, None ends nowhere.
    """

    start: tuple[bytes, ...]
    end: tuple[bytes, ...] | None

    def place(self, path: bytes) -> str:
        """Say whether a directory is "in", "out" with all below it, or on the "way" to it."""
        parts = tuple(path.split(b"/")) if path else ()
        if self.end is not None and parts >= self.end:
            return "out"
        if parts >= self.start:
            return "in"
        return "way" if self.start[: len(parts)] == parts else "out"


WHOLE: Final = Span((), None)
