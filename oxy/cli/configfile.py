"""Which configuration file a command means (spec: command-line, L32)."""

from __future__ import annotations

import os

from oxy.actions.config import repository_file
from oxy.actions.configuring import Problem
from oxy.cli.alias import words_of
from oxy.cli.commands import COMMANDS
from oxy.repo.place import NoRepositoryError, find, home
from oxy.repo.userfile import ConfigError, user_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.configuring import Found
    from oxy.cli.output import Output


def add_file(parser: ArgumentParser, default: str) -> None:
    """Declare the arguments that choose a file."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--user", action="store_true", help=f"your own file{default}")
    which.add_argument("--repository", action="store_true", help="the file of this repository")


def control_here() -> bytes | None:
    """Return the `.oxy` of the store that the user works in, or None."""
    try:
        return home(find(os.getcwdb())).control
    except NoRepositoryError:
        return None


def file_meant(args: Namespace) -> bytes:
    """Return the file that the arguments choose: the user's by default.

    Raises:
        NoRepositoryError: that of a repository is meant, and there is none.
    """
    if args.repository:
        return repository_file(home(find(os.getcwdb())).control)
    return user_file()


def problems(found: Found) -> list[Problem]:
    """Return all that is wrong in a file, with what only commands can tell of an alias."""
    more = []
    for name, (value, path) in found.lines:
        section, _, alias = name.partition(".")
        if section == "alias" and alias in COMMANDS and path is not None:
            more.append(Problem(path, f"{name} is never used, for a command has that name"))
        elif section == "alias" and path is not None:
            try:
                words_of(alias, str(value))
            except ConfigError as error:
                more.append(Problem(path, error.why))
    return [*found.problems, *more]


def warn(out: Output, problem: Problem) -> None:
    """Tell what is wrong in a file, and what may have been meant."""
    meant = f"; did you mean {' or '.join(problem.near)}?" if problem.near else ""
    out.warning("configuration ", problem.path, f": {problem.what}{meant}")


def shown(value: str | list[str]) -> str:
    """Return a value as a file has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
