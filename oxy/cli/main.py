"""The entry of the command line: from words to a verb, from its end to an exit code.

Start-up is part of the product (spec: command-line, L25): only the module of the verb
called is imported, and argparse only for help and for what is not well-formed.
"""

from __future__ import annotations

import gc
import os
import sys

from oxy.cli.commands import COMMANDS, RECORDING
from oxy.cli.front import Front
from oxy.cli.output import Output, handed_over, standard
from oxy.errors import RequestError
from oxy.phase import phase
from oxy.repo.lacking import bring_through

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import NoReturn

    from oxy.cli.commands import Table
    from oxy.model.operation import BlobRef
    from oxy.repo.lacking import Lazy

HELP = ("help", "-h", "--help")

GARBAGE = (100_000, 50, 100)
"""Thresholds of the collector: commands make many values and hardly a cycle of them.

Looking for some took a third of a first commit and a sixth of an import.
"""


WAITING = frozenset({"atexit", "threading"})
"""Modules that have something to do at the end, where they are loaded."""


class UnknownVerbError(RequestError):
    """No command has this name; `near` are the names that look like it."""

    def __init__(self, verb: str, near: tuple[str, ...]) -> None:
        super().__init__(f"no command is called '{verb}'")
        self.verb = verb
        self.near = near


