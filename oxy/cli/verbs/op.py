"""`oxy op`: the operation log (spec: command-line, states S24 to S28)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "log": ("oxy.cli.verbs.op_log", "what moved which names, newest first", "operations"),
    "show": ("oxy.cli.verbs.op_show", "what one operation did", "operations"),
    "diff": ("oxy.cli.verbs.op_diff", "what differs between two of them", "operations"),
    "restore": (
        "oxy.cli.verbs.op_restore",
        "make names what they were after an operation",
        "operations",
    ),
}
