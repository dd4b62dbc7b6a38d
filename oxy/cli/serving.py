"""Hooks of whoever serves a repository (spec: command-line, L37; sync, SY86)."""

from __future__ import annotations

from oxy.cli.hooks import after, allows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oxy.cli.output import Output
    from oxy.cli.records import Record
    from oxy.sync.wish import Taken, Wish

KINDS = {1: "bookmark", 2: "tag"}


class Hooks:
    """Runs `before-take` and `after-take`, which the user's configuration names."""

    __slots__ = ("_out",)

    def __init__(self, out: Output) -> None:
        self._out = out

    def before(self, root: bytes, user: bytes, wishes: Sequence[Wish]) -> bool:
        """See Watch."""
        return allows(root, "before-take", lambda: {"user": user, "names": wished(wishes)})

    def after(self, root: bytes, user: bytes, taken: Taken) -> None:
        """See Watch."""
        if taken.refused:
            return
        after(
            self._out,
            root,
            "after-take",
            lambda: {"user": user, "came": taken.came, "names": moved(taken)},
        )


def wished(wishes: Iterable[Wish]) -> list[Record]:
    """Return what names are to hold; `heads` is null for one that is to be deleted."""
    return [
        {
            "kind": KINDS[wish.kind],
            "name": wish.name,
            "heads": None if wish.goal is None else [each.hex() for each in wish.goal.heads],
        }
        for wish in wishes
    ]


def moved(taken: Taken) -> list[Record]:
    """Return the names that hold something else now."""
    return [
        {"kind": KINDS[each.kind], "name": each.name, "came": each.came, "went": each.went}
        for each in taken.moved
    ]
