"""What was exchanged reads the same, whatever the order of arrival (spec: sync, SY35, S15)."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.repo.fsck import fsck
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.store.protocol import CHANGE
from tests.builders.exchange import Silent, ids, sent, translated
from tests.builders.scribe import Scribe
from tests.property.test_repo_rows import play

FEWER: Final = settings(max_examples=settings().max_examples // 2)


def outward(repository: Repository, name: Name) -> tuple[tuple[bytes, ...], ...]:
    return tuple(ids(repository, part) for part in name)


def read(repository: Repository, name: Name) -> list[tuple[bytes, int, int, bytes]]:
    state = repository.states.members(name)
    return [
        (path, entry.kind, entry.mode, b"".join(repository.nodes.content(entry.node, state)))
        for path, entry in files(tree_of(repository, name))
    ]


@FEWER
@given(st.data())
def test_states_have_the_same_names_and_bytes_in_every_order_of_arrival(
    data: st.DataObject,
) -> None:
    source = Repository.in_memory()
    names = play(Scribe(source), data, 7)
    target = Repository.in_memory()
    total = source.store.count(CHANGE)
    for change in data.draw(st.permutations(range(1, total + 1))):
        sent(source, target, [change])
    assert target.store.count(CHANGE) == total
    for change in range(1, total + 1):
        there = translated(source, target, Name((change,))).heads[0]
        name = source.states.name_of_change(change)
        assert outward(target, target.states.name_of_change(there)) == outward(source, name)
    for name in names:
        held = translated(source, target, name)
        assert ids(target, target.states.members(held)) == ids(
            source, source.states.members(name)
        )
        assert read(target, held) == read(source, name)
    assert list(fsck(target, Silent())) == []
