from pathlib import Path

import pytest
from blake3 import blake3

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.switch import switch
from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.worktree.carrying import Carried, Carrier
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.loading import Loaded
from oxy.worktree.workcopy import WorkingCopy, working_copy
from tests.builders.tree import File, make

TEN = b"".join(b"%d\n" % number for number in range(10))


def loaded(data: bytes, kind: int = KIND_TEXT, mode: int = 0) -> Loaded:
    return Loaded(kind, mode, data, len(data), blake3(data).digest())


class Fork:
    """A file in two states, neither of which knows the other."""

    def __init__(self, root: Path) -> None:
        self.root = root
        init(bytes(root))

    def record(self, file: File) -> None:
        make(self.root, {"f": file})
        with working_copy(bytes(self.root)) as copy:
            commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")

    def go(self, called: bytes, create: bytes | None = None) -> None:
        with working_copy(bytes(self.root)) as copy:
            switch(copy, called, create)

    def states(self, base: File, left: File, right: File) -> None:
        self.record(base)
        self.go(b"@", b"right")
        self.record(right)
        self.go(b"main")
        self.record(left)

    def carried(self, local: Loaded) -> Carried | None:
        """Carry an edit of what main has to what `right` has."""
        with working_copy(bytes(self.root)) as copy:
            source = copy.base.state
            switch(copy, b"right")
            target = copy.base.state
            items = [self._item(copy, name) for name in (source, target)]
            contents = [Content(copy.repository, name) for name in (source, target)]
            before = self._weave(copy, items[0].node)
            found = Carrier(copy.repository, *contents).carried(items[0], local, items[1])
            assert self._weave(copy, items[0].node) == before
            switch(copy, b"main")
            return found

    def _item(self, copy: WorkingCopy, name: Name) -> Item:
        entry = get(tree_of(copy.repository, name), b"f")
        assert entry is not None
        return Item(entry.node, entry.kind, entry.mode, UNHASHED)

    def _weave(self, copy: WorkingCopy, node: int) -> set[int]:
        return set(copy.repository.nodes.graph(node).touched)

    def data(self, local: bytes) -> bytes | None:
        found = self.carried(loaded(local))
        return None if found is None else found.data


@pytest.fixture
def fork(tmp_path: Path) -> Fork:
    return Fork(tmp_path)


def swapped(old: bytes, new: bytes, text: bytes = TEN) -> bytes:
    assert text.count(old) == 1
    return text.replace(old, new)


def test_an_edit_is_made_beside_those_of_the_other_state(fork: Fork) -> None:
    right = swapped(b"8\n", b"eight\n")
    fork.states(File(TEN), File(TEN), File(right))
    assert fork.data(swapped(b"1\n", b"one\n")) == swapped(b"1\n", b"one\n", right)
    assert fork.data(TEN + b"10\n") == right + b"10\n"


def test_an_edit_of_what_both_edited_is_not_carried(fork: Fork) -> None:
    fork.states(File(TEN), File(TEN), File(swapped(b"8\n", b"eight\n")))
    assert fork.data(swapped(b"8\n", b"acht\n")) is None
    assert fork.data(swapped(b"8\n", b"")) is None


def test_an_edit_of_lines_that_the_other_state_lacks_is_not_carried(fork: Fork) -> None:
    left = TEN + b"left\n"
    fork.states(File(TEN), File(left), File(swapped(b"2\n", b"two\n")))
    assert fork.data(left + b"more\n") is None
    assert fork.data(TEN) is None
    assert fork.data(swapped(b"5\n", b"five\n", left)) == swapped(
        b"5\n", b"five\n", swapped(b"2\n", b"two\n")
    )


def test_an_edit_that_would_come_back_as_another_is_not_carried(fork: Fork) -> None:
    fork.states(File(b"x\nb\nx\ne\n"), File(b"x\nb\nx\ne\n"), File(b"x\nx\ne\n"))
    assert fork.data(b"b\nx\ne\n") is None


def test_an_edit_that_the_other_state_has_too_is_not_carried_with_others(fork: Fork) -> None:
    same = swapped(b"8\n", b"eight\n")
    fork.states(File(TEN), File(TEN), File(same))
    assert fork.data(swapped(b"1\n", b"one\n", same)) is None


def test_the_missing_last_line_feed_is_an_edit_of_its_own(fork: Fork) -> None:
    right = swapped(b"2\n", b"two\n")
    fork.states(File(TEN), File(TEN), File(right))
    assert fork.data(TEN[:-1]) == right[:-1]


def test_a_last_line_feed_that_cannot_be_missing_stops_the_edit(fork: Fork) -> None:
    fork.states(File(b"x\n"), File(b"x\n"), File(b"x\n\n"))
    assert fork.data(b"x") is None


def test_a_mode_goes_along_unless_both_changed_it(fork: Fork) -> None:
    right = swapped(b"2\n", b"two\n")
    fork.states(File(TEN), File(TEN), File(right))
    found = fork.carried(loaded(TEN, mode=1))
    assert found is not None
    assert (found.kind, found.mode, found.data) == (KIND_TEXT, 1, None)
    assert found.digest == blake3(right).digest()
    fork.go(b"right")
    fork.record(File(right, executable=True))
    fork.go(b"main")
    assert fork.carried(loaded(TEN, mode=1)) is None
    edited = fork.carried(loaded(swapped(b"8\n", b"eight\n")))
    assert edited is not None
    assert edited.mode == 1


def test_what_is_no_text_is_carried_where_the_content_stayed_the_same(fork: Fork) -> None:
    fork.states(File(b"\0one"), File(b"\0one"), File(b"\0one", executable=True))
    found = fork.carried(loaded(b"\0mine", KIND_BINARY))
    assert found == Carried(KIND_BINARY, 1, blake3(b"\0mine").digest(), b"\0mine")
    link = fork.carried(loaded(b"there", KIND_SYMLINK))
    assert link == Carried(KIND_SYMLINK, 0, blake3(b"there").digest(), b"there")
    fork.go(b"right")
    fork.record(File(b"\0two"))
    fork.go(b"main")
    assert fork.carried(loaded(b"\0mine", KIND_BINARY)) is None


def test_a_mode_is_not_carried_to_a_symlink(fork: Fork) -> None:
    fork.states(File(TEN), File(TEN), File(b"there", is_link=True))
    assert fork.carried(loaded(TEN, mode=1)) is None
