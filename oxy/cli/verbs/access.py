"""`oxy access`: who may do what with what is served (spec: command-line, L83; sync, SY84)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "list": ("oxy.cli.verbs.access_list", "who may do what", "access"),
    "add": ("oxy.cli.verbs.access_add", "let somebody in", "access"),
    "renew": ("oxy.cli.verbs.access_renew", "give somebody another token", "access"),
    "remove": ("oxy.cli.verbs.access_remove", "let somebody in no more", "access"),
}
