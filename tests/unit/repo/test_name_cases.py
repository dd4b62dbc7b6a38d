"""The table of names and kinds (spec: names, N34), in every order of arrival."""

import pytest

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import (
    DELETED_EDITED,
    DISPUTED_CONTENT,
    DISPUTED_DIRECTORY,
    DISPUTED_KIND,
    DISPUTED_PATH,
    DISPUTED_PLACE,
    DISPUTED_TEXT,
)
from tests.builders.arrivals import Held, agreed
from tests.builders.scribe import File, Scribe

START = Name((1,))
TEN = b"".join(b"%d\n" % number for number in range(10))
BASE = {
    b"f": File(TEN),
    b"g": File(b"g\n"),
    b"d/old": File(TEN),
    b"b": File(b"\0", KIND_BINARY),
    b"x/in": File(b"in x\n"),
    b"y/in": File(b"in y\n"),
}


@pytest.fixture
def scribe() -> Scribe:
    found = Scribe(Repository.in_memory())
    found.commit(Name(), BASE)
    return found


def _differing(held: dict[bytes, Held]) -> dict[bytes, int]:
    """Return the flags of the paths that are not of the base, or in conflict."""
    return {p: h.disputed for p, h in held.items() if h.disputed or p not in BASE}


def _text(scribe: Scribe, path: bytes) -> bytes:
    return scribe.text(path, scribe.repository.states.join((Name((2,)), Name((3,)))))


def _settle(
    scribe: Scribe, files: dict[bytes, File | None], moves: dict[bytes, bytes] | None = None
) -> dict[bytes, int]:
    """Record a resolution on the union, and return what then differs or is in conflict."""
    union = scribe.repository.states.join((Name((2,)), Name((3,))))
    scribe.commit(union, files, moves)
    return _differing(agreed(scribe.repository))


def test_a_file_that_both_rename_has_two_places_and_shows_once(scribe: Scribe) -> None:
    scribe.commit(START, {}, {b"f": b"p"})
    scribe.commit(START, {}, {b"f": b"q"})
    ((path, flags),) = _differing(agreed(scribe.repository)).items()
    assert path in {b"p", b"q"}
    assert flags == DISPUTED_PLACE
    assert _settle(scribe, {}, {path: b"p"}) == {b"p": 0}


def test_two_files_renamed_to_one_name_are_both_kept(scribe: Scribe) -> None:
    scribe.commit(START, {}, {b"f": b"n"})
    scribe.commit(START, {}, {b"g": b"n"})
    found = _differing(agreed(scribe.repository))
    assert set(found.values()) == {DISPUTED_PATH}
    assert sorted(path[:3] for path in found) == [b"n", b"n.~"]
    assert {_read(scribe, b"f"), _read(scribe, b"g")} == {TEN, b"g\n"}


def _read(scribe: Scribe, path: bytes) -> bytes:
    """Return what a file of the base reads in the union."""
    repository = scribe.repository
    union = repository.states.join((Name((2,)), Name((3,))))
    node = scribe.paths(START)[path]
    return b"".join(repository.nodes.content(node, repository.states.members(union)))


def test_two_files_added_at_one_path_are_both_kept(scribe: Scribe) -> None:
    scribe.commit(START, {b"a": File(b"1\n")})
    scribe.commit(START, {b"a": File(b"2\n")})
    found = _differing(agreed(scribe.repository))
    assert sorted(path[:3] for path in found) == [b"a", b"a.~"]
    assert set(found.values()) == {DISPUTED_PATH}


def test_the_same_file_added_twice_is_one(scribe: Scribe) -> None:
    scribe.commit(START, {b"a": File(b"1\n")})
    scribe.commit(START, {b"a": File(b"1\n")})
    held = agreed(scribe.repository)
    assert _differing(held) == {b"a": 0}
    assert len(held[b"a"].twins) == 1


def test_an_edit_of_a_deleted_file_stays_until_it_is_decided(scribe: Scribe) -> None:
    edited = File(TEN.replace(b"4\n", b"four\n"))
    scribe.commit(START, {b"f": edited})
    scribe.commit(START, {b"f": None})
    flags = _differing(agreed(scribe.repository))[b"f"]
    assert flags == DELETED_EDITED | DISPUTED_TEXT
    assert _settle(scribe, {b"f": edited}, {b"f": b"f"}) == {}


def test_a_file_may_stay_deleted(scribe: Scribe) -> None:
    scribe.commit(START, {b"b": File(b"\0more", KIND_BINARY)})
    scribe.commit(START, {b"b": None})
    assert _differing(agreed(scribe.repository)) == {b"b": DELETED_EDITED}
    assert _settle(scribe, {b"b": None}) == {}
    assert b"b" not in agreed(scribe.repository)


