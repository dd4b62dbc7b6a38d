import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.repo.cache import ROOT, SECRET, TREE
from oxy.repo.repository import Repository, opened
from oxy.repo.states import Name
from oxy.repo.tree import differences, files, get
from oxy.repo.trees import keep, keep_next, kept_trees, tree_of
from oxy.store.protocol import CHANGE
from tests.builders.history import History, Made
from tests.builders.scribe import MAIN, File, Scribe

PATHS = (b"a", b"d/b", b"d/e/c", b"d/e/f/g", b"h/i")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    scribe.commit(Name(), {path: File(path + b"\n") for path in PATHS})
    scribe.commit(Name((1,)), {b"d/e/c": File(b"other\n"), b"h/i": None})
    for name in (Name((1,)), Name((2,))):
        keep(repository, name, tree_of(repository, name))
    repository.close()
    return tmp_path


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    made = Repository.create(bytes(tmp_path), "fast")
    yield made
    made.close()


def _cache(place: Path) -> Path:
    return place / ".oxy" / "cache" / "checkpoints.db"


def _answers(place: Path) -> object:
    """Return what a fresh process finds in and between the trees."""
    repository = Repository.at(bytes(place))
    older, newer = (tree_of(repository, Name((change,))) for change in (1, 2))
    found = [
        [(path, *entry[:3]) for path, entry in files(older)],
        [(path, *entry[:3]) for path, entry in files(newer)],
        [path for path, _, _ in differences(older, newer)],
        get(newer, b"d/e/f/g") == get(older, b"d/e/f/g"),
    ]
    repository.close()
    return found


def _rows(place: Path) -> list[tuple[int, bytes]]:
    database = sqlite3.connect(_cache(place))
    found: list[tuple[int, bytes]] = database.execute("SELECT tab, key FROM cache").fetchall()
    database.close()
    return found


def _delete(place: Path, table: int, key: bytes) -> None:
    database = sqlite3.connect(_cache(place))
    database.execute("DELETE FROM cache WHERE tab = ? AND key = ?", (table, key))
    database.commit()
    database.close()


def test_whichever_row_is_lost_the_answers_are_the_same(place: Path) -> None:
    wanted = _answers(place)
    whole = _cache(place).read_bytes()
    rows = _rows(place)
    assert {table for table, _ in rows} == {TREE, ROOT, SECRET}
    for table, key in rows:
        _delete(place, table, key)
        assert _answers(place) == wanted
        assert _answers(place) == wanted
        _cache(place).write_bytes(whole)


def test_a_lost_directory_is_kept_again_by_who_misses_it(place: Path) -> None:
    before = sorted(_rows(place))
    for table, key in before:
        if table == TREE:
            _delete(place, table, key)
    _answers(place)
    assert sorted(_rows(place)) == before


def test_without_a_cache_the_answers_are_the_same(place: Path) -> None:
    wanted = _answers(place)
    _cache(place).unlink()
    assert _answers(place) == wanted


def test_a_kept_tree_of_another_secret_is_not_used(place: Path) -> None:
    _delete(place, SECRET, b"")
    repository = Repository.at(bytes(place))
    assert list(kept_trees(repository)) == []
    repository.close()


def test_the_kept_trees_are_those_that_were_kept(place: Path) -> None:
    repository = Repository.at(bytes(place))
    names = [name for name, _ in kept_trees(repository)]
    assert sorted(names) == [Name((1,)), Name((2,))]
    repository.close()


def test_a_tree_that_is_kept_is_found_from_states_further_on() -> None:
    scribe = Scribe(Repository.in_memory())
    scribe.commit(Name(), {b"f": File(b"a\n")})
    target = scribe.repository.refs.get(MAIN)
    assert target is not None
    tree = tree_of(scribe.repository, target.state)
    assert [(path, entry.node) for path, entry in files(tree)] == [(b"f", 1)]


def test_version_keys_are_equal_where_the_same_changes_touch_a_node(place: Path) -> None:
    repository = Repository.at(bytes(place))
    older, newer = (dict(files(tree_of(repository, Name((c,))))) for c in (1, 2))
    assert {p for p in newer if newer[p].key != older[p].key} == {b"d/e/c"}
    repository.close()


