from pathlib import Path

import pytest
from pyroaring import BitMap

from oxy.model.digest import ROOT, directory_id
from oxy.repo.directories import Moving, Ways, identity_of, parted, under
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.moving import IntoItselfError, moved_back, moving
from oxy.repo.registers import Value
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import DIRECTORY
from oxy.repo.tree import DISPUTED_DIRECTORY, EMPTY, files
from oxy.repo.trees import keep, moved, tree_of
from oxy.store.protocol import CHANGE
from tests.builders.bridge import Silent
from tests.builders.scribe import File, Scribe

BASE = {b"d/a": File(b"a\n"), b"d/s/b": File(b"b\n"), b"x/c": File(b"c\n")}


@pytest.fixture
def scribe() -> Scribe:
    found = Scribe(Repository.in_memory())
    found.commit(Name(), BASE)
    return found


def _move(scribe: Scribe, on: Name, old: bytes, new: bytes) -> Name:
    return Name((scribe.commit(on, {}, {}, {old: new}).number,))


def _flags(scribe: Scribe, *names: Name) -> dict[bytes, int]:
    """Return the flags of each path of a union, the same worked out from any state."""
    repository = scribe.repository
    name = repository.states.join(names)
    state = repository.states.members(name)
    wanted = list(files(moved(repository, EMPTY, BitMap(), state)))
    for at in range(1, repository.store.count(CHANGE) + 1):
        old = repository.states.of_change(at)
        near = moved(repository, tree_of(repository, Name((at,))), old, state)
        assert list(files(near)) == wanted
        back = moved(repository, near, state, old)
        assert list(files(back)) == list(files(tree_of(repository, Name((at,)))))
    return {path: entry.disputed for path, entry in wanted}


def _shown(scribe: Scribe, *names: Name) -> set[bytes]:
    return set(_flags(scribe, *names))


START = Name((1,))


def test_a_directory_moves_with_all_below_it_in_one_write(scribe: Scribe) -> None:
    after = _move(scribe, START, b"d", b"e/f")
    assert _shown(scribe, after) == {b"e/f/a", b"e/f/s/b", b"x/c"}
    assert _shown(scribe, START) == set(BASE)
    change = scribe.repository.change(2)
    assert [edit.writes[0].value for edit in change.operations.nodes] == [(2, b"f")]
    assert len(change.operations.nodes) == 1


def test_what_was_added_and_edited_under_the_old_name_follows(scribe: Scribe) -> None:
    ours = _move(scribe, START, b"d", b"e")
    files_there = {b"d/new": File(b"new\n"), b"d/s/b": File(b"other\n")}
    theirs = Name((scribe.commit(START, files_there).number,))
    assert _shown(scribe, ours, theirs) == {b"e/a", b"e/new", b"e/s/b", b"x/c"}
    assert scribe.text(b"e/s/b", scribe.repository.states.join((ours, theirs))) == b"other\n"


def test_a_directory_of_the_old_name_is_another_one(scribe: Scribe) -> None:
    after = _move(scribe, START, b"d", b"e")
    again = Name((scribe.commit(after, {b"d/a": File(b"again\n")}).number,))
    assert _shown(scribe, again) == {b"d/a", b"e/a", b"e/s/b", b"x/c"}
    assert scribe.repository.change(3).operations.directories == ((0, b"d", 1),)
    elsewhere = _move(scribe, START, b"d", b"g")
    assert b"d/a" in _shown(scribe, again, elsewhere)


def test_a_directory_that_moved_back_is_itself(scribe: Scribe) -> None:
    after = _move(scribe, _move(scribe, START, b"d", b"e"), b"e", b"d")
    again = Name((scribe.commit(after, {b"d/new": File(b"new\n")}).number,))
    assert scribe.repository.change(4).operations.directories == ((0, b"d", 0),)
    assert _shown(scribe, again) == {*BASE, b"d/new"}


def test_what_is_added_where_a_directory_was_moved_to_goes_into_it(scribe: Scribe) -> None:
    after = _move(scribe, START, b"d", b"e")
    added = Name((scribe.commit(after, {b"e/new": File(b"new\n")}).number,))
    other = _move(scribe, after, b"e", b"g")
    assert _shown(scribe, added, other) == {b"g/a", b"g/new", b"g/s/b", b"x/c"}


def test_a_directory_with_two_places_shows_once_until_it_is_moved(scribe: Scribe) -> None:
    ours, theirs = _move(scribe, START, b"d", b"e"), _move(scribe, START, b"d", b"g")
    flags = _flags(scribe, ours, theirs)
    at = min((ours, theirs), key=lambda name: scribe.repository.nodes.rank(*name.heads))
    shown = b"e" if at == ours else b"g"
    assert flags == {
        shown + b"/a": DISPUTED_DIRECTORY,
        shown + b"/s/b": DISPUTED_DIRECTORY,
        b"x/c": 0,
    }
    union = scribe.repository.states.join((ours, theirs))
    assert _flags(scribe, _move(scribe, union, shown, b"h")) == {
        b"h/a": 0,
        b"h/s/b": 0,
        b"x/c": 0,
    }


