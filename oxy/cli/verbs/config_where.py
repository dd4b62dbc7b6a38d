"""`oxy config where`: where the configuration files are (spec: command-line, L32)."""

from __future__ import annotations

import os

from oxy.actions.configuring import files
from oxy.cli.configfile import control_here
from oxy.repo.userfile import user_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments: none but the common ones."""
    parser.description = "Tell where the configuration files are, or would be."
    parser.epilog = "example:\n  oxy config where\n\nexit codes:\n  0 fine"


def run(_args: Namespace, out: Output) -> None:
    """Tell it."""
    for path in files(control_here()):
        whose = "user" if path == user_file() else "repository"
        exists = os.path.exists(path)
        if out.as_json:
            out.record({"whose": whose, "path": path, "exists": exists})
        else:
            out.line(f"{whose:<12}", path, "" if exists else "  (not there)")
