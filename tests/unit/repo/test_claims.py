from pathlib import Path

import pytest
from pyroaring import BitMap

from oxy.model.operation import KIND_BINARY
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import DISPUTED_PATH, EMPTY, Entry, files
from oxy.repo.trees import keep, moved, tree_of, twins
from oxy.store.protocol import CHANGE
from tests.builders.scribe import File, Scribe


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def _commit(scribe: Scribe, context: Name, *paths: bytes) -> Name:
    # No two are alike: nodes of equal content show as one.
    at = b"%d\n" % scribe.repository.store.count(CHANGE)
    number = scribe.commit(context, {path: File(path + at) for path in paths}).number
    return Name((number,))


def _shown(scribe: Scribe, *names: Name) -> dict[bytes, int]:
    union = scribe.repository.states.join(names)
    return {path: entry.node for path, entry in files(tree_of(scribe.repository, union))}


def _loser(scribe: Scribe, path: bytes, name: Name, digits: int = 8) -> bytes:
    (change,) = name.heads
    rank = scribe.repository.store.id_of(CHANGE, change).hex().encode()
    return path + b".~" + rank[:digits]


def test_of_two_nodes_at_one_path_the_smaller_id_keeps_it(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a")
    nodes = scribe.repository.nodes
    winner, loser = sorted((1, 2), key=lambda node: nodes.origin(node)[0])
    placed = {1: ours, 2: theirs}
    wanted = {b"a": winner, _loser(scribe, b"a", placed[loser]): loser}
    assert _shown(scribe, ours, theirs) == wanted
    assert _shown(scribe, theirs, ours) == wanted


def test_a_directory_keeps_its_name_before_a_file(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b/c")
    assert _shown(scribe, ours, theirs) == {b"a/b/c": 2, _loser(scribe, b"a", ours): 1}


def test_a_loser_takes_the_path_once_it_is_free(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b")
    union = scribe.repository.states.join((ours, theirs))
    gone = Name((scribe.commit(union, {b"a/b": None}).number,))
    assert _shown(scribe, gone) == {b"a": 1}


def test_a_loser_takes_more_digits_where_its_name_is_taken(scribe: Scribe) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b")
    taken = _commit(scribe, Name(), _loser(scribe, b"a", ours))
    assert _shown(scribe, ours, theirs, taken) == {
        b"a/b": 2,
        _loser(scribe, b"a", ours): 3,
        _loser(scribe, b"a", ours, 9): 1,
    }


def test_a_loser_takes_more_digits_where_its_name_is_that_of_a_directory(
    scribe: Scribe,
) -> None:
    ours, theirs = _commit(scribe, Name(), b"a"), _commit(scribe, Name(), b"a/b")
    taken = _commit(scribe, Name(), _loser(scribe, b"a", ours) + b"/c")
    assert _shown(scribe, ours, theirs, taken) == {
        b"a/b": 2,
        _loser(scribe, b"a", ours) + b"/c": 3,
        _loser(scribe, b"a", ours, 9): 1,
    }


def test_a_name_like_that_of_a_loser_is_a_name(scribe: Scribe) -> None:
    assert _shown(scribe, _commit(scribe, Name(), b"a.~12345678", b"a")) == {
        b"a": 1,
        b"a.~12345678": 2,
    }


def test_three_nodes_at_one_path_all_show(scribe: Scribe) -> None:
    names = [_commit(scribe, Name(), b"d/a") for _ in range(3)]
    shown = _shown(scribe, *names)
    assert sorted(shown.values()) == [1, 2, 3]
    assert b"d/a" in shown


def _same(scribe: Scribe, *texts: bytes, mode: int = 0) -> list[Name]:
    """Add the file a on sides that do not know each other, a text for each."""
    return [
        Name((scribe.commit(Name(), {b"a": File(text, mode=mode)}).number,)) for text in texts
    ]


def _entries(scribe: Scribe, *names: Name) -> dict[bytes, Entry]:
    union = scribe.repository.states.join(names)
    return dict(files(tree_of(scribe.repository, union)))


def _by_id(scribe: Scribe, *nodes: int) -> list[int]:
    return sorted(nodes, key=lambda node: scribe.repository.nodes.origin(node)[0])


def test_nodes_of_equal_content_show_as_one_and_are_no_conflict(scribe: Scribe) -> None:
    names = _same(scribe, b"x\n", b"x\n", b"x\n")
    first, *others = _by_id(scribe, 1, 2, 3)
    (entry,) = _entries(scribe, *names).values()
    assert (entry.node, entry.twins, entry.disputed) == (first, tuple(others), 0)
    root = tree_of(scribe.repository, scribe.repository.states.join(tuple(names)))
    assert twins(root, b"a") == tuple(others)
    assert twins(root, b"b") == ()


def test_twins_that_come_to_differ_show_apart_and_then_as_one_again(scribe: Scribe) -> None:
    names = _same(scribe, b"x\n", b"x\n")
    edited = Name((scribe.commit(names[1], {b"a": File(b"y\n")}).number,))
    back = Name((scribe.commit(edited, {b"a": File(b"x\n")}).number,))
    repository = scribe.repository
    states = [
        repository.states.members(repository.states.join((names[0], name)))
        for name in (names[1], edited, back)
    ]
    counts = [1, 2, 1]
    for start, old in enumerate(states):
        root = moved(repository, EMPTY, BitMap(), old)
        assert len(list(files(root))) == counts[start]
        for end, new in enumerate(states):
            near = files(moved(repository, root, old, new))
            assert list(near) == list(files(moved(repository, EMPTY, BitMap(), new)))
            assert len(list(files(moved(repository, root, old, new)))) == counts[end]


def test_where_one_twin_goes_away_the_other_stays(scribe: Scribe) -> None:
    names = _same(scribe, b"x\n", b"x\n")
    gone = Name((scribe.commit(names[0], {b"a": None}).number,))
    moved_on = Name((scribe.commit(names[0], {}, {b"a": b"b"}).number,))
    assert {p: e.node for p, e in _entries(scribe, gone, names[1]).items()} == {b"a": 2}
    shown = {p: (e.node, e.twins) for p, e in _entries(scribe, moved_on, names[1]).items()}
    assert shown == {b"b": (1, ()), b"a": (2, ())}


def test_equal_losers_show_as_one_too(scribe: Scribe) -> None:
    names = _same(scribe, b"x\n", b"y\n", b"x\n", b"y\n")
    shown = _entries(scribe, *names)
    assert sorted(entry.disputed for entry in shown.values()) == [DISPUTED_PATH] * 2
    held = sorted((entry.node, *entry.twins) for entry in shown.values())
    assert held == sorted([tuple(_by_id(scribe, 1, 3)), tuple(_by_id(scribe, 2, 4))])


def test_another_mode_makes_another_file(scribe: Scribe) -> None:
    plain, other = _same(scribe, b"x\n"), _same(scribe, b"x\n", mode=1)
    assert len(_entries(scribe, *plain, *other)) == 2


def test_equal_binaries_are_equal_inline_or_not(scribe: Scribe) -> None:
    names = [
        Name((scribe.commit(Name(), {b"a": File(data, KIND_BINARY)}).number,))
        for data in (b"\0" * 5000, b"\0" * 5000, b"\0", b"\0")
    ]
    assert sorted(len(e.twins) for e in _entries(scribe, *names).values()) == [1, 1]


def test_twins_are_kept_with_a_tree(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    union = repository.states.join(tuple(_same(scribe, b"x\n", b"x\n")))
    root = tree_of(repository, union)
    keep(repository, union, root)
    assert list(files(tree_of(repository, union))) == list(files(root))
    repository.close()
