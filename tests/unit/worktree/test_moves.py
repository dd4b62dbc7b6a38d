from pathlib import Path

import pytest

from oxy.actions.mv import mv
from oxy.worktree.moves import Move, forget, read, standing, tangled, with_moves, write
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    shop.commit("base", a="a\n", b="b\n", c="c\n")
    return shop


def moved(shop: Workshop, *pairs: tuple[str, str]) -> None:
    for old, new in pairs:
        with shop.copy() as copy:
            mv(copy, [old.encode()], new.encode())


def holding(shop: Workshop) -> dict[bytes, bytes]:
    with shop.copy() as copy:
        return {old: move.new for old, move in standing(copy).items()}


def test_a_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    control = bytes(tmp_path)
    move = Move(bytes(32), b"a", b"b\xff")
    write(control, [move, Move(bytes(32), b"c", b"c")])
    assert read(control) == (move,)
    forget(control, [b"b", None])
    assert read(control) == (move,)
    forget(control, [b"a"])
    assert not (tmp_path / "moves").exists()
    (tmp_path / "moves").write_bytes(b"\xc1")
    assert read(control) == ()


def test_moves_follow_each_other(shop: Workshop) -> None:
    moved(shop, ("a", "x"), ("x", "y"))
    assert holding(shop) == {b"a": b"y"}
    moved(shop, ("y", "a"))
    assert holding(shop) == {}
    assert not (shop.root / ".oxy/moves").exists()


def test_a_move_that_somebody_undid_holds_no_more(shop: Workshop) -> None:
    moved(shop, ("a", "x"))
    (shop.root / "x").rename(shop.root / "a")
    assert holding(shop) == {}
    assert shop.differs() == []
    shop.write("x", "another\n")
    assert shop.differs() == [(b"x", "added")]
    moved(shop, ("b", "y"))
    with shop.copy() as copy:
        assert [move.old for move in read(copy.control)] == [b"b"]


def test_names_that_go_round_hold_as_far_as_files_are_there(shop: Workshop) -> None:
    moved(shop, ("a", "t"), ("b", "a"), ("c", "b"), ("t", "c"))
    assert holding(shop) == {b"a": b"c", b"b": b"a", b"c": b"b"}
    with shop.copy() as copy:
        assert tangled(copy) == {b"a", b"b", b"c"}
        found = with_moves(copy, copy.snapshot([b"a"]), [b"a"])
        assert [(c.path, c.source) for c in found.changes] == [
            (b"a", b"b"),
            (b"b", b"c"),
            (b"c", b"a"),
        ]
    (shop.root / "c").unlink()
    assert holding(shop) == {b"b": b"a", b"c": b"b"}
    with shop.copy() as copy:
        found = with_moves(copy, copy.snapshot())
        assert [(c.path, c.kind) for c in found.changes] == [
            (b"a", "deleted"),
            (b"a", "renamed"),
            (b"b", "renamed"),
        ]
    (shop.root / "a").unlink()
    assert holding(shop) == {b"c": b"b"}


def test_moves_elsewhere_are_not_told_of_where_they_are_not_asked_for(shop: Workshop) -> None:
    moved(shop, ("a", "x"), ("b", "y"))
    with shop.copy() as copy:
        found = with_moves(copy, copy.snapshot([b"x", b"c"]), [b"x", b"c"])
        assert [(c.path, c.source) for c in found.changes] == [(b"x", b"a")]
        assert tangled(copy) == set()


def test_a_move_is_of_a_node_and_not_of_a_path(shop: Workshop) -> None:
    shop.switch("main", create="other")
    shop.commit("other", a=None)
    shop.commit("again", a="another a\n")
    shop.switch("main")
    moved(shop, ("a", "x"))
    with shop.copy() as copy:
        held = read(copy.control)
    (shop.root / "x").rename(shop.root / "a")
    shop.switch("other")
    with shop.copy() as copy:
        write(copy.control, held)
    (shop.root / "a").rename(shop.root / "x")
    assert holding(shop) == {}
