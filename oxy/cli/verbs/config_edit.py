"""`oxy config edit`: edit a configuration file (spec: command-line, L32)."""

from __future__ import annotations

import os

from oxy.actions.configuring import found_in
from oxy.cli.configfile import add_file, control_here, file_meant, problems, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Edit your own configuration file, or that of the repository, in your editor. What is\n"
        "wrong in it then is told."
    )
    add_file(parser, " (this one)")
    parser.epilog = (
        "example:\n  oxy config edit --repository\n\n"
        "exit codes:\n  0 fine   3 no repository, no editor, or the file is not TOML now"
    )


def run(args: Namespace, out: Output) -> None:
    """Edit it."""
    from oxy.cli.editor import run as edit

    path = file_meant(args)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    edit(path, "the file is as it left it")
    for problem in problems(found_in(path, control_here())):
        warn(out, problem)
