"""What is read without argparse is what argparse reads (spec: command-line, L25)."""

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.cli.arguments import HelpWanted, Parser, parser_of
from oxy.cli.commands import COMMANDS, Table
from oxy.cli.declared import LEAST, Argument, Declarations
from oxy.cli.front import UsageError, declare_common
from oxy.cli.number import whole
from oxy.cli.reading import read

ROOT = Path(__file__).resolve().parents[2]
TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

Configure = Callable[[Declarations], None]


def verbs(table: Table, above: str = "") -> Iterator[tuple[str, str]]:
    for name, (module, *_) in table.items():
        group = getattr(importlib.import_module(module), "COMMANDS", None)
        if group is None:
            yield f"{above} {name}".lstrip(), module
        else:
            yield from verbs(group, name)


VERBS = dict(verbs(COMMANDS))
PLAIN = ("a", "b", "main", "12", "0", "left", "always", "")
ODD = ("-", "--", "-5", "-x", "--no", "a b", "-a b", "a=b", "=", "--=", "-h", "\xe9")


def declared(configure: Configure) -> Declarations:
    declarations = Declarations()
    configure(declarations)
    declare_common(declarations)
    return declarations


def words_for(declarations: Declarations) -> st.SearchStrategy[list[str]]:
    """Return command lines of these options, in each form that they have, among words."""
    names = [name for argument in declarations.arguments for name in argument.names]
    plain, name = st.sampled_from(PLAIN), st.sampled_from(names)
    short = [name for name in names if not name.startswith("--")]
    joined = st.builds("{}={}".format, name, plain)
    stuck = st.builds("{}{}".format, st.sampled_from(short), plain)
    cluster = st.lists(st.sampled_from(short), min_size=2, max_size=4).map(
        lambda flags: "-" + "".join(flag[1:] for flag in flags)
    )
    single = st.one_of(plain, plain, name, joined, stuck, cluster, st.sampled_from(ODD))
    piece = st.one_of(st.tuples(name, plain), st.tuples(name, plain), st.tuples(single))
    return st.lists(piece, max_size=6).map(
        lambda pieces: [word for one in pieces for word in one]
    )


def compare(configure: Configure, lines: list[list[str]]) -> None:
    parser = parser_of("verb", cast("Callable[[ArgumentParser], None]", configure))
    for words in lines:
        found = read(configure, words)
        if found is not None:
            agree(parser, words, vars(found))


def agree(parser: Parser, words: list[str], found: dict[str, object]) -> None:
    try:
        wanted = parser.read(words)
    except (UsageError, HelpWanted) as error:
        pytest.fail(f"{words} are refused by argparse, with {error}, and read as {found}")
    assert found == vars(wanted), words


@pytest.mark.parametrize("verb", VERBS)
@settings(max_examples=settings().max_examples // 5)
@given(st.data())
def test_what_is_read_for_a_verb_is_what_argparse_reads(verb: str, data: st.DataObject) -> None:
    configure = sys.modules[VERBS[verb]].configure
    compare(configure, data.draw(st.lists(words_for(declared(configure)), max_size=4)))


@given(
    data=st.data(),
    takes=st.lists(st.sampled_from([None, "?", "*", "+"]), max_size=3),
    is_required=st.booleans(),
)
def test_what_is_read_for_any_declarations_is_what_argparse_reads(
    *, data: st.DataObject, takes: list[str | None], is_required: bool
) -> None:
    def configure(parser: Declarations) -> None:
        for number, nargs in enumerate(takes):
            parser.add_argument(f"word{number}", nargs=nargs)
        parser.add_argument("-f", "--flag", action="store_true")
        parser.add_argument("-c", action="store_const", const=7, default="none")
        parser.add_argument("-v", action="count")
        parser.add_argument("-n", type=whole, default=3)
        parser.add_argument("-a", "--add", action="append", dest="added", default=["first"])
        parser.add_argument("--tool", nargs="?", const="", default="absent")
        parser.add_argument("--some", nargs="+")
        parser.add_argument("--two", nargs=2)
        parser.add_argument("--way", choices=("left", "main"), default="left")
        either = parser.add_mutually_exclusive_group(required=is_required)
        either.add_argument("-l", action="store_true")
        either.add_argument("-r")

    compare(configure, data.draw(st.lists(words_for(declared(configure)), max_size=4)))


def ordinary(declarations: Declarations) -> Iterator[list[str]]:
    """Yield command lines that nobody would call wrong: as short as may be, and by option."""
    needed = [a for a in declarations.arguments if a.is_required]
    needed += [group_member(declarations, g) for g in declarations.groups if g.is_required]
    base = [word for a in needed for word in given_option(a)]
    base += [word for a in declarations.arguments if not a.is_option for word in plain(a)]
    yield base
    for argument in declarations.arguments:
        is_more = argument.is_option and argument not in needed and argument.action != "help"
        if is_more and not (argument.group and argument.group.is_required):
            yield [*given_option(argument), *base]


def group_member(declarations: Declarations, group: object) -> Argument:
    return next(a for a in declarations.arguments if a.group is group)


def fitting(argument: Argument) -> str:
    return cast("tuple[str, ...]", argument.choices or ("1",))[0]


def plain(argument: Argument) -> list[str]:
    return [fitting(argument)] * LEAST[argument.nargs]


def given_option(argument: Argument) -> list[str]:
    if argument.is_flag:
        return [argument.names[0]]
    count = argument.nargs if isinstance(argument.nargs, int) else 1
    return [argument.names[-1], *[fitting(argument)] * count]


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_well_formed_is_read_without_argparse(verb: str) -> None:
    configure = sys.modules[VERBS[verb]].configure
    for words in ordinary(declared(configure)):
        assert read(configure, words) is not None, words


def test_no_verb_loads_argparse_itself() -> None:
    code = "import sys\n" + "".join(f"import {module}\n" for module in VERBS.values())
    code += "sys.exit('argparse' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
