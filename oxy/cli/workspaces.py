"""Workspaces shown to people, and as JSON (spec: command-line, L19)."""

from __future__ import annotations

from oxy.cli.names import state_of
from oxy.cli.oplog import ids
from oxy.cli.output import Styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.actions.workspaces import Workspace
    from oxy.cli.output import Part
    from oxy.cli.records import Record
    from oxy.repo.repository import Repository


def record_of(repository: Repository, workspace: Workspace) -> Record:
    """Return a workspace for JSON."""
    return {
        "name": workspace.name,
        "path": workspace.path,
        "bookmark": workspace.target.bookmark,
        "heads": [name.hex() for name in ids(repository, workspace.target)[0]],
        "current": workspace.is_current,
        "missing": not workspace.is_there,
    }


def line_of(repository: Repository, workspace: Workspace) -> tuple[Part, ...]:
    """Return the line of a workspace."""
    state = Styled("id", state_of(*ids(repository, workspace.target)))
    star = "* " if workspace.is_current else "  "
    on: tuple[Part, ...] = ()
    if workspace.target.bookmark is not None:
        on = (" on ", workspace.target.bookmark)
    gone: tuple[Part, ...] = () if workspace.is_there else (Styled("warning", " (missing)"),)
    return star, workspace.name, " ", state, *on, " ", workspace.path, *gone
