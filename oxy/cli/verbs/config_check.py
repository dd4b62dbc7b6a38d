"""`oxy config check`: what is wrong in the configuration files (spec: command-line, L32)."""

from __future__ import annotations

from oxy.actions.configuring import files, found_in
from oxy.cli.configfile import control_here, problems, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = (
        "Name every setting that is unknown, of another kind, or in a file that may not set\n"
        "it. Other commands only mind those that they need."
    )
    parser.epilog = (
        "example:\n  oxy config check\n\n"
        "exit codes:\n  0 fine   1 something is wrong   3 a file cannot be read, or is not TOML"
    )


def run(_args: Namespace, out: Output) -> int:
    """Name them."""
    control = control_here()
    wrong = [each for path in files(control) for each in problems(found_in(path, control))]
    for problem in wrong:
        if out.as_json:
            out.record({"path": problem.path, "what": problem.what, "near": list(problem.near)})
        else:
            warn(out, problem)
    return int(bool(wrong))
