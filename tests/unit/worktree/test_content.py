from collections.abc import Iterator

import pytest
from blake3 import blake3
from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.worktree.conflicted import content
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from tests.builders.history import History

TEXTS = (b"one\n", b"one\ntwo\n", b"one\ntwo\nthree\n")


@pytest.fixture
def repository() -> Repository:
    history = History(Repository.in_memory())
    base = history.commit({b"%d" % n: b"" for n in range(len(TEXTS))})
    history.commit({b"%d" % n: text for n, text in enumerate(TEXTS)}, base)
    return history.repository


def item(number: int) -> Item:
    return Item(number + 1, KIND_TEXT, 0, UNHASHED)


def rendered(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the nodes that are read from now on, as they are."""
    nodes: list[int] = []

    def reading(repository: Repository, node: int, state: BitMap) -> Iterator[bytes]:
        nodes.append(node)
        return content(repository, node, state)

    monkeypatch.setattr("oxy.worktree.content.content", reading)
    return nodes


@pytest.mark.parametrize("room", [0, 4, 12, 100])
def test_what_is_held_reads_as_what_is_not(repository: Repository, room: int) -> None:
    held = Content(repository, Name((2,)), room)
    for _ in range(2):
        digests = [held.digest(item(n)) for n in range(len(TEXTS))]
        assert digests == [blake3(text).digest() for text in TEXTS]
        assert [held.read(item(n)) for n in range(len(TEXTS))] == list(TEXTS)


def test_a_file_whose_digest_was_told_is_read_once(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = rendered(monkeypatch)
    held = Content(repository, Name((2,)), 100)
    held.digest(item(0))
    assert held.read(item(0)) == TEXTS[0]
    assert nodes == [1]
    assert held.read(item(0)) == TEXTS[0]
    assert nodes == [1, 1]


def test_no_more_is_held_than_there_is_room_for(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = rendered(monkeypatch)
    held = Content(repository, Name((2,)), len(TEXTS[0]) + len(TEXTS[1]))
    for n in range(len(TEXTS)):
        held.digest(item(n))
    for n in range(len(TEXTS)):
        held.read(item(n))
    assert nodes == [1, 2, 3, 3]
