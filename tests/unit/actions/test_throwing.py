from pathlib import Path

import pytest

from oxy.actions import throwing as module
from oxy.actions.clean import clean
from oxy.actions.discard import discard
from oxy.actions.redo import redo
from oxy.actions.undo import undo
from oxy.repo.refs import BOOKMARK, DISCARDED, Ref
from oxy.repo.states import Name
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.hunks import Pick
from tests.builders.workshop import ADA, Workshop

HELD = Ref(DISCARDED, b"")
LINES = "".join(f"{number}\n" for number in range(20))


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.setenv("OXY_AUTHOR", ADA.decode())
    shop = Workshop(tmp_path)
    shop.commit("base", a=LINES, b="b\n")
    return shop


def test_what_is_thrown_away_is_a_change_that_only_the_log_knows(shop: Workshop) -> None:
    shop.write("a", "one\n" + LINES)
    with shop.copy() as copy:
        discard(copy, ())
        target = copy.repository.refs.get(HELD)
        assert target is not None
        assert target.state == Name((2,))
        assert copy.repository.header(2).message == b"Thrown away on main"
        main = copy.repository.refs.get(Ref(BOOKMARK, b"main"))
        assert main is not None
        assert main.state == Name((1,))
    assert shop.read("a") == LINES
    with shop.copy() as copy:
        undo(copy)
        assert copy.repository.refs.get(HELD) is None


def test_nobody_need_be_known_to_throw_away(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OXY_AUTHOR")
    monkeypatch.setenv("HOME", str(shop.root / "nowhere"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shop.root / "nowhere"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    shop.write("a", "one\n")
    with shop.copy() as copy:
        discard(copy, ())
        assert copy.repository.header(2).author.endswith(b" <>")


def test_what_cannot_be_written_is_recorded_and_not_lost(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("a", "one\n")

    def failing(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "place", failing)
        with shop.copy() as copy, pytest.raises(OSError, match="No space"):
            discard(copy, ())
    assert shop.read("a") == "one\n"
    with shop.copy() as copy:
        undo(copy)
    assert shop.read("a") == "one\n"
    assert shop.differs() == [(b"a", "modified")]


def test_an_edit_made_after_an_undo_is_kept_by_redo(shop: Workshop) -> None:
    shop.write("a", "one\n" + LINES)
    with shop.copy() as copy:
        discard(copy, ())
    with shop.copy() as copy:
        undo(copy)
    shop.write("a", "one\n" + LINES + "last\n")
    with shop.copy() as copy:
        redo(copy)
    assert shop.read("a") == LINES + "last\n"


def test_an_edit_of_what_redo_would_take_out_stops_it(shop: Workshop) -> None:
    shop.write("a", "one\n" + LINES)
    shop.write("new", "new\n")
    with shop.copy() as copy:
        discard(copy, (), [Pick(1), Pick(2)])
    assert shop.differs() == []
    with shop.copy() as copy:
        undo(copy)
    shop.write("a", "two\n" + LINES)
    shop.write("new", "newer\n")
    with shop.copy() as copy, pytest.raises(WouldOverwriteError) as caught:
        redo(copy)
    assert caught.value.paths == (b"a", b"new")
    assert shop.read("a") == "two\n" + LINES


def test_what_is_cleaned_of_an_ignored_directory_comes_back(shop: Workshop) -> None:
    shop.write(".oxyignore", "out/\n")
    shop.commit("ignore")
    shop.write("out/in/x", "x\n")
    (shop.root / "out/in/link").symlink_to("x")
    with shop.copy() as copy:
        done = clean(copy, ignored=True)
    assert [change.path for change in done.changes] == [b"out/in/link", b"out/in/x"]
    assert not (shop.root / "out").exists()
    with shop.copy() as copy:
        undo(copy)
    assert (shop.root / "out/in/link").read_text() == "x\n"
    assert shop.differs() == []
