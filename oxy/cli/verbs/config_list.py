"""`oxy config list`: what is set, and in which file (spec: command-line, L32)."""

from __future__ import annotations

from oxy.actions.config import repository_file
from oxy.actions.configuring import files, found_in
from oxy.cli.configfile import add_file, control_here, problems, shown, warn
from oxy.repo.userfile import user_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "List what is set, that of the repository first: where both files set something, the\n"
        "repository's counts. What is wrong in a file is told beside it."
    )
    add_file(parser, "")
    parser.epilog = (
        "example:\n  oxy config list --user\n\n"
        "exit codes:\n  0 fine   3 a file cannot be read, or is not TOML\n\n"
        "`oxy help settings` tells all that may be set."
    )


def run(args: Namespace, out: Output) -> None:
    """List it."""
    control = control_here()
    wanted = files(control)
    if args.user:
        wanted = [user_file()]
    if args.repository:
        wanted = [] if control is None else [repository_file(control)]
    for path in wanted:
        found = found_in(path, control)
        for name, held in found.lines:
            if out.as_json:
                out.record({"name": name, "value": held.value, "path": path})
            else:
                out.line(f"{name} = {shown(held.value)}  ", "(", path, ")")
        for problem in problems(found):
            warn(out, problem)
