"""`oxy subrepo`: repositories that changes pin (spec: command-line; working-copy, W50)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

_GROUP = "subrepos"

COMMANDS: Table = {
    "list": ("oxy.cli.verbs.subrepo_list", "the subrepos, and how they stand", _GROUP),
    "add": ("oxy.cli.verbs.subrepo_add", "pin a repository that is here, or a clone", _GROUP),
    "record": ("oxy.cli.verbs.subrepo_record", "pin what they are at now", _GROUP),
    "update": ("oxy.cli.verbs.subrepo_update", "make them what their pins say", _GROUP),
    "move": ("oxy.cli.verbs.subrepo_move", "move one with its directory", _GROUP),
    "remove": ("oxy.cli.verbs.subrepo_remove", "pin one no more; its files stay", _GROUP),
}
