import pytest

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK
from oxy.repo.origin import COMMIT
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import (
    DELETED_EDITED,
    DISPUTED_KIND,
    DISPUTED_PLACE,
    DISPUTED_TEXT,
    files,
)
from oxy.repo.trees import tree_of
from tests.builders.scribe import File, Scribe

TEXT = File(b"a\nb\nc\n")
EDITED = File(b"a\nx\nc\n")
BINARY = File(b"\0a", KIND_BINARY)
LINK = File(b"to", KIND_SYMLINK)


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def _shown(scribe: Scribe, name: Name) -> dict[bytes, int]:
    return {p: entry.disputed for p, entry in files(tree_of(scribe.repository, name))}


def _apart(
    scribe: Scribe,
    base: File,
    ours: File | None,
    theirs: File | None,
    moves: dict[bytes, bytes] | None = None,
) -> Name:
    """Record what two sides make of the file f (the second may move it); return the union."""
    start = Name((scribe.commit(Name(), {b"f": base}).number,))
    one = scribe.commit(start, {b"f": ours}).number
    other = scribe.commit(start, {b"f": theirs}, moves).number
    return Name((one, other))


def _after(
    scribe: Scribe, union: Name, file: File | None, moves: dict[bytes, bytes] | None = None
) -> dict[bytes, int]:
    return _shown(scribe, Name((scribe.commit(union, {b"f": file}, moves).number,)))


@pytest.mark.parametrize(
    ("base", "edited"),
    [
        (TEXT, EDITED),
        (BINARY, File(b"\0b", KIND_BINARY)),
        (LINK, File(b"else", KIND_SYMLINK)),
        (TEXT, BINARY),
        (BINARY, TEXT),
    ],
)
def test_what_is_edited_beside_its_deletion_stays_until_it_is_decided(
    scribe: Scribe, base: File, edited: File
) -> None:
    union = _apart(scribe, base, None, edited)
    assert _shown(scribe, union)[b"f"] & ~DISPUTED_TEXT == DELETED_EDITED
    assert _after(scribe, union, None) == {}
    assert _after(scribe, union, edited, {b"f": b"f"}) == {b"f": 0}


def test_an_addition_to_the_end_of_a_deleted_text_stays(scribe: Scribe) -> None:
    union = _apart(scribe, TEXT, None, File(b"a\nb\nc\nd\n"))
    assert _shown(scribe, union) == {b"f": DELETED_EDITED}
    assert scribe.text(b"f", union) == b"d\n"


@pytest.mark.parametrize(
    ("base", "other"),
    [(TEXT, File(b"a\nb\nc\n", mode=1)), (TEXT, File(b"a\nb\n")), (TEXT, None), (BINARY, None)],
)
def test_what_is_deleted_is_gone_where_nothing_that_it_did_not_see_lives(
    scribe: Scribe, base: File, other: File | None
) -> None:
    assert _shown(scribe, _apart(scribe, base, None, other)) == {}


def test_of_several_deletions_one_that_saw_the_edit_is_enough(scribe: Scribe) -> None:
    union = _apart(scribe, BINARY, None, File(b"\0b", KIND_BINARY))
    late = scribe.commit(Name((3,)), {b"f": None}).number
    assert _shown(scribe, Name((union.heads[0], late))) == {}


def test_a_deletion_of_a_deletion_leads_to_the_last_place(scribe: Scribe) -> None:
    union = _apart(scribe, BINARY, None, File(b"\0b", KIND_BINARY))
    gone = scribe.commit(union, {b"f": None}).number
    edited = scribe.commit(Name((3,)), {b"f": File(b"\0c", KIND_BINARY)}).number
    assert _shown(scribe, Name((gone, edited))) == {b"f": DELETED_EDITED}


def test_a_deleted_file_that_was_moved_elsewhere_shows_there(scribe: Scribe) -> None:
    union = _apart(scribe, TEXT, None, TEXT, {b"f": b"g"})
    assert _shown(scribe, union) == {b"g": DISPUTED_PLACE}


@pytest.mark.parametrize("base", [TEXT, BINARY])
def test_a_kind_and_an_edit_that_it_did_not_see_are_a_conflict(
    scribe: Scribe, base: File
) -> None:
    edited = EDITED if base is TEXT else File(b"\0b", KIND_BINARY)
    union = _apart(scribe, base, LINK, edited)
    assert _shown(scribe, union) == {b"f": DISPUTED_KIND}
    assert _after(scribe, union, LINK) == {b"f": 0}
    assert _after(scribe, union, edited) == {b"f": 0}


def test_two_kinds_are_a_conflict_until_one_is_written(scribe: Scribe) -> None:
    union = _apart(scribe, TEXT, LINK, BINARY)
    assert _shown(scribe, union) == {b"f": DISPUTED_KIND}
    assert _after(scribe, union, LINK) == {b"f": 0}


def test_a_kind_that_was_seen_is_no_conflict(scribe: Scribe) -> None:
    name = Name((scribe.commit(Name(), {b"f": TEXT}).number,))
    for file in (LINK, EDITED, BINARY, TEXT):
        name = Name((scribe.commit(name, {b"f": file}).number,))
        assert _shown(scribe, name) == {b"f": 0}


def test_of_git_commits_that_disagree_on_a_place_the_smallest_id_decides() -> None:
    shown = set()
    for extra in (b"", b"1", b"2", b"3", b"4"):
        other = Scribe(Repository.in_memory(), ((COMMIT, b"tree " + extra),))
        union = _apart(other, TEXT, None, TEXT, {b"f": b"g"})
        deletion, move = map(other.repository.nodes.rank, union.heads)
        assert bool(_shown(other, union)) == (move < deletion)
        shown.add(move < deletion)
    assert shown == {True, False}
