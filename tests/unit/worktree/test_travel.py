import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.status import status
from oxy.actions.switch import switch
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.loading import HELD
from oxy.worktree.switching import read
from oxy.worktree.workcopy import working_copy
from oxy.worktree.writer import TreeWriter
from tests.builders.tree import File, Tree, held, make

TEN = b"".join(b"%d\n" % number for number in range(10))


class StopError(Exception):
    """The switch is interrupted."""


class Fork:
    """Two states, of which `topic` is the later one; one is on main."""

    def __init__(self, root: Path) -> None:
        self.root = root
        init(bytes(root))

    def states(self, one: Tree, other: Tree) -> None:
        self.record(one)
        self.go(b"@", b"topic")
        self.record(other)
        self.go(b"main")

    def record(self, tree: Tree) -> None:
        make(self.root, tree)
        with working_copy(bytes(self.root)) as copy:
            commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")

    def go(self, called: bytes, create: bytes | None = None) -> None:
        with working_copy(bytes(self.root)) as copy:
            switch(copy, called, create)

    def stops(self, called: bytes = b"topic") -> tuple[bytes, ...]:
        before = held(self.root)
        with pytest.raises(WouldOverwriteError) as caught:
            self.go(called)
        assert held(self.root) == before
        return caught.value.paths

    def kinds(self) -> list[tuple[bytes, str]]:
        with working_copy(bytes(self.root)) as copy:
            return [(change.path, change.kind) for change in status(copy).snapshot.changes]


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return Fork(tmp_path)


def interrupt(fork: Fork, monkeypatch: pytest.MonkeyPatch, path: bytes) -> None:
    """Go to topic, and stop where a file is to be written."""
    write = TreeWriter.write

    def failing(self: TreeWriter, at: bytes, *rest: object, **named: object) -> bytes:
        if at == path:
            raise StopError
        return write(self, at, *rest, **named)  # type: ignore[arg-type] # passed on as it is

    with monkeypatch.context() as patch:
        patch.setattr(TreeWriter, "write", failing)
        with pytest.raises(StopError):
            fork.go(b"topic")


def test_the_edit_stays_where_the_same_content_is_another_file(fork: Fork) -> None:
    fork.states({"a": File(TEN)}, {})
    fork.go(b"topic")
    fork.record({"a": File(TEN)})
    fork.go(b"main")
    make(fork.root, {"a": File(TEN + b"more\n")})
    fork.go(b"topic")
    assert held(fork.root) == {"a": File(TEN + b"more\n")}
    assert fork.kinds() == [(b"a", "modified")]


def test_what_is_neither_file_nor_symlink_stops(fork: Fork) -> None:
    fork.states({"a": File(TEN)}, {"a": File(TEN + b"more\n")})
    (fork.root / "a").unlink()
    os.mkfifo(fork.root / "a")
    assert fork.stops() == (b"a",)


def test_a_deleted_file_that_the_other_state_replaced_stops(fork: Fork) -> None:
    fork.states({"a": File(TEN)}, {})
    fork.go(b"topic")
    fork.record({"a": File(b"another\n")})
    fork.go(b"main")
    (fork.root / "a").unlink()
    assert fork.stops() == (b"a",)


def test_a_rename_to_a_name_that_the_other_state_takes_stops(fork: Fork) -> None:
    fork.states({"a": File(TEN)}, {"a": File(b"more\n" + TEN), "b": File(TEN)})
    os.rename(fork.root / "a", fork.root / "b")
    assert fork.stops() == (b"b",)


def test_a_deleted_file_whose_new_name_is_taken_stops(fork: Fork) -> None:
    fork.states({"a": File(TEN)}, {"b": File(TEN)})
    (fork.root / "a").unlink()
    (fork.root / "b").write_text("mine\n")
    assert fork.stops() == (b"a", b"b")


def test_a_large_binary_goes_along_only_where_it_can_stay(fork: Fork) -> None:
    large = File(b"\0" * (HELD + 1))
    one = {"a": File(b"\0a"), "b": File(b"\0b")}
    fork.states(one, {"c": one["a"], "b": one["b"]})
    make(fork.root, {"a": one["a"], "b": large})
    fork.go(b"topic")
    assert held(fork.root) == {"c": one["a"], "b": large}
    fork.go(b"main")
    make(fork.root, {"a": large, "b": one["b"]})
    assert fork.stops() == (b"a",)


def test_an_interrupted_edit_is_kept_in_the_note_until_it_is_there(
    fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork.states(
        {"a": File(TEN), "b": File(b"1\n")}, {"d/a": File(b"more\n" + TEN), "b": File(b"2\n")}
    )
    make(fork.root, {"a": File(TEN + b"edited\n"), "b": File(b"1\n")})
    interrupt(fork, monkeypatch, b"d/a")
    assert held(fork.root) == {"b": File(b"2\n")}
    note = read(bytes(fork.root / ".oxy"))
    assert note is not None
    assert [journey.data for journey in note.journeys] == [TEN + b"edited\n"]
    fork.go(b"main")
    assert held(fork.root) == {"a": File(TEN + b"edited\n"), "b": File(b"1\n")}
    assert fork.kinds() == [(b"a", "modified")]
    assert read(bytes(fork.root / ".oxy")) is None


def test_what_was_edited_while_a_switch_was_interrupted_stops(
    fork: Fork, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {name: File(TEN) for name in "abc"}
    fork.states(one, {name: File(b"more\n" + TEN) for name in "abc"})
    make(fork.root, {**one, "a": File(TEN + b"edited\n")})
    interrupt(fork, monkeypatch, b"b")
    (fork.root / "a").write_bytes(b"edited since\n")
    assert fork.stops() == (b"a",)
    (fork.root / "a").unlink()
    fork.go(b"topic")
    assert held(fork.root)["a"] == File(b"more\n" + TEN + b"edited\n")