class NoDirectoryError(RequestError):
    """The directory that -C names is none."""

    def __init__(self, directory: str, error: OSError) -> None:
        super().__init__(f"{directory}: {error.strerror}")
        self.directory = directory


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code (`oxy.cli.failure` lists them).

    Never raises and never ends the process; `-C` holds for this command only.
    """
    before = gc.get_threshold()
    gc.set_threshold(*GARBAGE)
    out = standard()
    timings = None
    wanted = os.environ.get("OXY_TIMINGS", "0")
    if wanted not in {"", "0"}:
        from oxy.cli.timings import Timings

        timings = Timings(memory=wanted == "memory")
    try:
        code = guarded(sys.argv[1:] if argv is None else argv, out)
    finally:
        gc.set_threshold(*before)
        if timings is not None:
            timings.report(out)
    return code


def end(code: int) -> NoReturn:
    """End the process; without taking the interpreter apart, where nothing waits for that.

    To free every module and value one by one takes a fifth of a short command. Threads,
    functions that are registered for the end, and who traces, profiles or looks for leaks get
    the ordinary end.
    """
    is_watched = sys.gettrace() or sys.getprofile() or sys.flags.dev_mode or sys.flags.inspect
    if is_watched or not WAITING.isdisjoint(sys.modules):
        sys.exit(code)
    if not handed_over():
        sys.exit(code)
    os._exit(code)


def guarded(arguments: list[str], out: Output) -> int:
    """Run a command; whatever ends it becomes an exit code."""
    try:
        code = command(arguments, out)
        out.flush()
    except BaseException as error:  # noqa: BLE001 - no traceback may reach a user
        from oxy.cli.failure import report

        code = report(error, out)
    return out.finish(code)


def command(arguments: list[str], out: Output) -> int:
    """Run the command that words make."""
    front = Front(arguments)
    if not front.settings:
        return verb(front, out)
    from oxy.actions.config import GivenWithCommand

    with GivenWithCommand(front.settings):
        return verb(front, out)


def verb(front: Front, out: Output) -> int:
    """Find the verb, in a group of verbs where there is one, and run it."""
    bring_through(lambda repository, refs: supplied(out, repository, refs))
    out.as_json = front.as_json
    out.choose_colour(colour_of(front, out))
    words = front.words or ["status"]
    if words[0] == "--version":
        words[0] = "version"
    if words[0] in HELP:
        if len(words) > 1 and words[1] not in COMMANDS and told(words[1], front, out):
            return 0
        # `oxy help VERB` is `oxy VERB -h`.
        words = [*words[1:], "-h"]
    if words[0] not in COMMANDS and words[0] not in HELP:
        from oxy.cli.alias import expanded

        words = expanded(words) or words
    name, table = "", COMMANDS
    while words[0] in table:
        name = f"{name} {words[0]}".lstrip()
        module = loaded(table[words.pop(0)][0])
        group: Table | None = getattr(module, "COMMANDS", None)
        if group is None:
            return call(name, module, words, front, out)
        table = group
        words = words or ["-h"]
    if words[0] not in HELP:
        raise unknown(words, table)
    from oxy.cli.guide import overview, overview_of_group

    page("help", front, out)
    out.text(overview_of_group(name, table) if name else overview(table))
    return 0


def supplied(out: Output, repository: Lazy, refs: Sequence[BlobRef]) -> None:
    """Bring what a lazy repository lacks, and tell how far that has come."""
    from oxy.actions.supplying import supply

    supply(repository, refs, out.progress())


def told(word: str, front: Front, out: Output) -> bool:
    """Tell about a topic; False if that is none."""
    from oxy.cli.topics import TOPICS, topic

    if word in TOPICS:
        page("help", front, out)
        out.text(topic(word))
    return word in TOPICS


def colour_of(front: Front, out: Output) -> str:
    """Return when to use colour: what was said, else what is configured."""
    if front.color is not None or not out.is_terminal:
        return front.color or "auto"
    from oxy.cli.wanted import colour

    return colour(out)


def page(name: str, front: Front, out: Output) -> None:
    """Let the output of a command be read in a pager, on a terminal that wants one."""
    if out.is_terminal and not out.as_json and not front.no_pager:
        from oxy.cli.wanted import page_in_pager

        page_in_pager(name, out)


def unknown(words: list[str], table: Table) -> UnknownVerbError:
    """Return the error for a verb that is not in the table."""
    from difflib import get_close_matches

    from oxy.cli.alias import aliases

    known = [*table, *(aliases() if table is COMMANDS else ())]
    if words[1:] == ["-h"]:
        from oxy.cli.topics import TOPICS

        known += TOPICS
    return UnknownVerbError(words[0], tuple(get_close_matches(words[0], known)))


def loaded(module: str) -> ModuleType:
    """Import a module by name; importlib itself would cost a millisecond."""
    with phase("imports"):
        __import__(module)
    return sys.modules[module]


def call(name: str, module: ModuleType, words: list[str], front: Front, out: Output) -> int:
    """Run one verb with the words that follow it."""
    bare: Callable[[Output], int | None] | None = getattr(module, "bare", None)
    if not words and bare is not None:
        return inside(
            front.directories, lambda: accompanied(name, own(name, lambda: bare(out), out), out)
        )
    run: Callable[[Namespace, Output], int | None] = module.run
    with phase("arguments"):
        args = parsed(name, module, words, front, out)
    if args is None:
        return 0
    # What a verb takes for words, it may want to tell from paths.
    args.behind = len(words) - words.index("--") - 1 if "--" in words else None
    out.as_json = front.as_json or bool(args.as_json)
    if args.color is not None:
        out.choose_colour(args.color)
    front.no_pager |= args.no_pager
    page(name, front, out)
    directories = [*front.directories, *args.directories]
    work = own(name, lambda: run(args, out), out)
    return inside(directories, lambda: accompanied(name, work, out))


def own(name: str, work: Callable[[], int | None], out: Output) -> Callable[[], int | None]:
    """Return what runs a command: with signing what it records, where it may record."""
    if name not in RECORDING:
        return work
    from oxy.cli.signing import signed

    return lambda: signed(work, out)


def parsed(
    name: str, module: ModuleType, words: list[str], front: Front, out: Output
) -> Namespace | None:
    """Return the arguments of a verb; None if its help was asked for, and has been written."""
    from oxy.cli.reading import read

    given = read(module.configure, words)
    if given is not None:
        return given
    from oxy.cli.arguments import HelpWanted, parser_of

    try:
        return parser_of(name, module.configure).read(words)
    except HelpWanted as wanted:
        page("help", front, out)
        out.text(wanted.text)
        return None


def accompanied(name: str, work: Callable[[], int | None], out: Output) -> int | None:
    """Run a command; what the repository is to be in step with is so before and after it.

    Cost: a look for a directory at and above this one, and for one file (spec: GB60).
    """
    at = os.getcwdb()
    while not os.path.isdir(at + b"/.oxy") and len(at) > 1:
        at = os.path.dirname(at)
    if os.path.exists(at + b"/.oxy/companion"):
        from oxy.cli.companions import beside

        code = beside(at, name, work, out)
    else:
        code = work()
    # Who wrote nothing has not loaded what writes.
    if "oxy.store.writer" in sys.modules:
        from oxy.cli.tidying import tidy

        tidy(at)
    return code


def inside(directories: list[str], work: Callable[[], int | None]) -> int:
    """Do some work in another directory: the next relative to the one before."""
    if not directories:
        return work() or 0
    here = os.open(".", os.O_RDONLY)
    try:
        for directory in directories:
            try:
                os.chdir(directory)
            except (FileNotFoundError, NotADirectoryError) as error:
                raise NoDirectoryError(directory, error) from error
        return work() or 0
    finally:
        os.fchdir(here)
        os.close(here)
