import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyroaring import BitMap

from oxy.graph.text import TextGraph
from oxy.repo.cache import GRAPH, LOOKED
from oxy.repo.check.finding import CACHE
from oxy.repo.fsck import fsck
from oxy.repo.kept import FEW, REPLAYED
from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository, opened
from oxy.repo.tables import key
from oxy.repo.writing import writing
from tests.builders.history import History


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository.create(bytes(tmp_path))
    yield made
    made.close()


def edit(history: History, times: int, start: int = 0) -> int:
    """Edit one file so often; return the last change."""
    change = start
    for n in range(times):
        lines = b"".join(b"%d\n" % (n if line == n % 7 else line) for line in range(7))
        text = lines + b"%d %d\n" % (start, n)
        change = history.commit({b"f": text}, *([change] if change else []))
    return change


def newest(repository: Repository) -> int | None:
    found = repository.kept.get(1)
    return found[0] if found else None


def read(repository: Repository, change: int) -> bytes:
    return b"".join(repository.nodes.content(1, repository.states.of_change(change)))


def test_a_graph_that_took_long_to_replay_is_kept_at_the_end(repository: Repository) -> None:
    last = edit(History(repository), REPLAYED + 1)
    with opened(repository.root) as again:
        assert newest(again) is None
        wanted = read(again, last)
    with opened(repository.root) as again:
        assert newest(again) == last
        assert read(again, last) == wanted


def test_a_graph_of_few_changes_is_not_kept_unasked(repository: Repository) -> None:
    last = edit(History(repository), REPLAYED)
    with opened(repository.root) as again:
        read(again, last)
    with opened(repository.root) as again:
        assert newest(again) is None


def test_changes_after_a_kept_graph_are_replayed_on_it(repository: Repository) -> None:
    history = History(repository)
    first = edit(history, REPLAYED + 1)
    with opened(repository.root) as again:
        read(again, first)
    second = edit(history, 3, first)
    with opened(repository.root) as again:
        assert newest(again) == first
        bare = Nodes(again.store, again.states)
        for change in range(1, second + 1):
            state = again.states.of_change(change)
            assert read(again, change) == b"".join(bare.content(1, state))


def test_keeping_on_request_needs_more_than_a_few_changes(repository: Repository) -> None:
    history = History(repository)
    first = edit(history, FEW)
    assert not repository.nodes.keep(1)
    last = edit(history, 1, first)
    assert repository.nodes.keep(1)
    assert not repository.nodes.keep(1)
    assert newest(repository) == last


def test_nodes_without_kept_graphs_keep_none(repository: Repository) -> None:
    edit(History(repository), 3)
    assert not Nodes(repository.store, repository.states).keep(1)


def test_what_waits_is_dropped_with_a_transaction_that_is_taken_back(
    repository: Repository,
) -> None:
    history = History(repository)
    edit(history, FEW + 1)
    assert repository.nodes.keep(1)
    with pytest.raises(KeyError), writing(repository, history.stamp()):
        raise KeyError
    repository.kept.write()
    assert repository.cache.get(GRAPH, key(1)) is None


def test_a_graph_of_other_changes_of_the_same_numbers_is_not_taken(
    tmp_path: Path, repository: Repository
) -> None:
    last = edit(History(repository), FEW + 1)
    (tmp_path / "other").mkdir()
    other = Repository.create(bytes(tmp_path / "other"))
    try:
        history = History(other)
        history.now += 1
        edit(history, FEW + 1)
        other.nodes.keep(1)
        other.kept.write()
        row = other.cache.get(GRAPH, key(1))
    finally:
        other.close()
    assert row is not None
    repository.cache.put(GRAPH, [(key(1), row)])
    assert newest(repository) is None
    assert repository.nodes.graph(1).touched.max() == last


@pytest.mark.parametrize("damage", [b"", b"\0\0\0\3", bytes(40)])
def test_a_row_that_makes_no_sense_is_as_good_as_none(
    repository: Repository, damage: bytes
) -> None:
    last = edit(History(repository), 3)
    wanted = read(repository, last)
    repository.cache.put(GRAPH, [(key(1), damage)])
    assert newest(repository) is None
    repository.nodes.forget()
    assert read(repository, last) == wanted


def test_a_packed_graph_that_is_damaged_is_as_good_as_none(repository: Repository) -> None:
    edit(History(repository), FEW + 1)
    repository.nodes.keep(1)
    repository.kept.write()
    row = repository.cache.get(GRAPH, key(1)) or b""
    repository.cache.put(GRAPH, [(key(1), row[:30] + bytes([row[30] ^ 1]) + row[31:])])
    assert newest(repository) is None


def test_deleting_the_cache_changes_no_answer(repository: Repository) -> None:
    last = edit(History(repository), REPLAYED + 5)
    with opened(repository.root) as again:
        kept = [read(again, change) for change in range(1, last + 1)]
    os.unlink(os.path.join(repository.root, b".oxy", b"cache", b"checkpoints.db"))
    with opened(repository.root) as again:
        assert [read(again, change) for change in range(1, last + 1)] == kept


