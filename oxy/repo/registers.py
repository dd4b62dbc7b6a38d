"""Registers: what a node is besides its lines (spec: names, N1 to N8). Pure.

A write names the earlier writes that it replaces. In a state a register has the values that are
written there and replaced by nothing there; equal values are one.
"""

from collections.abc import Callable
from oxy.typed import Final, NamedTuple, TypeAlias

import msgpack
from pyroaring import BitMap

from oxy.model.digest import BlobId, blob_id
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    TARGET,
    BlobRef,
)
from oxy.repo.tables import MalformedRowError

Held: TypeAlias = bytes | int | BlobRef | None
"""A value as a repository holds it: a place is a path, or None where the node is nowhere."""


CONTENT: Final[dict[Held, int]] = {KIND_BINARY: BYTES, KIND_SYMLINK: TARGET, KIND_SUBREPO: PIN}
"""The register that holds the content of each kind but text."""


class Written(NamedTuple):
    """One write of one register."""

    change: int
    register: int
    value: Held
    replaces: tuple[int, ...]


class Value(NamedTuple):
    """A live value and the changes that wrote it."""

    value: Held
    changes: tuple[int, ...]


class Registers:
    """Every write to the registers of one node."""

    __slots__ = ("created", "writes")

    def __init__(self, created: int) -> None:
        self.created = created
        self.writes: list[Written] = []

    def add(self, change: int, row: bytes) -> None:
        """Add the writes of one change from its row.

        Raises:
            MalformedRowError: it is none.
        """
        try:
            for register, value, replaces in msgpack.unpackb(row, use_list=False):
                held = (
                    BlobRef(BlobId(value[0]), value[1]) if isinstance(value, tuple) else value
                )
                self.writes.append(Written(change, register, held, replaces))
        except (ValueError, TypeError, IndexError) as error:
            what = "list of writes"
            raise MalformedRowError(what) from error

    def values(self, register: int, state: BitMap) -> list[Value]:
        """Return the live values of a register in a state; more than one is a conflict."""
        writes = [w for w in self.writes if w.register == register and w.change in state]
        if len(writes) < 2:  # noqa: PLR2004 - nothing can replace anything
            return [Value(write.value, (write.change,)) for write in writes]
        replaced = {change for write in writes for change in write.replaces}
        live = [write for write in writes if write.change not in replaced]
        if len(live) == 1:
            return [Value(live[0].value, (live[0].change,))]
        found: dict[Held, list[Written]] = {}
        for write in live:
            found.setdefault(_essence(write), []).append(write)
        return [Value(w[0].value, tuple([x.change for x in w])) for w in found.values()]

    def live_writes(self, register: int, state: BitMap) -> tuple[int, ...]:
        """Return the changes whose writes a new write in a state replaces."""
        return tuple(sorted(c for value in self.values(register, state) for c in value.changes))


def _essence(write: Written) -> Held:
    """Return what equal values share: one change may hold inline what is a blob of another."""
    value = write.value
    if write.register == BYTES and isinstance(value, bytes):
        return BlobRef(blob_id(value), len(value))
    return value


class View(NamedTuple):
    """What a node is in a state; `disputed` are the registers with more than one value."""

    kind: int
    path: bytes | None
    mode: int
    final_lf: int
    content: Held
    disputed: tuple[int, ...]


def view(registers: Registers, kind: int, state: BitMap, rank: Callable[[int], bytes]) -> View:
    """Return what a node is in a state.

    Args:
        registers: every write to it.
        kind: the kind that it was created with.
        state: the state.
        rank: the id of a change; of several values the one of the smallest id shows.
    """
    disputed = []

    def one(register: int, default: Held) -> Held:
        values = registers.values(register, state)
        if not values:
            return default
        if len(values) == 1:
            return values[0].value
        disputed.append(register)
        return min(values, key=lambda value: min(map(rank, value.changes))).value

    kind_now = one(KIND, kind)
    path, mode, final_lf = one(PLACE, None), one(MODE, 0), one(FINAL_LF, 1)
    content = None if kind_now == KIND_TEXT else one(CONTENT[kind_now], None)
    return View(
        _int(kind_now),
        path if isinstance(path, bytes) else None,
        _int(mode),
        _int(final_lf),
        content,
        tuple(disputed),
    )


def _int(value: Held) -> int:
    return value if isinstance(value, int) else 0
