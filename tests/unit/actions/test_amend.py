from pathlib import Path

import pytest

from oxy.actions.amend import TiedError, Wish, amend
from oxy.actions.naming import SeveralHeadsError
from oxy.actions.undo import undo
from oxy.repo.states import Name
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main: 1 with two files, 2 and 3 each on one of them."""
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n", b="b\n")
    shop.commit("two", a="1\ntwo\n3\n")
    shop.commit("more", b="b\nc\n")
    return shop


def name(shop: Workshop, change: int) -> bytes:
    with shop.repository() as repository:
        return repository.store.id_of(1, change).hex().encode()


def read(shop: Workshop, state: Name) -> dict[bytes, bytes]:
    from oxy.repo.tree import files
    from oxy.repo.trees import tree_of

    with shop.repository() as repository:
        members = repository.states.members(state)
        return {
            path: b"".join(repository.nodes.content(entry.node, members))
            for path, entry in files(tree_of(repository, state))
        }


def test_all_that_changed_goes_into_the_newest(shop: Workshop) -> None:
    shop.write("a", "1\ntwo!\n3\n")
    shop.write("d/new", "new\n")
    with shop.copy() as copy:
        done = amend(copy, Wish())
    assert done.outcome is not None
    assert [new.message for new in done.outcome.replacements] == [b"more"]
    assert len(done.outcome.replacements[0].replaces) == 1
    assert shop.differs() == []
    assert read(shop, shop.base()) == {
        b"a": b"1\ntwo!\n3\n",
        b"b": b"b\nc\n",
        b"d/new": b"new\n",
    }


def test_renames_modes_and_deletions_go_along(shop: Workshop) -> None:
    (shop.root / "a").rename(shop.root / "moved")
    (shop.root / "moved").chmod(0o755)
    shop.write("b", None)
    with shop.copy() as copy:
        amend(copy, Wish(into=name(shop, 3)))
    assert shop.differs() == []
    assert read(shop, shop.base()) == {b"moved": b"1\ntwo\n3\n"}
    with shop.copy() as copy:
        undo(copy)
    assert sorted(shop.differs()) == [(b"b", "deleted"), (b"moved", "renamed")]


def test_a_file_of_an_old_change_is_another_there(shop: Workshop) -> None:
    shop.write("a", "one\ntwo\n3\n")
    with shop.copy() as copy:
        amend(copy, Wish(into=name(shop, 1), message=b"new base"))
    assert shop.differs() == []
    with shop.repository() as repository:
        (head,) = shop.base().heads
        context = repository.states.link(head).context
        first = repository.states.link(context.heads[0]).context
        assert repository.header(first.heads[0]).message == b"new base"
    assert read(shop, first)[b"a"] == b"one\n2\n3\n"
    assert read(shop, shop.base())[b"a"] == b"one\ntwo\n3\n"


def test_only_what_is_named_is_taken(shop: Workshop) -> None:
    shop.write("a", "1\ntwo\n3\n4\n")
    shop.write("b", "bb\n")
    with shop.copy() as copy:
        amend(copy, Wish(paths=(b"b",)))
    assert shop.differs() == [(b"a", "modified")]


def test_what_hangs_on_later_changes_is_refused_and_nothing_is_done(shop: Workshop) -> None:
    shop.write("a", "1\ntwo!\n3\n")
    before = shop.base()
    with shop.copy() as copy, pytest.raises(TiedError) as caught:
        amend(copy, Wish(into=name(shop, 1)))
    assert [need.hex().encode() for need in caught.value.needs] == [name(shop, 2)]
    assert shop.base() == before
    assert shop.differs() == [(b"a", "modified")]


def test_where_nothing_changed_the_message_and_the_author_may(shop: Workshop) -> None:
    with shop.copy() as copy:
        assert amend(copy, Wish()).outcome is None
        done = amend(copy, Wish(message=b"better", author=b"Bob <bob@x>"))
    assert done.outcome is not None
    with shop.repository() as repository:
        header = repository.header(shop.base().heads[0])
    assert (header.message, header.author) == (b"better", b"Bob <bob@x>")


def test_of_several_newest_changes_one_is_to_be_named(shop: Workshop) -> None:
    shop.switch(name(shop, 2).decode(), "topic")
    shop.commit("theirs", c="c\n")
    shop.switch("main")
    from oxy.actions.merge import merge

    with shop.copy() as copy:
        merge(copy, [b"topic"])
    shop.write("c", "c\nd\n")
    with shop.copy() as copy:
        with pytest.raises(SeveralHeadsError):
            amend(copy, Wish())
        amend(copy, Wish(into=name(shop, 4)))
    assert shop.differs() == []
    assert len(shop.base().heads) == 2


def test_the_same_amendment_again_after_an_undo_is_the_same_change(shop: Workshop) -> None:
    shop.write("b", "b\nc\nd\n")
    with shop.copy() as copy:
        amend(copy, Wish())
    first = shop.base()
    with shop.copy() as copy:
        undo(copy)
    with shop.copy() as copy:
        amend(copy, Wish())
    assert shop.base() == first
