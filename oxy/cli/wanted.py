"""What the user wants of a terminal (spec: command-line, L15, L35).

Read only where the output is one. A file that is wrong is told of and stops nothing, so that
`oxy config` can put it right.
"""

from __future__ import annotations

import os

from oxy.actions.config import text
from oxy.cli.pager import PAGED, chosen
from oxy.repo.userfile import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.output import Output


def colour(out: Output) -> str:
    """Return when to use colour."""
    if os.environ.get("NO_COLOR"):
        return "auto"
    try:
        return text(None, "ui.color") or "auto"
    except ConfigError as error:
        out.warning(str(error))
        return "auto"


def page_in_pager(name: str, out: Output) -> None:
    """Let a command be read in a pager, if it is one that is, and one is wanted."""
    if name not in PAGED or os.environ.get("TERM") == "dumb":
        return
    try:
        command = chosen()
    except ConfigError:
        # That was told where colour was asked for.
        return
    if command:
        out.page(command)
