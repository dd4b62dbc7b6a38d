"""`oxy remote`: names for other repositories (spec: command-line, sync SY12)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "list": ("oxy.cli.verbs.remote_list", "the remotes, and where they are", "remotes"),
    "add": ("oxy.cli.verbs.remote_add", "call another repository by a name", "remotes"),
    "show": ("oxy.cli.verbs.remote_show", "how yours stands to one", "remotes"),
    "rename": ("oxy.cli.verbs.remote_rename", "call one by another name", "remotes"),
    "remove": ("oxy.cli.verbs.remote_remove", "forget one", "remotes"),
}
