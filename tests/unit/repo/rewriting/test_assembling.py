from random import Random

from oxy.model.operation import KIND_TEXT
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.rewriting.assembling import Assembly, assemble
from oxy.repo.rewriting.parts import Part, Taken, take_apart
from oxy.repo.writing import writing
from tests.builders.history import History
from tests.builders.rewrites import World


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