def test_directories_that_claim_one_path_show_as_one(scribe: Scribe) -> None:
    ours, theirs = _move(scribe, START, b"d", b"n"), _move(scribe, START, b"x", b"n")
    assert _flags(scribe, ours, theirs) == {b"n/a": 0, b"n/c": 0, b"n/s/b": 0}
    union = scribe.repository.states.join((ours, theirs))
    assert _shown(scribe, _move(scribe, union, b"n", b"m")) == {b"m/a", b"m/c", b"m/s/b"}


def test_directories_that_move_into_each_other_show_at_the_root(scribe: Scribe) -> None:
    ours, theirs = _move(scribe, START, b"d", b"x/d"), _move(scribe, START, b"x", b"d/x")
    flags = _flags(scribe, ours, theirs)
    assert set(flags.values()) == {DISPUTED_DIRECTORY}
    first = min((b"d", b"x"), key=identity_of)
    writer = ours if first == b"d" else theirs
    digits = scribe.repository.nodes.rank(*writer.heads).hex()[:8].encode()
    top = first + b".~" + digits
    inner = {b"a", b"s/b"} if first == b"d" else {b"c"}
    assert {path for path in flags if path.removeprefix(top + b"/") in inner}
    assert {path.split(b"/")[0] for path in flags} == {top}
    union = scribe.repository.states.join((ours, theirs))
    settled = _flags(scribe, _move(scribe, union, top, b"back"))
    assert set(settled.values()) == {0}
    assert len(settled) == len(BASE)


def test_a_move_into_itself_is_refused(scribe: Scribe) -> None:
    with pytest.raises(IntoItselfError):
        moving(scribe.repository, START, b"d", b"d/s/d")


def test_nothing_moves_where_no_directory_is(scribe: Scribe) -> None:
    assert moving(scribe.repository, START, b"nowhere", b"n") == ()
    assert moving(scribe.repository, START, b"d/a", b"n") == ()


def test_moves_inside_a_moved_directory_hold(scribe: Scribe) -> None:
    ours, theirs = _move(scribe, START, b"d", b"e"), _move(scribe, START, b"d/s", b"d/t")
    assert _shown(scribe, ours, theirs) == {b"e/a", b"e/t/b", b"x/c"}
    out = _move(scribe, START, b"d/s", b"t")
    assert _shown(scribe, ours, out) == {b"e/a", b"t/b", b"x/c"}


def test_where_no_directory_was_moved_there_are_no_rows_and_a_path_is_a_place(
    scribe: Scribe,
) -> None:
    assert list(scribe.repository.store.rows(DIRECTORY)) == []
    ways = Ways({}, BitMap([1]), scribe.repository.nodes.rank)
    assert ways.path(b"d/s/b") == b"d/s/b"
    assert ways.at(b"d/s") == b"d/s"


def test_an_identity_path_tells_names_and_ks() -> None:
    assert parted(b"d/e\x002") == ((b"d", 0), (b"e", 2))
    assert parted(b"") == ()
    assert identity_of(b"") == ROOT
    assert identity_of(b"d/e\x002") == directory_id(directory_id(ROOT, b"d", 0), b"e", 2)
    assert under(b"", b"a") == b"a"


def test_a_way_round_of_three_is_cut_once(scribe: Scribe) -> None:
    ways = Ways({}, BitMap(), scribe.repository.nodes.rank)
    ways.places = {
        one: [Value(under(above, one), (1,))]
        for one, above in ((b"a", b"b"), (b"b", b"c"), (b"c", b"a"))
    }
    paths = {ways.directory(b"%b/z" % one).path for one in (b"a", b"b", b"c")}
    assert {path.count(b"/") for path in paths} == {1, 2, 3}
    assert len({path.split(b"/")[0] for path in paths}) == 1


def test_a_move_is_taken_back_where_it_still_holds(scribe: Scribe) -> None:
    after = _move(scribe, START, b"d", b"e")
    repository = scribe.repository
    (back,) = moved_back(repository, 2, repository.states.members(after))
    assert back == Moving(b"d", b"d", (2,))
    again = _move(scribe, after, b"e", b"g")
    assert moved_back(repository, 2, repository.states.members(again)) == ()
    assert moved_back(repository, 3, repository.states.members(again))[0].path == b"e"


def test_a_repository_with_moved_directories_is_sound(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path), "fast")
    scribe = Scribe(repository)
    scribe.commit(Name(), BASE)
    after = _move(scribe, _move(scribe, START, b"d", b"e"), b"e/s", b"s")
    keep(repository, after, tree_of(repository, after))
    assert list(fsck(repository, Silent())) == []
    rows = dict(repository.store.rows(DIRECTORY))
    assert sorted(row[:-5] for row in rows) == [b"d", b"d/s"]
    repository.close()
    assert rebuild(bytes(tmp_path)) == []
    again = Repository.at(bytes(tmp_path))
    assert dict(again.store.rows(DIRECTORY)) == rows
    again.close()
