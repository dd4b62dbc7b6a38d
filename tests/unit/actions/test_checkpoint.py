import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.actions.checkpoint import checkpoint
from oxy.model.operation import KIND_SYMLINK
from oxy.repo.cache import TREE, Cache
from oxy.repo.kept import FEW
from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from tests.builders.history import History, Made


class Silence:
    """Progress that nobody watches."""

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        assert total is None or 0 <= done <= total, what


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository.create(bytes(tmp_path), "fast")
    yield made
    made.close()


def many(history: History) -> int:
    """Record 30 files in three directories, one of them a few times; return the last change."""
    wanted = {b"d%d/f%d" % (n % 3, n): b"%d\n" % n for n in range(30)}
    change = history.commit({**wanted, b"link": Made(b"d0", kind=KIND_SYMLINK)})
    for n in range(FEW):
        change = history.commit({b"d0/f0": b"version %d\n" % n}, change)
    return change


def checked(repository: Repository, change: int) -> int:
    return checkpoint(repository, Name((change,)), Silence())


def test_texts_that_lack_more_than_a_few_changes_are_kept_once(repository: Repository) -> None:
    last = many(History(repository))
    assert checked(repository, last) == 1
    assert checked(repository, last) == 0


def test_the_next_checkpoint_looks_at_what_was_touched_since(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(repository)
    last = many(history)
    checked(repository, last)
    last = history.commit({b"d1/f1": b"other\n"}, last)
    looked: list[int] = []
    read: list[bytes] = []
    keep, get = Nodes.keep, Cache.get

    def keeping(self: Nodes, node: int) -> bool:
        looked.append(node)
        return keep(self, node)

    def getting(self: Cache, table: int, key: bytes) -> bytes | None:
        read.extend([key] * (table == TREE))
        return get(self, table, key)

    with opened(repository.root) as again:
        monkeypatch.setattr(Nodes, "keep", keeping)
        monkeypatch.setattr(Cache, "get", getting)
        assert checked(again, last) == 0
        assert len(looked) == 1
        assert len(set(read)) <= 2


def test_without_the_cache_everything_is_kept_again_and_reads_the_same(
    repository: Repository,
) -> None:
    last = many(History(repository))
    checked(repository, last)

    def answers() -> list[object]:
        with opened(repository.root) as again:
            entries = list(files(tree_of(again, Name((last,)))))
            state = again.states.of_change(last)
            read = [b"".join(again.nodes.content(entry.node, state)) for _, entry in entries]
            return [[(path, *entry[:3]) for path, entry in entries], read]

    told = answers()
    repository.cache.close()
    os.unlink(os.path.join(repository.root, b".oxy", b"cache", b"checkpoints.db"))
    assert answers() == told
    with opened(repository.root) as again:
        assert checked(again, last) == 1
    assert answers() == told
