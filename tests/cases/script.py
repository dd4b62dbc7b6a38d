"""Merge cases as scripts that any implementation can play (spec: conflicts, C29).

In a text each letter is a line; `a{x|y}b` is a text with a conflict whose sides read x and y. A
state is told by the changes that it is made of: `A2 B -A1` is the state after A2 and that after
B together, without A1 and what depends on it.
"""

from collections.abc import Iterable, Mapping
from itertools import permutations
from random import Random
from typing import NamedTuple, Protocol, TypeAlias

State: TypeAlias = frozenset[str]
"""The names of the changes in a state."""


class Tell(NamedTuple):
    """A change is recorded that makes a state read as a text.

    The first letter of its name is the repository that records it.
    """

    name: str
    on: str
    text: str


class Revert(NamedTuple):
    """A change is recorded that takes back another."""

    name: str
    on: str
    of: str


class Reads(NamedTuple):
    """A state reads so; where told, its lines outside conflicts came from these changes."""

    state: str
    text: str
    blame: str = ""


Step: TypeAlias = Tell | Revert | Reads


class Case(NamedTuple):
    """A case: its number in the list of cases, what it is about, and its steps.

    The naive model cannot hold a large one: it is quadratic.
    """

    number: str
    about: str
    steps: tuple[Step, ...]
    is_large: bool = False

    @property
    def id(self) -> str:
        """What the case is called in a list of tests."""
        return f"{self.number}, {self.about}"


class Check(NamedTuple):
    """What a state is expected to read."""

    state: State
    text: str
    blame: tuple[str, ...]


class Player(Protocol):
    """One way to play a case."""

    def tell(self, state: State, name: str, text: str) -> None:
        """Record a text."""

    def revert(self, state: State, name: str, of: str) -> None:
        """Record the inverse of a change."""

    def dependents(self, state: State, names: State) -> State:
        """Return changes of a state, and what cannot stay there without them."""


def play(case: Case, player: Player) -> list[Check]:
    """Play all that is recorded in a case, and return what is then to be checked."""
    after: dict[str, State] = {}
    checks = []
    for step in case.steps:
        if isinstance(step, Reads):
            state = state_of(step.state, after, player)
            checks.append(Check(state, step.text, tuple(step.blame.split())))
            continue
        state = state_of(step.on, after, player)
        if isinstance(step, Tell):
            player.tell(state, step.name, step.text)
        else:
            player.revert(state, step.name, step.of)
        after[step.name] = state | {step.name}
    return checks


def state_of(told: str, after: Mapping[str, State], player: Player) -> State:
    """Return the state that is told, from those after each change."""
    words = told.split()
    gone = frozenset(word[1:] for word in words if word.startswith("-"))
    state = State().union(*(after[word] for word in words if not word.startswith("-")))
    return state - player.dependents(state, gone) if gone else state


def sides(number: str, about: str, base: str, *told: str, reads: str) -> Case:
    """Return the case of sides that start from one base: the texts of each, in order."""
    steps: list[Step] = [Tell("O", "", base)]
    ends = []
    for letter, texts in zip("ABCDEFG", told, strict=False):
        before = "O"
        for place, text in enumerate(texts.split("; "), 1):
            name = f"{letter}{place}"
            steps.append(Tell(name, before, text))
            before = name
        ends.append(before)
    return Case(number, about, (*steps, Reads(" ".join(ends), reads)))


def count(case: Case) -> int:
    """Return how many changes a case records."""
    return sum(not isinstance(step, Reads) for step in case.steps)


def ranks(case: Case) -> list[tuple[int, ...]]:
    """Return orders for the ids of the changes: all of up to four, a few of more."""
    numbers = range(count(case))
    if len(numbers) <= 4:
        return list(permutations(numbers))
    random = Random(len(numbers))  # noqa: S311 - a sample of orders, no secret
    return [tuple(random.sample(numbers, len(numbers))) for _ in range(8)]


def fitting(cases: Iterable[Case]) -> list[Case]:
    """Return the cases that are not too large for the naive model."""
    return [case for case in cases if not case.is_large]
