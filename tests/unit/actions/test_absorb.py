from pathlib import Path

import pytest

from oxy.actions.absorb import absorb
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Return a working copy on main: a text of 1, a line of it of 2, another of 3."""
    shop = Workshop(tmp_path)
    shop.commit("base", a="1\n2\n3\n4\n5\n", b="b\n")
    shop.commit("second", a="1\ntwo\n3\n4\n5\n")
    shop.commit("fifth", a="1\ntwo\n3\n4\nfive\n")
    return shop


def messages(shop: Workshop, *, is_trial: bool = True) -> list[tuple[bytes, int, bytes]]:
    """Return where each edit goes: path, line, the change's message or nothing."""
    with shop.copy() as copy:
        done = absorb(copy, is_trial=is_trial)
    return [(piece.path, piece.line, piece.message) for piece in done.pieces]


def test_a_line_goes_where_it_is_from(shop: Workshop) -> None:
    shop.write("a", "one\ntwo\n3\n4\nFIVE\n")
    assert messages(shop) == [(b"a", 1, b"base"), (b"a", 5, b"fifth")]


def test_lines_of_several_changes_go_into_the_newest_that_knows_the_others(
    shop: Workshop,
) -> None:
    shop.write("a", "1\nTWO and 3\n4\nfive\n")
    assert messages(shop, is_trial=False) == [(b"a", 2, b"second")]
    assert shop.differs() == []


def test_new_lines_go_into_the_change_that_is_on_both_sides(shop: Workshop) -> None:
    shop.write("a", "1\ntwo\n3\nnew\n4\nfive\n")
    assert messages(shop, is_trial=False) == [(b"a", 4, b"base")]
    assert shop.differs() == []


def test_what_is_between_two_changes_stays_and_so_do_new_files(shop: Workshop) -> None:
    shop.write("a", "1\nnew\ntwo\n3\n4\nfive\nafter\n")
    shop.write("c", "c\n")
    with shop.copy() as copy:
        done = absorb(copy)
    assert [piece.message for piece in done.pieces] == [b"", b"fifth"]
    assert done.others == (b"c",)
    assert shop.differs() == [(b"a", "modified"), (b"c", "added")]
    assert shop.read("a") == "1\nnew\ntwo\n3\n4\nfive\nafter\n"


def test_where_nothing_fits_nothing_is_done(shop: Workshop) -> None:
    before = shop.base()
    shop.write("a", "1\nnew\ntwo\n3\n4\nfive\n")
    with shop.copy() as copy:
        assert absorb(copy).outcome is None
    assert shop.base() == before


def test_only_paths_that_are_named_are_looked_at(shop: Workshop) -> None:
    shop.write("a", "one\ntwo\n3\n4\nfive\n")
    shop.write("b", "bb\n")
    with shop.copy() as copy:
        done = absorb(copy, [b"b"])
    assert [piece.path for piece in done.pieces] == [b"b"]
    assert shop.differs() == [(b"a", "modified")]


def test_what_is_no_edit_of_lines_is_left_in_the_files(shop: Workshop) -> None:
    shop.write("a", "one\ntwo\n3\n4\nfive\n")
    (shop.root / "a").chmod(0o755)
    shop.write("b", "b\nmore")
    assert messages(shop, is_trial=False) == [(b"a", 1, b"base"), (b"b", 2, b"base")]
    assert shop.differs() == [(b"a", "mode"), (b"b", "modified")]
