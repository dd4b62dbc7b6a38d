from oxy.model.operation import NodeEdit
from oxy.repo.insertions import Inserted, Insertions
from oxy.repo.repository import Repository
from tests.builders.history import History


def test_lines_of_many_changes_are_read_together() -> None:
    history = History(Repository.in_memory())
    lines = [b"line %d\n" % number for number in range(10)]
    for number in range(10):
        history.commit({b"f": b"".join(lines[: number + 1])}, *([number] if number else []))
    nodes = history.repository.nodes
    alone: list[int] = []

    def read(node: int, change: int, edit: NodeEdit | None) -> bytes:
        if edit is None:
            alone.append(change)
        return nodes.inserted(node, change).text

    insertions = Insertions(history.repository.store, read)
    reading = nodes.reading(1, history.repository.states.of_change(10))
    assert insertions.text(1, reading.spans()) == b"".join(lines)
    assert alone == []
    assert insertions.of(1, 3) == Inserted(lines[2], [len(lines[2])])
    insertions.forget()
    assert insertions.of(1, 3).text == lines[2]
    assert alone == [3]


def test_lines_that_are_at_hand_are_not_read() -> None:
    def read(_: int, change: int, __: NodeEdit | None) -> bytes:
        return b"read of %d\n" % change

    insertions = Insertions(Repository.in_memory().store, read)
    insertions.supply(1, {3: b"at hand\n"})
    assert insertions.of(1, 3).text == b"at hand\n"
    assert insertions.of(2, 3).text == b"read of 3\n"
    insertions.supply(2, {3: b"too late\n"})
    assert insertions.of(2, 3).text == b"read of 3\n"
