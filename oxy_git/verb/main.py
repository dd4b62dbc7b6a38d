"""`oxy git`: Git histories in, proven, and out (spec: git-bridge, command-line)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "init": ("oxy_git.verb.beginning", "make a repository where one of Git is", "git"),
    "colocate": (
        "oxy_git.verb.colocating",
        "keep a repository in step with Git's in its directory",
        "git",
    ),
    "import": ("oxy_git.verb.importing", "bring in the history of a Git repository", "git"),
    "verify": (
        "oxy_git.verb.verifying",
        "work out every imported commit's tree id again",
        "git",
    ),
    "export": ("oxy_git.verb.exporting", "make commits of changes in a Git repository", "git"),
}
