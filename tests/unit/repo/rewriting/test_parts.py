from oxy.graph.deed import EDGE, Block, Deed
from oxy.graph.weave import SHIFT
from oxy.model.operation import PLACE, Directory
from oxy.repo.repository import Repository
from oxy.repo.rewriting.parts import At, Wrote, chains, own, take_apart
from tests.builders.history import History


def test_directories_are_chains_from_the_root() -> None:
    directories = (Directory(0, b"a"), Directory(1, b"b", 2))
    assert chains(directories) == [(), ((b"a", 0),), ((b"a", 0), (b"b", 2))]


def test_a_change_is_taken_apart_in_numbers() -> None:
    history = History(Repository.in_memory())
    first = history.commit({b"d/f": b"1\n"})
    second = history.commit({b"d/f": None}, first)
    created = take_apart(history.repository, first).parts[1]
    assert own(created)
    assert created.writes == (Wrote(PLACE, At(((b"d", 0),), b"f"), ()),)
    assert created.deed == Deed((), (Block(first << SHIFT, 1, EDGE, EDGE),))
    taken = take_apart(history.repository, second)
    assert taken.deps == (first,)
    assert not own(taken.parts[1])
    assert taken.parts[1].writes == (Wrote(PLACE, None, (first,)),)