def test_what_waits_is_written_once_it_is_too_much(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(repository)
    history.commit({b"a": b"1\n", b"b": b"1\n", b"c": b"1\n"})
    repository.kept.put(1, 1, repository.nodes.graph(1))
    repository.kept.write()
    size = len(repository.cache.get(GRAPH, key(1)) or b"")
    repository.cache.put(GRAPH, [(key(1), b"old")])
    monkeypatch.setattr("oxy.repo.kept.WAITING", size)
    lengths = []
    for node in (1, 2, 3):
        repository.kept.put(node, 1, repository.nodes.graph(node))
        lengths.append([len(repository.cache.get(GRAPH, key(n)) or b"") for n in (1, 2, 3)])
    assert lengths == [[3, 0, 0], [size, size, 0], [size, size, 0]]


def test_a_kept_graph_that_is_wrong_is_found(repository: Repository) -> None:
    history = History(repository)
    last = edit(history, 3)
    graph = TextGraph()
    for change in range(1, 4):
        graph.deeds[change] = repository.nodes.graph(1).deeds[change]
        graph.touched.add(change)
    repository.kept.put(1, last, graph)
    assert_is_wrong(repository, history, last)


def test_lines_kept_beside_a_graph_that_are_wrong_are_found(repository: Repository) -> None:
    history = History(repository)
    last = edit(history, 3)
    for texts in ({2: b"other\n"}, {last + 1: b"of no change\n"}):
        repository.kept.put(1, last, repository.nodes.graph(1), texts)
        assert_is_wrong(repository, history, last if last + 1 in texts else 2)


def test_a_kept_graph_that_calls_clean_what_is_not_is_found(repository: Repository) -> None:
    history = History(repository)
    base = history.commit({b"f": b"a\n"})
    history.commit({b"f": b"b\n"}, base)
    last = history.commit({b"f": b"c\n"}, base)
    graph = repository.nodes.graph(1)
    graph.grounds.note(BitMap([1, 2, 3]))
    repository.kept.put(1, last, graph)
    assert_is_wrong(repository, history, last)


def assert_is_wrong(repository: Repository, history: History, last: int) -> None:
    repository.kept.write()
    (finding,) = fsck(repository, Silence())
    assert finding.area == CACHE
    assert finding.path == b"f"
    assert finding.what == (
        f"the kept graph of a file as of change {history.id(last).hex()} is wrong"
    )


def test_the_first_look_wants_what_more_than_a_few_changes_touch(
    repository: Repository,
) -> None:
    history = History(repository)
    last = history.commit({b"f": b"1\n", b"g": b"1\n"})
    for n in range(FEW):
        last = history.commit({b"f": b"%d\n" % (n + 2)}, last)
    assert repository.kept.wanting(last - 1) == []
    assert repository.kept.wanting(last) == [1]


def test_a_later_look_wants_what_changes_since_touch(repository: Repository) -> None:
    history = History(repository)
    first = history.commit({b"f": b"1\n", b"g": b"1\n"})
    repository.kept.note_looked(first)
    assert repository.kept.wanting(first) == []
    assert repository.kept.wanting(history.commit({b"g": b"2\n"}, first)) == [2]


def test_a_look_at_other_changes_of_the_same_numbers_is_no_look(repository: Repository) -> None:
    last = edit(History(repository), FEW + 1)
    repository.cache.put(LOOKED, [(b"", key(last) + bytes(16))])
    assert repository.kept.wanting(last) == [1]


def test_lines_kept_beside_a_graph_are_read_without_their_changes(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = edit(History(repository), FEW + 1)
    wanted = read(repository, last)
    repository.nodes.keep(1)
    repository.kept.write()
    with opened(repository.root) as again:
        state = again.states.of_change(last)
        monkeypatch.setattr("oxy.repo.insertions.read_node", None)
        monkeypatch.setattr("oxy.repo.nodes.read_node", None)
        spans = again.nodes.reading(1, state).spans()
        assert again.nodes.text(1, spans) == wanted


def test_of_too_many_lines_those_of_the_latest_changes_are_kept(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = edit(History(repository), FEW + 1)
    repository.nodes.keep(1)
    every = repository.kept.get(1)
    assert every is not None
    assert len(every.texts) == FEW + 1
    size = len(every.texts[last]) + len(every.texts[last - 1])
    monkeypatch.setattr("oxy.repo.kept.TEXTS", size)
    repository.kept.put(1, last, every.graph, every.texts)
    kept = repository.kept.get(1)
    assert kept is not None
    assert sorted(kept.texts) == [last - 1, last]
    repository.kept.write()
    with opened(repository.root) as again:
        assert read(again, last) == read(repository, last)


class Silence:
    """Progress that nobody watches."""

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        assert total is None or 0 <= done <= total, what
