"""What may follow the words of a line that is not finished (spec: command-line, L38).

Found from the same declarations as the help, so a shell knows of whatever oxy knows.
"""

from __future__ import annotations

import os
from contextlib import suppress

from oxy.cli.alias import aliases, expanded
from oxy.cli.arguments import parser_of
from oxy.cli.commands import COMMANDS
from oxy.cli.completion.kinds import kinds_of
from oxy.cli.completion.names import names_of
from oxy.cli.declared import ALL_THAT_FOLLOWS
from oxy.cli.front import Front, UsageError, declare_common
from oxy.errors import OxyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterable, Iterator

    from oxy.cli.commands import Table
    from oxy.cli.completion.kinds import Kind
    from oxy.cli.completion.names import Candidate

MANY = {"*", "+", ALL_THAT_FOLLOWS}
FRONT_ONLY = "-c"


class Completion:
    """What may stand in the place of the last word.

    `words` begin as it does; `files` and `dirs` say that the shell is to look for those too.
    With `is_stem` more of the same word follows.
    """

    __slots__ = ("dirs", "files", "is_stem", "words")

    def __init__(self) -> None:
        self.words: list[Candidate] = []
        self.files = False
        self.dirs = False
        self.is_stem = False

    def offer(self, last: str, candidates: Iterable[Candidate]) -> None:
        """Take those that begin as the last word does."""
        self.words += [each for each in candidates if each[0].startswith(last)]

    def offer_kinds(self, last: str, kinds: Iterable[Kind]) -> None:
        """Take what is of some kinds; outside of a repository that is nothing."""
        for kind in kinds:
            if kind == "files":
                self.files = True
            elif kind == "dirs":
                self.dirs = True
            elif kind in {"settings", "given settings"}:
                self.is_stem = kind == "given settings"
                self.offer(last, _settings("=" if self.is_stem else ""))
            elif kind != "free":
                with suppress(OxyError, OSError):
                    self.offer(last, names_of(kind))


def completed(words: list[str]) -> Completion:
    """Return what may stand in the place of the last of the words that follow `oxy`."""
    *before, last = words or [""]
    found = Completion()
    waiting = _waiting_front(before)
    if waiting is not None:
        _offer_value(found, "", waiting, last)
        return found
    try:
        front = Front(before)
    except UsageError:
        return found
    for directory in front.directories:
        with suppress(OSError):
            os.chdir(directory)
    if front.words:
        _complete_verb(found, front.words, last)
    elif last.startswith("-"):
        found.offer(last, _options(_front_actions()))
    else:
        found.offer(last, _verbs(COMMANDS))
        found.offer(last, [("help", "about a command or a topic")])
        with suppress(OxyError):
            found.offer(last, [(name, "alias") for name in aliases()])
    return found


def _complete_verb(found: Completion, words: list[str], last: str) -> None:
    if words[0] == "help":
        if words[1:] == []:
            from oxy.cli.topics import TOPICS

            found.offer(last, TOPICS.items())
        words = words[1:]
    with suppress(OxyError):
        words = (expanded(words) if words and words[0] not in COMMANDS else None) or words
    name, table = "", COMMANDS
    while words and words[0] in table:
        name = f"{name} {words[0]}".lstrip()
        module = __import__(table[words[0]][0], fromlist=[""])
        words = words[1:]
        inner: Table | None = getattr(module, "COMMANDS", None)
        if inner is None:
            actions = parser_of(name, module.configure)._actions  # noqa: SLF001 - argparse tells them in no other way
            _complete_arguments(found, name, actions, words, last)
            return
        table = inner
    if not words:
        found.offer(last, _verbs(table))


def _complete_arguments(
    found: Completion, verb: str, actions: list[Action], words: list[str], last: str
) -> None:
    standing = _Standing(actions)
    for word in words:
        standing.put(word)
    if standing.waiting is not None:
        _offer_value(found, verb, standing.waiting, last, standing.values)
    elif last.startswith("-") and not standing.is_over:
        name, sign, value = last.partition("=")
        if sign and name in standing.options:
            _offer_value(found, verb, standing.options[name], value)
            found.words = [(f"{name}={word}", what) for word, what in found.words]
        else:
            found.offer(last, _options(actions))
    else:
        action = standing.next_plain()
        if action is not None:
            _offer_value(found, verb, action, last)


class _Standing:
    """How far the arguments of a verb have come.

    `waiting` is the option that the next word is a value of, with `values` there already;
    `given` counts words that are no option's; `is_over` says that no more options follow.
    """

    __slots__ = ("_plain", "given", "is_over", "options", "values", "waiting")

    def __init__(self, actions: list[Action]) -> None:
        self.options = {name: each for each in actions for name in each.option_strings}
        self._plain = [each for each in actions if not each.option_strings]
        self.waiting: Action | None = None
        self.values = self.given = 0
        self.is_over = False

    def put(self, word: str) -> None:
        """Take the next word."""
        if self.waiting is not None:
            self.values += 1
            if self.values == _takes(self.waiting):
                self.waiting = None
        elif self.is_over or not word.startswith("-") or word == "-":
            self.given += 1
        elif word == "--":
            self.is_over = True
        else:
            option = self.options.get(word)
            self.values = 0
            self.waiting = option if option is not None and _takes(option) else None

    def next_plain(self) -> Action | None:
        """Return the argument without a dash that comes next; one of many may come again."""
        many = [each for each in self._plain if each.nargs in MANY]
        rest = self._plain[self.given :]
        return rest[0] if rest else (many[-1] if many else None)


def _offer_value(
    found: Completion, verb: str, action: Action, last: str, position: int = 0
) -> None:
    """Offer what an argument may be; `position` counts the values that it has already."""
    if action.choices is not None:
        found.offer(last, [(str(choice), "") for choice in action.choices])
        return
    called = action.metavar or action.dest
    option = action.option_strings[-1] if action.option_strings else ""
    if isinstance(called, tuple):
        kinds = kinds_of(verb, option, called[0])
        found.offer_kinds(last, kinds[position : position + 1])
    else:
        found.offer_kinds(last, kinds_of(verb, option, called))


def _takes(action: Action) -> int:
    """Return how many words an option takes."""
    if isinstance(action.nargs, int):
        return action.nargs
    return 0 if action.nargs in {"?", "*"} else 1


def _front_actions() -> list[Action]:
    import argparse

    parser = argparse.ArgumentParser(add_help=False)
    declare_common(parser)
    parser.add_argument(FRONT_ONLY, metavar="NAME=VALUE", help="let a setting hold")
    return parser._actions  # noqa: SLF001 - argparse tells them in no other way


def _waiting_front(before: list[str]) -> Action | None:
    """Return the option before the verb that the last word is the value of, if it is one."""
    options = {name: each for each in _front_actions() for name in each.option_strings}
    waiting: Action | None = None
    for word in before:
        if waiting is not None:
            waiting = None
        elif not word.startswith("-"):
            return None
        elif word in options and _takes(options[word]):
            waiting = options[word]
    return waiting


def _verbs(table: Table) -> Iterator[Candidate]:
    return ((verb, summary) for verb, (_, summary, _) in table.items())


def _options(actions: Iterable[Action]) -> Iterator[Candidate]:
    for action in actions:
        for name in action.option_strings:
            yield name, (action.help or "").replace("%%", "%")


def _settings(ending: str) -> Iterator[Candidate]:
    from oxy.actions.settings import SETTINGS

    for each in SETTINGS:
        if "*" not in each.name:
            yield f"{each.name}{ending}", each.purpose
