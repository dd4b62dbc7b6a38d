"""`oxy bisect`: find the change that made something bad (spec: command-line, states S39)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

_GROUP = "searching"

COMMANDS: Table = {
    "start": ("oxy.cli.verbs.bisect_start", "begin a search", _GROUP),
    "good": ("oxy.cli.verbs.bisect_good", "say that a state is good", _GROUP),
    "bad": ("oxy.cli.verbs.bisect_bad", "say that a state is bad", _GROUP),
    "skip": ("oxy.cli.verbs.bisect_skip", "say that a change cannot be tested", _GROUP),
    "run": ("oxy.cli.verbs.bisect_run", "let a command answer, to the end", _GROUP),
    "reset": ("oxy.cli.verbs.bisect_reset", "end the search and go back", _GROUP),
}
