from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.describe import NoTagAtAllError, describe
from oxy.actions.tags import create
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from tests.builders.history import History


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    repository = Repository.create(bytes(tmp_path))
    yield History(repository)
    repository.close()


def tag(history: History, name: bytes, *changes: int) -> None:
    create(history.repository, history.stamp(b"tag"), name, state(history, *changes), None)


def state(history: History, *changes: int) -> Name:
    states = history.repository.states
    return states.join(tuple(map(states.name_of_change, changes)))


def short(history: History, change: int) -> str:
    return history.id(change).hex()[:12]


def test_the_nearest_tag_counts(history: History) -> None:
    first = history.commit({b"f": b"a\n"})
    second = history.commit({b"f": b"b\n"}, first)
    third = history.commit({b"f": b"c\n"}, second)
    aside = history.commit({b"g": b"c\n"}, second)
    for name, change in ((b"v1", first), (b"v2", second), (b"aside", aside)):
        tag(history, name, change)
    described = [describe(history.repository, Name((c,))).name for c in (first, second, third)]
    assert described == ["v1", "v2", f"v2-1-{short(history, third)}"]


def test_of_two_tags_of_one_state_the_last_name_counts(history: History) -> None:
    change = history.commit({b"f": b"a\n"})
    tag(history, b"v1.0", change)
    tag(history, b"v1.0-rc1", change)
    assert describe(history.repository, Name((change,))).tag == b"v1.0-rc1"


def test_a_union_names_all_of_its_newest(history: History) -> None:
    base = history.commit({b"f": b"a\n"})
    sides = [history.commit({name: b"x\n"}, base) for name in (b"g", b"h")]
    tag(history, b"v1", base)
    ids = "+".join(sorted(short(history, side) for side in sides))
    assert describe(history.repository, state(history, *sides)).name == f"v1-2-{ids}"


def test_without_a_tag_only_the_newest_is_told_if_that_is_asked(history: History) -> None:
    change = history.commit({b"f": b"a\n"})
    with pytest.raises(NoTagAtAllError):
        describe(history.repository, Name((change,)))
    found = describe(history.repository, Name((change,)), always=True)
    assert found.name == short(history, change)
    with pytest.raises(NoTagAtAllError):
        describe(history.repository, Name(), always=True)
