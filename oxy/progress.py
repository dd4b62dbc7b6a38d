"""How long work tells how far it has come (spec: command-line, L8).

The lowest layer: actions receive a `Progress` and never know whether anybody watches.
"""

from oxy.typed import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


class Progress(Protocol):
    """Somebody who may want to know."""

    def update(self, done: int, total: int | None, what: str, size: int = 0, /) -> None:
        """Say that `done` of `total` (None: not known) units of `what` are done, from 0 up.

        `size` is how many bytes these are so far, where that tells more.
        Cheap enough to be called for every unit: about 0.2 us when nobody watches.
        """


class Unwatched:
    """Progress that nobody sees."""

    def update(self, done: int, total: int | None, what: str, size: int = 0, /) -> None:
        """See Progress."""


def watched(
    items: "Iterable[T]", total: int, what: str, progress: Progress | None
) -> "Iterator[T]":
    """Yield items, and tell before each how many there were, if somebody may want to know."""
    if progress is None:
        yield from items
        return
    for done, item in enumerate(items):
        progress.update(done, total, what)
        yield item
