"""`oxy git`: Git histories in, and proven (spec: git-bridge, command-line)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "import": ("oxy_git.verb.importing", "bring in the history of a Git repository", "git"),
    "verify": (
        "oxy_git.verb.verifying",
        "work out every imported commit's tree id again",
        "git",
    ),
}
