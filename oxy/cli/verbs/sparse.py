"""`oxy sparse`: have only some files of a state here (spec: command-line, L84; W70)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "list": ("oxy.cli.verbs.sparse_list", "the patterns, and what they leave away", "sparse"),
    "set": ("oxy.cli.verbs.sparse_set", "have the files that patterns fit", "sparse"),
    "add": ("oxy.cli.verbs.sparse_add", "have more files", "sparse"),
    "reset": ("oxy.cli.verbs.sparse_reset", "have all files again", "sparse"),
}
