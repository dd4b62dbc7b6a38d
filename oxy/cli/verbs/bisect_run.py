"""`oxy bisect run`: let a command answer until the change is found (spec: states, S39)."""

from __future__ import annotations

import os

from oxy.actions.bisect import BAD, GOOD, SKIP, answer, standing
from oxy.cli.declared import ALL_THAT_FOLLOWS
from oxy.cli.searching import write
from oxy.errors import RequestError
from oxy.worktree.workcopy import working_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output

STDERR = 2
UNTESTABLE = 125
LAST_BAD = 127


class AnswerError(RequestError):
    """The command that tests cannot be run, or ended in a way that says nothing."""

    def __init__(self, command: str, what: str) -> None:
        super().__init__(f"{command} {what}")
        self.command_run = command


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Run a command at the root of the working copy for each state that is to be tested.\n"
        "If it ends with 0 the state is good, with 125 it cannot be tested, with any other\n"
        "number up to 127 it is bad. Anything else stops there; the search goes on as before."
    )
    parser.usage = "oxy bisect run [options] COMMAND [ARGUMENT...]"
    parser.add_argument(
        "words",
        nargs=ALL_THAT_FOLLOWS,
        metavar="COMMAND",
        help="the command, and all that follows it",
    )
    parser.epilog = (
        "example:\n  oxy bisect run make test\n\n"
        "exit codes:\n  0 found, or undecided as all that would tell was skipped\n"
        "  2 no search, states are missing, a file is in the way, or the command failed\n"
        "  3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Run the command until nothing is left to be tested."""
    here = os.getcwdb()
    words: list[str] = args.words[args.words[0] == "--" :]
    with working_copy(here) as copy:
        search, root = standing(copy), copy.root
    if search.missing is not None:
        what = search.missing.decode()
        raise AnswerError(words[0], f"has nothing to test: no {what} state is known")
    while search.testing is not None:
        out.flush()
        verdict = tested(words, root, is_quiet=out.as_json)
        # Opened anew each time: the command may have used this repository itself.
        with working_copy(root) as copy:
            search = answer(copy, verdict, [])
        write(out, search)


def tested(words: list[str], root: bytes, *, is_quiet: bool) -> bytes:
    """Run the command once, and return what it says.

    Where it is to be quiet, what it writes goes to standard error.
    """
    import subprocess

    try:
        stdout = STDERR if is_quiet else None
        code = subprocess.run(words, cwd=root, stdout=stdout, check=False).returncode
    except OSError as error:
        raise AnswerError(words[0], f"cannot be run: {error.strerror}") from error
    if code == 0:
        return GOOD
    if code == UNTESTABLE:
        return SKIP
    if not 0 < code <= LAST_BAD:
        raise AnswerError(words[0], f"ended with {code}, which says nothing")
    return BAD
