"""Subrepos shown to people, and as JSON (spec: command-line, L19)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.actions.nested import Subrepo
    from oxy.cli.records import Record


def record_of(subrepo: Subrepo, path: str | bytes) -> Record:
    """Return a subrepo for JSON."""
    return {
        "path": path,
        "pin": subrepo.pin,
        "stands": subrepo.stands,
        "ahead": subrepo.ahead,
        "behind": subrepo.behind,
        "edits": subrepo.edits,
    }
