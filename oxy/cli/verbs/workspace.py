"""`oxy workspace`: several working copies of one store (spec: command-line; states, S70)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

_GROUP = "workspaces"

COMMANDS: Table = {
    "list": (
        "oxy.cli.verbs.workspace_list",
        "the working copies of the store",
        _GROUP,
    ),
    "add": ("oxy.cli.verbs.workspace_add", "make another working copy", _GROUP),
    "remove": ("oxy.cli.verbs.workspace_remove", "forget one; its files stay", _GROUP),
    "attach": ("oxy.cli.verbs.workspace_attach", "join one again that was moved", _GROUP),
}
