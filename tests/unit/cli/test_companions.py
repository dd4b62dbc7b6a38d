"""What a repository is kept in step with (spec: git-bridge, GB60)."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from oxy.cli import companions
from oxy.cli.companions import UnknownCompanionError, beside
from oxy.cli.output import Output


class Companion(ModuleType):
    """One that tells what it was called for."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__("companion")
        self.before = lambda _root, _out: heard.append("before")
        self.after = lambda _root, _out: heard.append("after")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    heard: list[str] = []
    monkeypatch.setitem(sys.modules, "companion", Companion(heard))
    monkeypatch.setitem(companions.COMPANIONS, b"it", "companion")
    (tmp_path / ".oxy").mkdir()
    (tmp_path / ".oxy/companion").write_text("it\n")
    return heard


def run(root: Path, name: str, heard: list[str]) -> int | None:
    def work() -> int:
        heard.append(name)
        return 1

    return beside(bytes(root), name, work, Output(None, None))


def test_it_is_called_before_and_after_and_the_code_is_the_commands(
    tmp_path: Path, heard: list[str]
) -> None:
    assert run(tmp_path, "commit", heard) == 1
    assert heard == ["before", "commit", "after"]


def test_a_command_that_looks_at_no_state_goes_alone(tmp_path: Path, heard: list[str]) -> None:
    run(tmp_path, "version", heard)
    assert heard == ["version"]


def test_what_ends_a_command_leaves_the_rest_to_the_next(
    tmp_path: Path, heard: list[str]
) -> None:
    def work() -> int:
        raise KeyError

    with pytest.raises(KeyError):
        beside(bytes(tmp_path), "commit", work, Output(None, None))
    assert heard == ["before"]


def test_one_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".oxy").mkdir()
    (tmp_path / ".oxy/companion").write_text("stranger\n")
    with pytest.raises(UnknownCompanionError, match="names 'stranger'"):
        run(tmp_path, "commit", [])
