import io
from pathlib import Path

import pytest

from oxy.cli.pager import DEFAULT, Pager, chosen


def test_it_starts_with_the_first_byte(tmp_path: Path) -> None:
    read = tmp_path / "read"
    pager = Pager(f"sh -c 'cat > {read}'", io.BytesIO())
    pager.flush()
    pager.finish()
    assert not pager.has_begun
    assert not read.exists()
    pager.write(b"one\n")
    pager.write(b"two\n")
    pager.finish()
    assert read.read_bytes() == b"one\ntwo\n"
    assert not pager.was_left


@pytest.mark.parametrize("command", ["none-such-program", "'"])
def test_what_cannot_be_run_leaves_the_terminal(command: str) -> None:
    terminal = io.BytesIO()
    pager = Pager(command, terminal)
    pager.write(b"one\n")
    pager.flush()
    pager.finish()
    assert terminal.getvalue() == b"one\n"


def fill(pager: Pager) -> None:
    for _ in range(1_000):
        pager.write(b"x" * 100_000)


def test_that_it_was_left_is_known() -> None:
    pager = Pager("true", io.BytesIO())
    with pytest.raises(BrokenPipeError):
        fill(pager)
    pager.finish()
    assert pager.was_left


def test_less_is_told_to_show_colour_unless_it_was_told_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    for own, seen in {None: "FRX", "-i": "-i"}.items():
        monkeypatch.delenv("LESS", raising=False)
        if own is not None:
            monkeypatch.setenv("LESS", own)
        pager = Pager(f"sh -c 'echo $LESS > {told}'", io.BytesIO())
        pager.write(b"x")
        pager.finish()
        assert told.read_text() == f"{seen}\n"


def test_the_first_that_is_set_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OXY_PAGER", "PAGER"):
        monkeypatch.delenv(name, raising=False)
    assert chosen() == DEFAULT
    monkeypatch.setenv("PAGER", "more")
    assert chosen() == "more"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "oxy").mkdir()
    (tmp_path / "oxy/config.toml").write_text('ui.pager = "own"\n')
    assert chosen() == "own"
    monkeypatch.setenv("OXY_PAGER", "cat")
    assert chosen() == ""
