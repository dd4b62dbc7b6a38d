"""Histories of replicas of one text as plain steps that any implementation can replay."""

from typing import NamedTuple, TypeAlias

from tests.naive.change import Key, State
from tests.naive.edits import Edit
from tests.naive.text import EMPTY, NaiveText


class Record(NamedTuple):
    """A replica records a text; the edits are against what its state shows.

    `last_first` when it shows the last side of each conflict first.
    """

    replica: int
    key: Key
    text: tuple[str, ...]
    edits: tuple[Edit, ...]
    last_first: bool


class Merge(NamedTuple):
    """A replica takes every change of another."""

    replica: int
    source: int


class Pick(NamedTuple):
    """A replica takes one change and what it depends on."""

    replica: int
    key: Key


class Unrecord(NamedTuple):
    """A replica drops one change and what depends on it there."""

    replica: int
    key: Key


Step: TypeAlias = Record | Merge | Pick | Unrecord


class History(NamedTuple):
    """Steps of replicas that all start empty."""

    replicas: int
    steps: tuple[Step, ...]


class Replay:
    """The naive model of a history: the changes so far and each replica's state."""

    __slots__ = ("states", "text")

    def __init__(self, replicas: int) -> None:
        self.text = NaiveText()
        self.states: list[State] = [EMPTY] * replicas

    def apply(self, step: Step) -> State:
        """Take one step, and return the state that its replica has then."""
        state = self.states[step.replica]
        match step:
            case Record():
                state = self.text.commit(
                    state, step.text, step.key, step.edits, last_first=step.last_first
                )
            case Merge():
                state |= self.states[step.source]
            case Pick():
                state |= self.text.closure([step.key])
            case Unrecord():
                state -= self.text.dependents([step.key], state)
        self.states[step.replica] = state
        return state


def replay(history: History) -> Replay:
    """Take every step of a history."""
    played = Replay(history.replicas)
    for step in history.steps:
        played.apply(step)
    return played
