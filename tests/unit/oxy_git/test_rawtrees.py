"""A tree that is put together from the one before has the id of the whole one."""

import pytest

from oxy.model.operation import KIND_TEXT
from oxy.repo.tree import Child, Directory, Entry
from oxy_git.importer.rawtrees import RawTrees
from oxy_git.reader.trees import tree_id, written


def file(mark: int, mode: int = 0) -> Entry:
    return Entry(1, KIND_TEXT, mode, bytes(16), digest=bytes([mark]) * 20)


def below(mark: int) -> Directory:
    made = Directory({b"x": file(mark)})
    made.mark = bytes([mark]) * 20
    return made


def marked(**entries: Child) -> Directory:
    made = Directory({name.encode(): child for name, child in entries.items()})
    made.mark = tree_id(written(made))
    return made


OLD = marked(a=file(1), b=below(2), c=file(3))


@pytest.mark.parametrize(
    "entries",
    [
        {"a": file(9), "b": OLD.entries[b"b"], "c": OLD.entries[b"c"]},
        {"a": file(1, 1), "b": below(9), "c": file(4)},
        {"a": below(1), "b": OLD.entries[b"b"], "c": OLD.entries[b"c"]},
        {"a": OLD.entries[b"a"], "b": OLD.entries[b"b"]},
        {"a": OLD.entries[b"a"], "b": OLD.entries[b"b"], "d": file(3)},
    ],
)
def test_a_tree_has_its_id_whatever_was_known(entries: dict[str, Child]) -> None:
    new = marked(**entries)
    assert new.mark is not None
    assert OLD.mark is not None
    known = RawTrees()
    assert known.is_written_as(OLD, None, OLD.mark)
    assert known.is_written_as(new, OLD, new.mark)
    assert not known.is_written_as(new, OLD, OLD.mark)


def test_only_entries_that_differ_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    new = marked(a=file(9), b=OLD.entries[b"b"], c=OLD.entries[b"c"])
    assert new.mark is not None
    assert OLD.mark is not None
    known = RawTrees()
    known.is_written_as(OLD, None, OLD.mark)
    monkeypatch.setattr("oxy_git.importer.rawtrees.written", lambda _: b"")
    assert known.is_written_as(new, OLD, new.mark)


def test_the_ones_used_longest_ago_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    new = marked(a=file(9), b=OLD.entries[b"b"], c=OLD.entries[b"c"])
    assert new.mark is not None
    assert OLD.mark is not None
    monkeypatch.setattr("oxy_git.importer.rawtrees.BYTES", 1)
    known = RawTrees()
    known.is_written_as(OLD, None, OLD.mark)
    known.is_written_as(marked(z=file(1)), None, marked(z=file(1)).mark or b"")
    monkeypatch.setattr("oxy_git.importer.rawtrees.written", lambda _: b"")
    assert not known.is_written_as(new, OLD, new.mark)
