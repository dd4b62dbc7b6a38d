"""A change that comes after one that names it weakly: answers are those of the other order."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from oxy.codec.encode import encode
from oxy.model.change import Context, Header, Moment, Operations
from oxy.model.digest import ChangeId
from oxy.model.operation import (
    KIND_TEXT,
    PLACE,
    Hunk,
    Insert,
    Lines,
    NodeEdit,
    NodeRef,
    Place,
    Restore,
    Settle,
    TextEdit,
    Write,
)
from oxy.repo.fsck import fsck
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.part import ChangePart
from tests.builders.exchange import Silent, taken


def made(
    at: int, edit: NodeEdit, *deps: ChangeId, weak: tuple[ChangeId, ...] = ()
) -> ChangePart:
    header = Header(b"a", Moment(at, 0), b"m", deps, Context(deps))
    change, payload = encode(header, Operations(weak, (), (edit,)))
    return ChangePart(change.id, payload)


def edited(edit: TextEdit, content: bytes | None = None) -> NodeEdit:
    return NodeEdit(NodeRef(1, 0), None, (), edit, content)


BASE: Final = made(
    1,
    NodeEdit(
        NodeRef(0, 0),
        KIND_TEXT,
        (Write(PLACE, Place(0, b"f")),),
        TextEdit(3, (Insert(3, None, None),)),
        b"a\nb\nc\n",
    ),
)
DELETES: Final = made(2, edited(TextEdit(hunks=(Hunk((Lines(1, 1, 1),), None),))), BASE.id)
RESTORES: Final = made(
    3, edited(TextEdit(restores=(Restore(Lines(1, 1, 1), (2,)),))), BASE.id, weak=(DELETES.id,)
)
ADDS: Final = made(4, edited(TextEdit(1, (Insert(1, None, None),)), b"x\n"), BASE.id)
KEEPS: Final = made(
    5, edited(TextEdit(keeps=(Lines(1, 0, 2), Lines(2, 0, 4)))), BASE.id, weak=(ADDS.id,)
)
SETTLES: Final = made(
    6, edited(TextEdit(settles=(Settle(Lines(1, 0, 2), 2, None),))), BASE.id, weak=(DELETES.id,)
)
OTHERS: Final = (DELETES, RESTORES, ADDS, KEEPS, SETTLES)


def read(repository: Repository, names: tuple[ChangePart, ...]) -> object:
    numbers = (repository.store.number_of(CHANGE, part.id) for part in names)
    name = Name(tuple(sorted(number or 0 for number in numbers)))
    reading = repository.nodes.reading(1, repository.states.members(name))
    content = b"".join(repository.nodes.content(1, repository.states.members(name)))
    return content, len(reading.conflicts)


def states() -> Iterator[tuple[ChangePart, ...]]:
    for size in (1, 2, 5):
        yield from (tuple(chosen) for chosen in permutations(OTHERS, size) if is_first(chosen))


def is_first(chosen: tuple[ChangePart, ...]) -> bool:
    places = [OTHERS.index(part) for part in chosen]
    return places == sorted(places)


def test_every_order_of_arrival_gives_the_same_answers() -> None:
    expected: dict[tuple[ChangePart, ...], object] = {}
    for order in permutations(OTHERS):
        repository = Repository.in_memory()
        taken(repository, [BASE])
        for part in order:
            # The graph is in memory while the next one comes.
            repository.nodes.graph(1)
            taken(repository, [part])
        for state in states():
            now = read(repository, state)
            assert expected.setdefault(state, now) == now
        assert list(fsck(repository, Silent())) == []
    assert expected[DELETES, RESTORES] == (b"a\nb\nc\n", 0)
    assert expected[DELETES,] == (b"a\nc\n", 0)


@pytest.mark.parametrize("late", [DELETES, ADDS])
def test_a_kept_graph_is_bound_again(tmp_path: Path, late: ChangePart) -> None:
    early = [part for part in OTHERS if part != late]
    repository = Repository.create(bytes(tmp_path), "fast")
    taken(repository, [BASE, *early])
    assert repository.nodes.keep(1)
    repository.close()
    repository = Repository.at(bytes(tmp_path))
    assert repository.kept.get(1) is not None
    taken(repository, [late])
    assert repository.kept.get(1) is None
    assert repository.kept.behind(1) == len(OTHERS) + 1
    straight = Repository.in_memory()
    taken(straight, [BASE, *OTHERS])
    for state in states():
        assert read(repository, state) == read(straight, state)
    assert repository.nodes.keep(1)
    repository.close()
    repository = Repository.at(bytes(tmp_path))
    assert repository.kept.get(1) is not None
    assert list(fsck(repository, Silent())) == []
    repository.close()
