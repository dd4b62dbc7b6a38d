import pytest

from oxy.repo.lacking import NoNodeError
from oxy.repo.many import registers_of
from oxy.repo.repository import Repository
from tests.builders.history import History


@pytest.mark.parametrize("wanted", [(1, 2, 3, 4), (2,), (1, 9), (), (4, 1, 2)])
def test_registers_are_those_that_are_read_one_by_one(wanted: tuple[int, ...]) -> None:
    history = History(Repository.in_memory())
    for number in range(9):
        history.commit({b"f%d" % number: b"x\n"}, *([number] if number else []))
    nodes = history.repository.nodes
    found = [(node, held.created, held.writes) for node, held in registers_of(nodes, wanted)]
    each = [(node, nodes.registers(node)) for node in sorted(wanted)]
    assert found == [(node, held.created, held.writes) for node, held in each]


def test_a_node_that_is_not_there_is_refused() -> None:
    history = History(Repository.in_memory())
    history.commit({b"f": b"x\n", b"g": b"x\n"})
    with pytest.raises(NoNodeError):
        list(registers_of(history.repository.nodes, (1, 2, 3)))
