"""How long work tells how far it has come (spec: command-line, L8).

The lowest layer: actions receive a `Progress` and never know whether anybody watches.
"""

from oxy.typed import Protocol


class Progress(Protocol):
    """Somebody who may want to know."""

    def update(self, done: int, total: int | None, what: str) -> None:
        """Say that `done` of `total` (None: not known) units of `what` are done, from 0 up.

        Cheap enough to be called for every unit: about 0.2 us when nobody watches.
        """
