"""`oxy bundle`: changes in a file (spec: command-line, sync SY27, SY28)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "create": ("oxy.cli.verbs.bundle_create", "write changes to a file", "bundles"),
    "apply": ("oxy.cli.verbs.bundle_apply", "take in what a file holds", "bundles"),
    "inspect": ("oxy.cli.verbs.bundle_inspect", "what a file says that it holds", "bundles"),
    "verify": (
        "oxy.cli.verbs.bundle_verify",
        "prove a file, keep nothing",
        "bundles",
    ),
}
