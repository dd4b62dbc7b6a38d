"""`oxy cat`: the content of a file of a state (spec: command-line)."""

from __future__ import annotations

import os

from oxy.actions.cat import cat
from oxy.actions.naming import resolve
from oxy.actions.paths import inside
from oxy.actions.words import HERE_NAME
from oxy.repo.repository import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Write the content of a file as a state has it, byte for byte; escaped on a terminal.\n"
        "With --json: one object with it under `content`."
    )
    parser.add_argument("path", help="the file, from where you stand")
    parser.add_argument(
        "--at", metavar="STATE", help="as this state has it (the working copy's base)"
    )
    parser.epilog = (
        "example:\n  oxy cat README.md --at v1.0 > old.md\n\n"
        "exit codes:\n  0 fine   2 no such file or state   3 no repository"
    )


def run(args: Namespace, out: Output) -> None:
    """Write the content."""
    here = os.getcwdb()
    with opened(here) as repository:
        called = HERE_NAME if args.at is None else os.fsencode(args.at)
        state = resolve(repository, called).state
        path = inside(repository.root, here, os.fsencode(args.path))
        pieces = cat(repository, state, path)
        if out.as_json:
            out.record({"path": os.fsencode(args.path), "content": b"".join(pieces)})
            return
        if out.is_terminal:
            for line in lines_of(pieces):
                out.line(line)
            return
        for piece in pieces:
            out.raw(piece)


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of what comes in pieces. Memory: one line, one piece."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    if rest:
        yield rest
