"""A program that is started to speak with what answers through it."""

import sys
from threading import Event

import pytest

from oxy.cli.main import main
from oxy.hearing import listen, pass_on
from oxy.sync.errors import LostError
from oxy.sync.ssh import NoProgramError, connected
from oxy.sync.talk import Far


def script(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_the_last_that_a_program_says_is_why_it_was_lost() -> None:
    text = "import sys; sys.stderr.write('a' * 9000 + '\\nHost key has changed.\\r\\n')"
    with connected(script(text)) as carry, pytest.raises(LostError) as caught:
        Far(carry).refs()
    assert str(caught.value) == "the connection was lost: Host key has changed."


def test_lines_are_passed_on_as_they_come() -> None:
    heard: list[str] = []
    came = Event()

    def hear(line: str) -> None:
        heard.append(line)
        came.set()

    listen(hear)
    text = (
        "import sys; sys.stderr.write('Touch the key\\nand'); sys.stderr.flush();"
        "sys.stdin.buffer.read(); sys.stderr.write(' go on\\n\\n' + 'x' * 5000)"
    )
    with connected(script(text)):
        # It has not ended, and does not before it is told to.
        assert came.wait(10)
        assert heard == ["Touch the key"]
    assert heard[:2] == ["Touch the key", "and go on"]
    assert "".join(heard[2:]) == "x" * 5000


def test_a_program_that_never_answers_is_lost_and_ended() -> None:
    text = "import sys; sys.stdin.buffer.read()"
    with connected(script(text), 0.3) as carry, pytest.raises(LostError, match="nothing came"):
        Far(carry).refs()


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(NoProgramError, match="cannot be run"), connected(["/nowhere/ssh"]):
        pass


def test_nobody_hears_lines_of_a_command_that_has_ended() -> None:
    heard: list[str] = []
    listen(heard.append)
    assert main(["version"]) == 0
    pass_on("late")
    assert heard == []