def test_a_tree_that_is_far_from_every_kept_one_is_kept_when_all_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.repo.trees.FAR", 3)
    history = History(Repository.create(bytes(tmp_path)))
    for number in range(8):
        history.commit({b"f%d" % number: b"x\n"}, *([number] if number else []))
    history.repository.close()
    asked = [Name((2,)), Name((4,)), Name((8,))]
    with opened(bytes(tmp_path)) as repository:
        first = [list(files(tree_of(repository, name))) for name in asked]
        assert list(kept_trees(repository)) == []
    with opened(bytes(tmp_path)) as repository:
        # The first was far from nothing, the second near the first, the third far from that.
        assert [name for name, _ in kept_trees(repository)] == [asked[0], asked[2]]
        again = [list(files(tree_of(repository, name))) for name in asked]
        near = list(files(tree_of(repository, Name((3,)))))
        assert repository.waiting == []
    assert again == first
    assert [path for path, _ in near] == [b"f%d" % number for number in range(3)]


def test_a_tree_of_what_was_taken_back_is_not_kept(tmp_path: Path) -> None:
    history = History(Repository.create(bytes(tmp_path)))
    history.commit({b"f": b"x\n"})
    repository = history.repository
    tree_of(repository, Name((1,)))
    repository.forget()
    repository.close()
    with opened(bytes(tmp_path)) as again:
        assert list(kept_trees(again)) == []


def test_no_answer_depends_on_the_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.repo.trees.FAR", 2)
    monkeypatch.setattr("oxy.repo.nodes.REPLAYED", 2)
    history = History(Repository.create(bytes(tmp_path)))
    text = b""
    for number in range(9):
        text += b"%d\n" % number
        history.commit(
            {b"d/f": text, b"g%d" % (number % 3): text}, *([number] if number else [])
        )
    history.repository.close()

    def answers() -> list[object]:
        with opened(bytes(tmp_path)) as repository:
            return [
                (
                    path,
                    b"".join(
                        repository.nodes.content(entry.node, repository.states.of_change(c))
                    ),
                )
                for c in (9, 1, 5)
                for path, entry in files(tree_of(repository, Name((c,))))
            ]

    first = answers()
    assert answers() == first
    shutil.rmtree(tmp_path / ".oxy" / "cache")
    assert answers() == first
    with opened(bytes(tmp_path)) as repository:
        assert {name for name, _ in kept_trees(repository)} >= {Name((1,)), Name((9,))}


def _branched(place: Path, other: dict[bytes, bytes | Made | None]) -> Repository:
    """Record two changes on one, of which only the first tells this repository from others."""
    place.mkdir()
    repository = Repository.create(bytes(place), "fast")
    history = History(repository)
    base = history.commit({b"a": b"a\n"}, hours=0)
    history.commit(other, base, hours=1, bookmark=None)
    history.commit({b"c": b"c\n"}, base, hours=2)
    return repository


def test_a_tree_kept_before_a_renumbering_is_not_believed(tmp_path: Path) -> None:
    lost = _branched(tmp_path / "lost", {b"b": b"b\n"})
    keep(lost, Name((3,)), tree_of(lost, Name((3,))))
    now = _branched(tmp_path / "now", {b"b": b"b\n", b"d": b"d\n"})
    assert lost.store.id_of(CHANGE, 3) == now.store.id_of(CHANGE, 3)
    lost.close()
    now.close()
    shutil.copy(_cache(tmp_path / "lost"), _cache(tmp_path / "now"))
    with opened(bytes(tmp_path / "now")) as repository:
        found = [(path, entry.node) for path, entry in files(tree_of(repository, Name((3,))))]
        assert found == [(b"a", 1), (b"c", 4)]
        assert not list(kept_trees(repository))


def test_of_the_trees_of_commits_the_last_ones_and_a_few_others_stay(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.repo.trees.RECENT", 3)
    monkeypatch.setattr("oxy.repo.trees.EVERY", 4)
    history = History(repository)
    trees = []
    for n in range(1, 12):
        change = history.commit({b"f": b"%d\n" % n}, *([n - 1] if n > 1 else []))
        trees.append(list(files(tree_of(repository, Name((change,))))))
        keep_next(repository, change, Name((change,)), tree_of(repository, Name((change,))))
    kept = [name.heads[0] for name, _ in kept_trees(repository)]
    assert kept == [4, 8, 9, 10, 11]
    with opened(repository.root) as again:
        for n in range(1, 12):
            assert list(files(tree_of(again, Name((n,))))) == trees[n - 1]
