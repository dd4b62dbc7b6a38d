import pytest

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK
from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import (
    DISPUTED_CONTENT,
    DISPUTED_FINAL_LF,
    DISPUTED_MODE,
    DISPUTED_PATH,
    DISPUTED_PLACE,
    DISPUTED_TEXT,
    EMPTY,
    disputed,
    files,
)
from oxy.repo.trees import moved, tree_of
from tests.builders.scribe import File, Scribe

BASE = {b"f": File(b"a\nb\nc\n"), b"g": File(b"g\n")}


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def _flags(scribe: Scribe, *names: Name) -> dict[bytes, int]:
    """Return the flags of a union, and prove that they are the same from any state."""
    repository = scribe.repository
    union = repository.states.join(names)
    state = repository.states.members(union)
    wanted = {path: entry.disputed for path, entry in disputed(tree_of(repository, union))}
    for name in names:
        near = moved(
            repository, tree_of(repository, name), repository.states.members(name), state
        )
        assert {path: entry.disputed for path, entry in disputed(near)} == wanted
    return wanted


def _both(scribe: Scribe, ours: File | None, theirs: File | None) -> dict[bytes, int]:
    base = Name((scribe.commit(Name(), BASE).number,))
    sides = [Name((scribe.commit(base, {b"f": file}).number,)) for file in (ours, theirs)]
    return _flags(scribe, *sides)


@pytest.mark.parametrize(
    ("ours", "theirs", "flags"),
    [
        (File(b"a\nx\nc\n"), File(b"a\ny\nc\n"), DISPUTED_TEXT),
        (File(b"x\nb\nc\n"), File(b"a\nb\ny\n"), 0),
        (File(b"a\nx\nc\n"), File(b"a\nx\nc\n"), 0),
        (File(b"a\nb\nc\n", mode=1), File(b"a\nb\nd\n"), 0),
    ],
)
def test_the_flags_of_two_edits(scribe: Scribe, ours: File, theirs: File, flags: int) -> None:
    assert _both(scribe, ours, theirs).get(b"f", 0) == flags


def test_registers_whose_values_differ_are_flagged(scribe: Scribe) -> None:
    held = {b"b": File(b"\0", KIND_BINARY), b"l": File(b"x", KIND_SYMLINK), b"t": File(b"t\n")}
    base = Name((scribe.commit(Name(), held).number,))
    sides = []
    for at, last in enumerate((b"t", b"t\n")):
        digit = str(at).encode()
        held = {
            b"b": File(b"\0" + digit, KIND_BINARY),
            b"l": File(digit, KIND_SYMLINK),
            b"t": File(last),
        }
        sides.append(scribe.commit(base, held, {b"t": b"t" + digit}).number)
    more = scribe.commit(Name((sides[1],)), {b"t1": File(b"t", mode=1)}).number
    less = scribe.commit(Name((more,)), {b"t1": File(b"t\n", mode=0)}).number
    flags = _flags(scribe, Name((sides[0],)), Name((less,)))
    assert flags.pop(b"b") == DISPUTED_CONTENT
    assert flags.pop(b"l") == DISPUTED_CONTENT
    assert list(flags.values()) == [DISPUTED_PLACE | DISPUTED_FINAL_LF]


def test_a_mode_with_two_values_is_flagged(scribe: Scribe) -> None:
    base = Name((scribe.commit(Name(), BASE).number,))
    on = Name((scribe.commit(base, {b"f": File(BASE[b"f"].data, mode=1)}).number,))
    again = Name((scribe.commit(base, {b"f": File(BASE[b"f"].data, mode=1)}).number,))
    off = Name((scribe.commit(again, {b"f": BASE[b"f"]}).number,))
    assert _flags(scribe, on, off) == {b"f": DISPUTED_MODE}


def test_every_claimant_of_a_path_is_flagged_until_it_is_free(scribe: Scribe) -> None:
    names = [Name((scribe.commit(Name(), {b"a": File(text)}).number,)) for text in (b"1", b"2")]
    assert list(_flags(scribe, *names).values()) == [DISPUTED_PATH] * 2
    union = scribe.repository.states.join(tuple(names))
    alone = scribe.commit(union, {b"a": None}).number
    shown = files(tree_of(scribe.repository, Name((alone,))))
    assert [(path, entry.disputed) for path, entry in shown] == [(b"a", 0)]


def test_a_file_whose_path_a_directory_has_is_flagged(scribe: Scribe) -> None:
    file = Name((scribe.commit(Name(), {b"a": File(b"1")}).number,))
    directory = Name((scribe.commit(Name(), {b"a/b": File(b"2")}).number,))
    ((path, flags),) = _flags(scribe, file, directory).items()
    assert path.startswith(b"a.~")
    assert flags == DISPUTED_PATH


def test_a_conflict_that_a_change_leaves_alone_stays_flagged(scribe: Scribe) -> None:
    assert _both(scribe, File(b"a\nx\nc\n"), File(b"a\ny\nc\n")) == {b"f": DISPUTED_TEXT}
    union = scribe.repository.states.join((Name((2,)), Name((3,))))
    after = Name((scribe.commit(union, {b"g": File(b"other\n")}).number,))
    assert _flags(scribe, union, after) == {b"f": DISPUTED_TEXT}


def test_a_resolution_takes_the_flag_away(scribe: Scribe) -> None:
    assert _both(scribe, File(b"a\nx\nc\n"), File(b"a\ny\nc\n")) == {b"f": DISPUTED_TEXT}
    union = scribe.repository.states.join((Name((2,)), Name((3,))))
    after = Name((scribe.commit(union, {b"f": File(b"a\nx\ny\nc\n")}).number,))
    assert _flags(scribe, union, after) == {}


def test_changes_that_knew_each_other_load_no_graph(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = Name()
    names = [name]
    for text in (b"a\n", b"a\nb\n", b"b\n", b"b\nc\n"):
        name = Name((scribe.commit(name, {b"f": File(text), b"g": File(text)}).number,))
        names.append(name)
    monkeypatch.setattr(Nodes, "graph", None)
    repository = scribe.repository
    trees = [tree_of(repository, name) for name in names]
    for start, root in zip(names, trees, strict=True):
        for end, wanted in zip(names, trees, strict=True):
            old, new = (repository.states.members(name) for name in (start, end))
            assert list(files(moved(repository, root, old, new))) == list(files(wanted))
    assert trees[0] is EMPTY


def test_only_what_two_sides_touched_is_looked_at(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = Name((scribe.commit(Name(), BASE).number,))
    ours = Name((scribe.commit(base, {b"f": File(b"x\n")}).number,))
    theirs = Name((scribe.commit(base, {b"g": File(b"y\n")}).number,))
    monkeypatch.setattr(Nodes, "graph", None)
    assert _flags(scribe, ours, theirs) == {}
