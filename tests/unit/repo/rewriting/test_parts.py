from random import Random

from oxy.graph.deed import EDGE, Block, Deed
from oxy.graph.weave import SHIFT
from oxy.model.operation import KIND_TEXT, PLACE, Directory
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.rewriting.assembling import Assembly, assemble
from oxy.repo.rewriting.parts import At, Part, Taken, Wrote, chains, own, take_apart
from oxy.repo.writing import writing
from tests.builders.history import History
from tests.builders.rewrites import World


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


def again(repository: Repository, history: History, taken: Taken, change: int) -> bytes:
    """Return the id of a change that is made of the parts of one."""
    header = taken.header
    intent = Intent(header.author, header.time, header.message, header.extra)
    base = repository.states.link(change).context
    parts: list[Part] = list(taken.parts.values())
    with writing(repository, history.stamp()) as work:
        assembly = Assembly(intent, base, parts, frozenset(taken.deps), change)
        return assemble(work, assembly).change.id


def test_what_is_put_together_again_is_the_same_change() -> None:
    for seed in range(30):
        world = World(Random(seed), 8)  # noqa: S311 - it draws cases
        repository = world.repository
        for change in range(1, 9):
            taken = take_apart(repository, change)
            name = repository.store.id_of(1, change)
            assert again(repository, History(repository), taken, change) == name


def test_long_contents_are_blobs_again_and_short_ones_are_not() -> None:
    history = History(Repository.in_memory())
    long, short = b"x" * 5000 + b"\n", b"y\n"
    change = history.commit({b"a": long, b"b": short})
    taken = take_apart(history.repository, change)
    assert again(history.repository, history, taken, change) == history.id(change)
    assert {part.created for part in taken.parts.values()} == {KIND_TEXT}
