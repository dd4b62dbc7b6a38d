"""Operations, shown to people and as JSON (spec: command-line, L19)."""

from __future__ import annotations

import os

from oxy.actions.steps import is_step
from oxy.cli.dates import readable, rfc3339
from oxy.cli.names import state_of
from oxy.cli.output import Styled
from oxy.model.change import Moment
from oxy.repo.refs import (
    ADDRESS,
    BOOKMARK,
    DISCARDED,
    KEPT,
    REMOTE,
    SEARCH,
    SHELF,
    STEP,
    TAG,
    WORKING,
    WORKSPACE,
)
from oxy.store.protocol import CHANGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.actions.oplog import Logged
    from oxy.cli.output import Part
    from oxy.cli.records import Record
    from oxy.repo.operations import Move
    from oxy.repo.refs import Target
    from oxy.repo.repository import Repository

KINDS = {
    BOOKMARK: "bookmark",
    TAG: "tag",
    WORKING: "working copy",
    REMOTE: "remote bookmark",
    SHELF: "shelf",
    SEARCH: "bisect",
    ADDRESS: "remote",
    DISCARDED: "discarded edits",
    WORKSPACE: "workspace",
    KEPT: "kept ref",
    STEP: "step",
}


def record_of(repository: Repository, logged: Logged) -> Record:
    """Return an operation for JSON."""
    number, (microseconds, offset, user, command, undoes, moves) = logged
    return {
        "operation": number,
        "date": rfc3339(Moment(microseconds, offset)),
        "user": user,
        "command": command,
        "undoes": undoes,
        "moves": [
            {
                "kind": KINDS[move.ref.kind],
                "name": move.ref.name,
                "before": ids_of(repository, move.before),
                "after": ids_of(repository, move.after),
            }
            for move in moves
        ],
    }


def ids_of(repository: Repository, target: Target | None) -> Record | None:
    """Return what a name held, for JSON."""
    if target is None:
        return None
    heads, absent = ids(repository, target)
    record: dict[str, list[str] | bytes] = {"state": [name.hex() for name in heads]}
    if absent:
        record["absent"] = [name.hex() for name in absent]
    if target.bookmark is not None:
        record["bookmark"] = target.bookmark
    return record


def ids(repository: Repository, target: Target) -> tuple[list[bytes], list[bytes]]:
    """Return the ids of the heads of a state, and of what is absent from it."""
    heads, absent = (sorted(repository.store.ids_of(CHANGE, part)) for part in target.state)
    return heads, absent


def heading(logged: Logged) -> tuple[Part, ...]:
    """Return the line for an operation."""
    number, (microseconds, offset, user, command, undoes, _) = logged
    date = readable(Moment(microseconds, offset))
    undone = f" (undoes {undoes})" if undoes is not None else ""
    return Styled("id", f"{number}"), f" {date} ", user, ": ", command, undone


def way(repository: Repository, move: Move) -> str:
    """Return from where to where a name moved."""
    return f"{told(repository, move.before)} -> {told(repository, move.after)}"


def told(repository: Repository, target: Target | None) -> str:
    """Return what a name held, for people."""
    if target is None:
        return "nothing"
    if is_step(target):
        return "what was done"
    state = state_of(*ids(repository, target))
    on = "" if target.bookmark is None else f" on {os.fsdecode(target.bookmark)}"
    return state + on
