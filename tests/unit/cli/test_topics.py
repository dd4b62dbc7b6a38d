import re
from pathlib import Path

import pytest

from oxy.actions.settings import SETTINGS
from oxy.cli.arguments import parser_of
from oxy.cli.commands import COMMANDS, Table
from oxy.cli.failure import CODES
from oxy.cli.main import loaded, main
from oxy.cli.topics import ENVIRONMENT, ENVIRONMENT_OF_HOOKS, EXIT_CODES, TOPICS, WIDTH, topic

ROOT = Path(__file__).resolve().parents[3]
COMMAND = re.compile(r"(?:`|  |, |; )oxy((?: -?-?[a-z][\w-]*)+)")
VARIABLE = re.compile(r'"((?:OXY_|NO_COLOR|VISUAL|EDITOR|PAGER|XDG_CONFIG_HOME)[A-Z_]*)"')
BEFORE_A_VERB = {"-c", "-C"}


def options_of(words: list[str]) -> set[str] | None:
    """Return the options of the verb that words begin with; None if they begin with none."""
    name, table = "", COMMANDS
    for word in words:
        if word not in table:
            return None
        name = f"{name} {word}".lstrip()
        module = loaded(table[word][0])
        inner: Table | None = getattr(module, "COMMANDS", None)
        if inner is None:
            actions = parser_of(name, module.configure)._actions  # noqa: SLF001 - argparse tells its options in no other way
            return {option for action in actions for option in action.option_strings}
        table = inner
    return set()


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", name]) == 0
    shown = capsys.readouterr().out
    assert shown == topic(name)
    assert max(map(len, shown.splitlines())) <= WIDTH + 8
    assert name not in COMMANDS


@pytest.mark.parametrize("name", TOPICS)
def test_the_commands_in_a_topic_are_there_with_their_options(name: str) -> None:
    for said in COMMAND.findall(topic(name)):
        words = said.split()
        if words[0] in {"help", *BEFORE_A_VERB}:
            continue
        known = options_of(words)
        assert known is not None, said
        assert {word for word in words if word.startswith("-")} <= known, said


def test_every_variable_that_is_read_is_told() -> None:
    read = {
        name
        for package in ("oxy", "oxy_git", "bin")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and path.parent.name != "topics"
        for name in VARIABLE.findall(path.read_text("utf-8"))
    }
    assert read <= ENVIRONMENT.keys() | ENVIRONMENT_OF_HOOKS.keys()
    assert {name for name in ENVIRONMENT if name.startswith("OXY_")} <= read
    chapter = (ROOT / "spec/command-line.md").read_text("utf-8")
    assert [name for name in ENVIRONMENT if f"`{name}" not in chapter] == []


def test_every_exit_code_is_told() -> None:
    assert {code for _, code in CODES} <= EXIT_CODES.keys()
    chapter = (ROOT / "spec/command-line.md").read_text("utf-8")
    assert [code for code in EXIT_CODES if f"| {code} |" not in chapter] == []


def test_every_setting_is_told() -> None:
    shown = topic("settings")
    assert [each.name for each in SETTINGS if f"\n  {each.name} " not in shown] == []


def test_a_topic_is_no_command_and_a_mistyped_one_is_answered_with_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tutorial"]) == 2
    assert main(["help", "tutorail"]) == 2
    assert "did you mean tutorial?" in capsys.readouterr().err
