"""`oxy git remote`: names for Git repositories elsewhere (spec: git-bridge, GB50)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "list": ("oxy_git.verb.remote_list", "the Git remotes, and where they are", "remotes"),
    "add": ("oxy_git.verb.remote_add", "call a Git repository by a name", "remotes"),
    "remove": ("oxy_git.verb.remote_remove", "forget one", "remotes"),
}
