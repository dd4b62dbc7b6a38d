"""`oxy config`: what is set, and setting it (spec: command-line, L31 to L33)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "list": ("oxy.cli.verbs.config_list", "what is set, and in which file", "settings"),
    "get": ("oxy.cli.verbs.config_get", "the value of one setting", "settings"),
    "set": ("oxy.cli.verbs.config_set", "set one", "settings"),
    "unset": ("oxy.cli.verbs.config_unset", "set one no longer", "settings"),
    "edit": ("oxy.cli.verbs.config_edit", "edit a configuration file", "settings"),
    "where": ("oxy.cli.verbs.config_where", "where the files are", "settings"),
    "check": ("oxy.cli.verbs.config_check", "what is wrong in them", "settings"),
}
