"""`oxy git status`: how bookmarks stand to the branches of Git remotes (spec: GB55)."""

from __future__ import annotations

import os

from oxy.cli.outcome import counted
from oxy.repo.repository import opened
from oxy_git.remote.address import remotes, shown
from oxy_git.remote.standing import standings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from oxy.cli.output import Output
    from oxy_git.remote.standing import Standing


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = (
        "Tell how each bookmark stands to the branch of its name in each Git remote, as that\n"
        "was last seen. No remote is asked: `oxy git fetch` does that."
    )
    parser.epilog = "example:\n  oxy git status\n\nexit codes:\n  0 fine   3 no repository"


def run(_args: Namespace, out: Output) -> None:
    """Tell."""
    with opened(os.getcwdb()) as repository:
        known = list(remotes(repository))
        found = list(standings(repository))
    if out.as_json:
        for each in found:
            record(out, each)
        return
    if not known:
        out.line("there is no Git remote")
    for remote in known:
        out.line(remote.name, " ", shown(remote.url))
        for each in found:
            if each.remote == remote:
                out.line("  ", each.name, ": ", told(each))


def told(standing: Standing) -> str:
    """Return how a bookmark stands, in words."""
    if not standing.is_here:
        return f"only there: {counted(standing.behind)}"
    conflicts = ""
    if standing.conflicts:
        files = counted(standing.conflicts, "file")
        conflicts = f"; {files} in conflict: resolve before it can be pushed"
    if not standing.is_there:
        return f"not pushed: {counted(standing.ahead)}{conflicts}"
    parts = []
    if standing.ahead:
        parts.append(f"{counted(standing.ahead)} to push")
    if standing.behind:
        parts.append(f"{counted(standing.behind)} to pull")
    return (", ".join(parts) or "the same") + conflicts


def record(out: Output, standing: Standing) -> None:
    """Write how a bookmark stands as one object."""
    out.record(
        {
            "remote": standing.remote.name,
            "name": standing.name,
            "here": standing.is_here,
            "there": standing.is_there,
            "ahead": standing.ahead,
            "behind": standing.behind,
            "conflicts": standing.conflicts,
        }
    )