def test_an_edit_is_in_the_renamed_file(scribe: Scribe) -> None:
    scribe.commit(START, {}, {b"f": b"n"})
    scribe.commit(START, {b"f": File(TEN + b"more\n")})
    assert _differing(agreed(scribe.repository)) == {b"n": 0}
    assert _text(scribe, b"n") == TEN + b"more\n"


def test_what_is_done_in_a_renamed_directory_follows_it(scribe: Scribe) -> None:
    scribe.commit(START, {}, {}, {b"d": b"e"})
    scribe.commit(START, {b"d/new": File(b"new\n"), b"d/old": File(TEN + b"more\n")})
    assert _differing(agreed(scribe.repository)) == {b"e/new": 0, b"e/old": 0}
    assert _text(scribe, b"e/old") == TEN + b"more\n"


def test_a_file_added_to_an_emptied_directory_is_there(scribe: Scribe) -> None:
    scribe.commit(START, {b"d/old": None})
    scribe.commit(START, {b"d/new": File(b"new\n")})
    held = agreed(scribe.repository)
    assert _differing(held) == {b"d/new": 0}
    assert b"d/old" not in held


def test_directories_moved_into_each_other_are_a_conflict_that_loses_nothing(
    scribe: Scribe,
) -> None:
    scribe.commit(START, {}, {}, {b"x": b"y/x"})
    scribe.commit(START, {}, {}, {b"y": b"x/y"})
    found = _differing(agreed(scribe.repository))
    assert list(found.values()) == [DISPUTED_DIRECTORY] * 2
    top = min(found, key=len).split(b"/")[0]
    union = scribe.repository.states.join((Name((2,)), Name((3,))))
    scribe.commit(union, {}, {}, {top: b"whole"})
    assert set(_differing(agreed(scribe.repository)).values()) == {0}


def test_a_mode_and_an_edit_both_hold(scribe: Scribe) -> None:
    scribe.commit(START, {b"f": File(TEN, mode=1)})
    scribe.commit(START, {b"f": File(TEN + b"more\n")})
    held = agreed(scribe.repository)
    assert (held[b"f"].mode, held[b"f"].disputed) == (1, 0)


def test_a_file_turned_into_a_symlink_and_edited_is_a_conflict(scribe: Scribe) -> None:
    link = File(b"g", KIND_SYMLINK)
    scribe.commit(START, {b"f": link})
    scribe.commit(START, {b"f": File(TEN + b"more\n")})
    assert _differing(agreed(scribe.repository)) == {b"f": DISPUTED_KIND}
    assert _settle(scribe, {b"f": link}) == {}


def test_a_binary_changed_on_both_sides_is_a_conflict(scribe: Scribe) -> None:
    scribe.commit(START, {b"b": File(b"\0a", KIND_BINARY)})
    scribe.commit(START, {b"b": File(b"\0b", KIND_BINARY)})
    assert _differing(agreed(scribe.repository)) == {b"b": DISPUTED_CONTENT}
    assert _settle(scribe, {b"b": File(b"\0ab", KIND_BINARY)}) == {}


def test_a_file_that_became_a_directory_is_a_file_again(scribe: Scribe) -> None:
    before = agreed(scribe.repository)
    scribe.commit(START, {b"g": None, b"g/in": File(b"in\n")})
    scribe.commit(Name((2,)), {b"g/in": None})
    scribe.commit(Name((3,)), {b"g": File(b"g\n")})
    after = agreed(scribe.repository)
    assert after.keys() == before.keys()


def test_two_names_are_swapped_in_one_change_and_back(scribe: Scribe) -> None:
    before = agreed(scribe.repository)
    scribe.commit(START, {}, {b"f": b"g", b"g": b"f"})
    swapped = agreed(scribe.repository)
    assert (swapped[b"f"].node, swapped[b"g"].node) == (before[b"g"].node, before[b"f"].node)
    scribe.commit(Name((2,)), {}, {b"f": b"g", b"g": b"f"})
    assert {p: h.node for p, h in agreed(scribe.repository).items()} == {
        p: h.node for p, h in before.items()
    }


def test_a_name_changes_its_case_alone(scribe: Scribe) -> None:
    scribe.commit(START, {}, {b"f": b"F"})
    assert _differing(agreed(scribe.repository)) == {b"F": 0}
    scribe.commit(Name((2,)), {}, {b"F": b"f"})
    assert _differing(agreed(scribe.repository)) == {}
