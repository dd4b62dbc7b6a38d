"""Steps that change files, or what is said of them, and move no name (spec: states, S80).

`mv`, `rm`, `restore`, `track` and `untrack` each note what they did as a move of a name of its
own kind: so the operation log tells of it, and `undo` and `redo` can take it back and do it
again.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from oxy.typed import Final, NamedTuple, TypeAlias, cast

import msgpack

from oxy.actions.clock import now
from oxy.actions.going import require_unmoved
from oxy.actions.identity import operator
from oxy.codec.form import byte_string, integer, many, row
from oxy.repo.refs import STEP, Ref, Target
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.worktree.workcopy import WorkingCopy

NOTED: Final = Ref(STEP, b"")
FIELD: Final = b"oxy:step"

MOVED: Final = b"mv"
REMOVED: Final = b"rm"
RESTORED: Final = b"restore"
SAID: Final = b"track"

_Row: TypeAlias = tuple[bytes, bytes, int]
_FORM: Final = row(byte_string, integer, many(row(byte_string, byte_string, integer)))
"""What was done, when, and for each path what the kind of step says below."""


class Step(NamedTuple):
    """What was done to files.

    Attributes:
        kind: one of those above.
        rows: of MOVED the paths of before and after, and 1 where it was moved by hand; of
            REMOVED paths; of RESTORED paths, and 1 where there was a file before; of SAID
            paths with the signs of before and after: `+`, `-`, or a blank for nothing.
        state: what the files were restored from.
    """

    kind: bytes
    rows: tuple[_Row, ...]
    state: Name = Name()


@contextmanager
def stepping(copy: WorkingCopy, command: bytes, step: Step) -> Iterator[None]:
    """Do a step while nobody else moves the working copy, and note it.

    Where the block fails nothing is noted; what it did to files by then stays.

    Raises:
        MovedMeanwhileError: another process moved the working copy.
        StoreLockedError: another process is writing and did not end in time.
    """
    stamp = Stamp(*now(), operator(), command)
    packed: bytes = msgpack.packb((step.kind, stamp.microseconds, step.rows))
    with writing(copy.repository, stamp) as work:
        require_unmoved(work.repository, copy.base, ())
        yield
        if step.rows:
            work.move(NOTED, Target(step.state, ((FIELD, packed),)))


def noted(target: Target | None) -> Step | None:
    """Return the step that an operation noted; None for none, or one in another form."""
    if target is None:
        return None
    try:
        raw: object = msgpack.unpackb(dict(target.extra).get(FIELD, b""), use_list=False)
    except ValueError:
        return None
    if not _FORM(raw):
        return None
    kind, _, rows = cast("tuple[bytes, int, tuple[_Row, ...]]", raw)
    return Step(kind, rows, target.state)


def is_step(target: Target) -> bool:
    """Tell whether a name holds what was done to files, and no state."""
    return any(key == FIELD for key, _ in target.extra)


def said(before: Mapping[bytes, bool], after: Mapping[bytes, bool]) -> Step:
    """Return the step from what was said of paths to what is."""
    paths = sorted(before.keys() | after.keys())
    rows = tuple(
        (path, _sign(before.get(path)) + _sign(after.get(path)), 0)
        for path in paths
        if before.get(path) != after.get(path)
    )
    return Step(SAID, rows)


def _sign(is_tracked: bool | None) -> bytes:  # noqa: FBT001 -- a value, not a switch
    return {True: b"+", False: b"-", None: b" "}[is_tracked]
