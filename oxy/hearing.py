"""What a program between two machines says while work goes on (spec: sync, SY64).

The lowest layer: whoever runs such a program passes its lines on, and never knows whether
anybody listens.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Listener: TypeAlias = Callable[[str], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Hear lines from now on, in place of whoever did; on whatever thread they come."""
    _listeners[:] = [listener]


def hear_no_more() -> None:
    """Let nobody hear lines from now on."""
    _listeners.clear()


def pass_on(line: str) -> None:
    """Let whoever listens hear a line; it may hold anything."""
    for listener in _listeners:
        listener(line)
