"""`oxy blame`: which change each line of a file came from (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.blame import blame
from oxy.actions.naming import HERE_NAME, resolve
from oxy.actions.paths import inside
from oxy.cli.dates import readable, rfc3339
from oxy.cli.escape import escape
from oxy.cli.output import Styled
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.actions.blame import Line, Origin
    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Show for each line of a file the change that it came from."
    parser.add_argument("path", help="the file, from where you stand")
    parser.add_argument(
        "--at", metavar="STATE", help="as this state has it (the working copy's base)"
    )
    parser.epilog = (
        "example:\n  oxy blame README.md --at main\n\n"
        "exit codes:\n  0 fine   2 no such file or state   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Show the lines."""
    here = os.getcwdb()
    with opened(here) as repository:
        called = HERE_NAME if args.at is None else os.fsencode(args.at)
        state = resolve(repository, called).state
        lines = blame(repository, state, inside(repository.root, here, os.fsencode(args.path)))
    if out.as_json:
        write_records(out, lines)
    else:
        write_lines(out, lines)


def write_records(out: Output, lines: list[Line]) -> None:
    """Write an object for each line."""
    for number, text, origin in lines:
        out.record(
            {
                "line": number,
                "text": text,
                "change": origin.id.hex(),
                "author": origin.header.author,
                "date": rfc3339(origin.header.time),
            }
        )


def write_lines(out: Output, lines: list[Line]) -> None:
    """Write each line after its change, author and date, in columns."""
    origins = {line.origin.id: line.origin for line in lines}
    names = {key: who(origin) for key, origin in origins.items()}
    dates = {key: readable(origin.header.time) for key, origin in origins.items()}
    widest = max(map(len, names.values()), default=0)
    digits = len(str(len(lines)))
    for number, text, origin in lines:
        key = origin.id
        middle = f" {names[key]:<{widest}} {dates[key]} {number:>{digits}} "
        out.line(Styled("id", key[:6].hex()), middle, text)


def who(origin: Origin) -> str:
    """Return the name of an author without the address, as it will be shown."""
    name, _, _ = origin.header.author.partition(b" <")
    return escape(name)
