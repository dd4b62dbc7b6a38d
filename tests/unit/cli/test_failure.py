import errno
import io
import os
from importlib import import_module
from pathlib import Path

import pytest

from oxy.cli.failure import HINTS, exit_code, report
from oxy.cli.front import UsageError
from oxy.cli.main import UnknownVerbError
from oxy.cli.output import Output, OutputClosedError
from oxy.errors import CorruptionError, OxyError, RequestError, StateError


class LeafError(StateError):
    """A leaf of the error tree."""


def reported(error: BaseException) -> tuple[int, str]:
    stderr = io.BytesIO()
    code = report(error, Output(io.BytesIO(), stderr))
    return code, stderr.getvalue().decode()


@pytest.fixture(autouse=True)
def _no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OXY_TRACEBACK", raising=False)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RequestError("x"), 2),
        (StateError("x"), 3),
        (LeafError("x"), 3),
        (MemoryError(), 3),
        (CorruptionError("x"), 4),
        (OSError(errno.ENOSPC, "x"), 3),
        (OSError(errno.EACCES, "x"), 3),
        (OSError(errno.EIO, "x"), 5),
        (BrokenPipeError(), 5),
        (TypeError("x"), 70),
        (RecursionError(), 70),
        (KeyboardInterrupt(), 130),
        (OutputClosedError(), 141),
        (SystemExit(0), 70),
    ],
)
def test_each_kind_of_error_has_its_exit_code(error: BaseException, code: int) -> None:
    assert exit_code(error) == code


def test_the_message_of_an_error_is_escaped() -> None:
    assert reported(StateError("no file \x1b[2J")) == (3, "oxy: no file \\x1b[2J\n")


def test_a_refusal_of_the_system_names_the_file() -> None:
    error = FileNotFoundError(errno.ENOENT, "No such file or directory", b"caf\xe9")
    assert reported(error) == (5, "oxy: caf\\xe9: No such file or directory\n")


def test_a_current_directory_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(FileNotFoundError) as caught:
        os.getcwdb()
    gone = "oxy: the current directory does not exist any more\n"
    assert reported(caught.value) == (5, gone)
    monkeypatch.chdir(tmp_path)
    assert reported(caught.value)[1] != gone


def test_both_files_of_a_refused_rename_are_named() -> None:
    error = OSError(errno.EXDEV, "Invalid cross-device link", "a", None, "b")
    assert reported(error) == (5, "oxy: a: b: Invalid cross-device link\n")


def test_the_number_of_a_descriptor_is_no_name_of_a_file() -> None:
    assert reported(OSError(errno.EIO, "Input/output error", 7)) == (
        5,
        "oxy: Input/output error\n",
    )


@pytest.mark.parametrize("name", HINTS)
def test_every_hint_is_for_an_error_that_exists(name: str) -> None:
    module, _, kind = name.partition(":")
    assert issubclass(getattr(import_module(module), kind), OxyError)


def test_a_bug_is_called_one_and_shows_no_traceback() -> None:
    code, told = reported(TypeError("no such\nthing"))
    assert code == 70
    assert told == (
        "oxy: this is a bug in oxy: TypeError: no such\\x0athing\n"
        "oxy: run with OXY_TRACEBACK=1 to see where\n"
    )


def test_a_traceback_is_shown_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXY_TRACEBACK", "1")
    _, told = reported(TypeError("x\x1b"))
    assert told.startswith("TypeError: x\\x1b\n")


def test_a_closed_pipe_is_silent() -> None:
    assert reported(OutputClosedError()) == (141, "")


def test_an_interrupt_is_one_line() -> None:
    assert reported(KeyboardInterrupt()) == (130, "oxy: interrupted\n")


def test_a_wrong_usage_says_where_the_right_one_is_told() -> None:
    error = UsageError("no such option", "op log", ("--json",))
    told = "did you mean --json?\nhint: `oxy help op log` tells what it takes"
    assert reported(error) == (2, f"oxy: no such option\nhint: {told}\n")


def test_a_hint_is_found_by_the_name_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HINTS, f"{__name__}:LeafError", "try again")
    assert reported(LeafError("x")) == (3, "oxy: x\nhint: try again\n")


def test_near_names_are_offered_before_the_hint() -> None:
    code, told = reported(UnknownVerbError("lag", ("log", "tag")))
    assert code == 2
    assert told.splitlines() == [
        "oxy: no command is called 'lag'",
        "hint: did you mean log or tag?",
        "hint: `oxy help` lists the commands",
    ]
