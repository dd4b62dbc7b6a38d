"""`oxy git`: Git histories in, proven, and out, and Git remotes (spec: git-bridge)."""

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
    "clone": ("oxy_git.verb.cloning", "make a repository of a Git repository", "remotes"),
    "pull": ("oxy_git.verb.pulling", "take in what a Git remote holds", "remotes"),
    "fetch": ("oxy_git.verb.fetching", "see what a Git remote holds", "remotes"),
    "push": ("oxy_git.verb.pushing", "bring bookmarks to a Git remote", "remotes"),
    "status": ("oxy_git.verb.standing", "how bookmarks stand to their branches", "remotes"),
    "remote": ("oxy_git.verb.remote", "names for Git repositories elsewhere", "remotes"),
}
