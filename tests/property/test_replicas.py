"""Replicas with the same changes hold the same files (spec: states, S15; graph, G15).

Each is a repository of its own, which the changes reach in an order of its own.
"""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.model.operation import BYTES, KIND_BINARY, KIND_TEXT, MODE, PLACE
from tests.builders.replica import Looks, Replica
from tests.graphs.bridge import shown_by_model
from tests.graphs.repository import model_of_text, shown_by_repository

NAMES = (b"f", b"g", b"d/f", b"d/g", b"f/g", b"e/d/f")
LINES = b"aabcdefgh"
MOST_LINES = 8
BINARIES = (b"\0", b"\0one", b"\0two", b"\0" * 5000)

Step = tuple[int, int, int, int, int]
NUMBER = st.integers(0, 63)
STEPS = st.lists(st.tuples(NUMBER, NUMBER, NUMBER, NUMBER, NUMBER), min_size=4, max_size=24)
LAW = settings(max_examples=max(200, settings().max_examples))


class Group:
    """Replicas that start from one file, and what each set of changes looked like."""

    def __init__(self, count: int, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - a case is made, no secret
        self.replicas = [Replica(b"Ann %d <ann@x>" % number) for number in range(count)]
        self.seen: dict[frozenset[bytes], dict[bytes, Looks]] = {}
        first = self.replicas[0]
        first.create(b"f", b"a\nb\nc\n")
        for other in self.replicas[1:]:
            other.take(first, first.state, self.random)

    def step(self, step: Step) -> None:
        who, kind, *numbers = step
        replica = self.replicas[who % len(self.replicas)]
        other = self.replicas[numbers[0] % len(self.replicas)]
        kind %= 16
        if kind >= 12:
            self.exchange(replica, other, is_all=kind >= 14, number=numbers[1])
        elif kind == 11 and replica.state:
            replica.unrecord(sorted(replica.state)[numbers[0] % len(replica.state)])
        else:
            self.record(replica, kind, numbers)
        self.look(replica)

    def exchange(self, replica: Replica, other: Replica, *, is_all: bool, number: int) -> None:
        """Take over everything from another replica, or one change with what it needs."""
        if not other.state or other is replica:
            return
        one = sorted(other.state)[number % len(other.state)]
        changes = other.state if is_all else other.closure([one])
        replica.take(other, changes, self.random)

    def record(self, replica: Replica, kind: int, numbers: list[int]) -> None:
        """Edit, rename, delete, make executable, write a binary anew, or create."""
        first, second, third = numbers
        nodes = replica.nodes()
        if not nodes or kind == 10:
            create(replica, first, second)
            return
        node = nodes[first % len(nodes)]
        view = replica.view(node)
        if kind == 9:
            replica.set(node, PLACE, None)
        elif kind == 8:
            replica.set(node, PLACE, NAMES[second % len(NAMES)])
        elif kind == 7:
            replica.set(node, MODE, second % 2)
        elif view.kind == KIND_BINARY:
            replica.set(node, BYTES, BINARIES[second % len(BINARIES)])
        else:
            replica.edit(node, spliced(replica.shown(node), second, third))

    def look(self, replica: Replica) -> None:
        """Check that a replica looks as any other did that held the same set."""
        looks = replica.looks()
        assert self.seen.setdefault(replica.state, looks) == looks

    def gather(self) -> None:
        """Bring everything to every replica."""
        for target in self.replicas:
            for source in self.replicas:
                target.take(source, source.state, self.random)
        for target in self.replicas:
            self.look(target)


def create(replica: Replica, first: int, second: int) -> None:
    path = NAMES[first % len(NAMES)]
    if second % 4 == 3:
        replica.create(path, BINARIES[second // 4 % len(BINARIES)], KIND_BINARY)
    else:
        replica.create(path, b"a\nb" if second % 4 else b"a\nb\n")


def spliced(text: bytes, where: int, what: int) -> bytes:
    """Return lines with some dropped, and up to two others in their place."""
    lines = text.split(b"\n")[:-1]
    start = where % (len(lines) + 1)
    fresh = [LINES[(what + n) % len(LINES) :][:1] for n in range(what % 3)]
    lines[start : start + where // 16] = fresh
    kept = lines[:MOST_LINES]
    is_ended = what % 8 or not kept
    return b"".join(line + b"\n" for line in kept) if is_ended else b"\n".join(kept)


def check(count: int, seed: int, steps: list[Step]) -> None:
    """Play the steps of a case, and compare whatever is the same set."""
    group = Group(count, seed)
    for step in steps:
        group.step(step)
    group.gather()
    replica = group.replicas[seed % count]
    for node in replica.nodes():
        if replica.view(node).kind == KIND_TEXT:
            text, state = model_of_text(replica, node)
            assert shown_by_repository(replica, node) == shown_by_model(text, state)


@LAW
@given(st.integers(3, 6), NUMBER, STEPS)
def test_replicas_with_the_same_changes_hold_the_same_files(
    count: int, seed: int, steps: list[Step]
) -> None:
    check(count, seed, steps)
