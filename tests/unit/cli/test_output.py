import io
from typing import TYPE_CHECKING

import pytest

from oxy.cli.output import STYLES, TOGETHER, Output, Styled, wants_colour
from oxy.cli.verbs.cat import lines_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Terminal(io.BytesIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Pieces(io.BytesIO):
    """A stream that counts what is written to it."""

    writes = 0

    def write(self, data: "ReadableBuffer", /) -> int:
        self.writes += 1
        return super().write(data)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_the_parts_of_a_line_are_escaped_and_joined() -> None:
    stdout = io.BytesIO()
    Output(stdout, None).line("name ", b"\xff\x1b", Styled("id", "abc"))
    assert stdout.getvalue() == b"name \\xff\\x1babc\n"


def test_a_style_is_painted_around_escaped_text() -> None:
    stdout = io.BytesIO()
    out = Output(stdout, None)
    out.choose_colour("always")
    out.line(Styled("added", "+\x1b[0m"))
    assert stdout.getvalue() == b"\x1b[32m+\\x1b[0m\x1b[0m\n"


def test_cat_escapes_on_a_terminal_only() -> None:
    pieces = [b"one\nt\x1bw", b"o\n", b"end"]
    assert list(lines_of(pieces)) == [b"one", b"t\x1bwo", b"end"]


def test_every_style_is_a_sequence_of_its_own() -> None:
    assert len(set(STYLES.values())) == len(STYLES)


@pytest.mark.parametrize(
    ("choice", "terminal", "variable", "value", "wanted"),
    [
        ("auto", True, "X", "", True),
        ("auto", False, "X", "", False),
        ("auto", True, "NO_COLOR", "1", False),
        ("auto", True, "NO_COLOR", "", True),
        ("auto", True, "TERM", "dumb", False),
        ("always", False, "NO_COLOR", "1", True),
        ("never", True, "X", "", False),
    ],
)
def test_colour_follows_the_choice_then_the_environment_then_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    *,
    choice: str,
    terminal: bool,
    variable: str,
    value: str,
    wanted: bool,
) -> None:
    monkeypatch.setenv(variable, value)
    stream = Terminal() if terminal else io.BytesIO()
    assert wants_colour(choice, stream) is wanted


def test_text_keeps_its_lines_and_gains_a_final_newline() -> None:
    stdout = io.BytesIO()
    out = Output(stdout, None)
    out.text("one\n\ntwo\x07")
    out.text(b"three\n")
    assert stdout.getvalue() == b"one\n\ntwo\\x07\nthree\n"


def test_raw_bytes_are_not_touched() -> None:
    stdout = io.BytesIO()
    Output(stdout, None).raw(b"\x1b\xff\r\n")
    assert stdout.getvalue() == b"\x1b\xff\r\n"


def test_a_record_is_one_line_of_json() -> None:
    stdout = io.BytesIO()
    Output(stdout, None).record({"path": b"a\nb", "size": 3})
    assert stdout.getvalue() == b'{"path": "a\\nb", "size": 3}\n'


def test_a_warning_goes_to_standard_error() -> None:
    stdout, stderr = io.BytesIO(), io.BytesIO()
    Output(stdout, stderr).warning("left alone: ", b"\x1b.fifo")
    assert stdout.getvalue() == b""
    assert stderr.getvalue() == b"warning: left alone: \\x1b.fifo\n"


def test_a_warning_without_standard_error_is_dropped() -> None:
    stdout = io.BytesIO()
    Output(stdout, None).warning("nobody hears")
    assert stdout.getvalue() == b""


def test_writing_to_a_closed_standard_output_is_an_error() -> None:
    with pytest.raises(OSError, match="standard output is closed"):
        Output(None, None).line("lost")


def test_progress_is_silent_where_standard_error_is_no_terminal() -> None:
    stderr = io.BytesIO()
    Output(None, stderr).progress().update(1, 2, "files")
    assert stderr.getvalue() == b""


def test_progress_of_a_moment_is_not_shown_on_a_terminal() -> None:
    stdout, stderr = io.BytesIO(), Terminal()
    out = Output(stdout, stderr)
    out.progress().update(1, 2, "files")
    out.line("done")
    assert stderr.getvalue() == b""
    assert stdout.getvalue() == b"done\n"


def test_a_verbatim_line_is_as_it_is_in_a_pipe_and_escaped_on_a_terminal() -> None:
    pipe, terminal = io.BytesIO(), Terminal()
    Output(pipe, None).verbatim(Styled("added", b"+\xe9\r"))
    Output(terminal, None).verbatim(b" \xe9\r")
    assert pipe.getvalue() == b"+\xe9\r\n"
    assert terminal.getvalue() == b" \\xe9\\x0d\n"


@pytest.mark.parametrize("count", [0, 1, TOGETHER, TOGETHER + 1])
def test_lines_are_written_as_verbatim_ones_are_and_few_times(count: int) -> None:
    lines = [b"+\xe9 %d" % number for number in range(count)]
    pipe, terminal, one_by_one = Pieces(), Terminal(), Terminal()
    Output(pipe, None).lines(lines)
    assert pipe.getvalue() == b"".join(line + b"\n" for line in lines)
    assert pipe.writes == -(-count // TOGETHER)
    Output(terminal, None).lines(lines)
    for line in lines:
        Output(one_by_one, None).verbatim(line)
    assert terminal.getvalue() == one_by_one.getvalue()


def test_a_verbatim_line_is_painted_where_colour_is_asked_for() -> None:
    pipe = io.BytesIO()
    out = Output(pipe, None)
    out.choose_colour("always")
    out.verbatim(Styled("added", "+a"))
    assert pipe.getvalue() == b"\x1b[32m+a\x1b[0m\n"
