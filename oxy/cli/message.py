"""Where the message of a change comes from (spec: command-line, L5, L24, L30)."""

from __future__ import annotations

import os
import sys

from oxy.cli.front import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable


def add_message(parser: ArgumentParser) -> None:
    """Declare the arguments that give a message, or what one begins with."""
    parser.add_argument(
        "-m",
        dest="messages",
        metavar="MESSAGE",
        action="append",
        help="the message; given again, another paragraph",
    )
    parser.add_argument(
        "-F", dest="file", metavar="FILE", help="a file with the message; - is standard input"
    )
    parser.add_argument(
        "-t",
        dest="template",
        metavar="FILE",
        help="a file with which the message begins in the editor (commit.template)",
    )


def refuse_several(args: Namespace) -> None:
    """Refuse a message that is given in more than one way.

    Raises:
        UsageError: it is.
    """
    given = {"-m": args.messages, "-F": args.file, "-t": args.template}
    several = [option for option, value in given.items() if value is not None]
    if len(several) > 1:
        message = f"{' and '.join(several)} do not go together"
        raise UsageError(message)


def message_of(args: Namespace, control: bytes, told: Callable[[], bytes]) -> bytes:
    """Return the message, from the arguments, a file, or the editor.

    Args:
        args: what `add_message` declared.
        control: the `.oxy` directory.
        told: returns what the editor shows below the scissors line.

    Raises:
        UsageError: a file cannot be read.
        EditorError: the editor failed.
        ConfigError: a configuration file is wrong.
    """
    if args.messages is not None:
        paragraphs: list[str] = args.messages
        return b"\n\n".join(os.fsencode(paragraph).strip() for paragraph in paragraphs)
    if args.file == "-":
        return sys.stdin.buffer.read()
    if args.file is not None:
        return read("-F", os.fsencode(args.file))
    from oxy.cli import editor

    first = template(args.template, control)
    message = editor.edited(control, told(), first)
    # What says no more than the template says nothing.
    return b"" if first and message == editor.message_of(first) else message


def template(given: str | None, control: bytes) -> bytes:
    """Return what the message begins with; a relative path that is set is of the repository.

    Raises:
        UsageError: the file cannot be read.
        ConfigError: the file of the repository names one outside.
    """
    if given is not None:
        return read("-t", os.fsencode(given))
    from oxy.actions.config import file_of
    from oxy.repo.place import home

    root = os.path.dirname(control)
    path = file_of(home(root).control, "commit.template", root)
    return b"" if path is None else read("commit.template", path)


def read(option: str, path: bytes) -> bytes:
    """Return the content of a file that an option or a setting names."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        message = f"{option} {os.fsdecode(path)}: {error.strerror}"
        raise UsageError(message) from error
