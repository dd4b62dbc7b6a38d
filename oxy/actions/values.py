"""Values of a file that are in conflict (spec: conflicts, C28; names, N3, N38).

Kind, mode, content, final LF and place of a node are registers: each may have values that
differ. A deletion that did not see an edit is told as two places, nowhere and where it shows; a
write of the kind that did not see one, as two kinds.
"""

from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.conflicts import KINDS, NAMES, in_conflict
from oxy.model.digest import blob_id
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
from oxy.repo.directories import Ways
from oxy.repo.registers import Held, Value
from oxy.repo.repository import Repository
from oxy.repo.sides import came
from oxy.repo.standing import ways_of
from oxy.repo.tree import (
    DELETED_EDITED,
    DISPUTED_KIND,
    DISPUTED_PATH,
    DISPUTED_PLACE,
    Entry,
)
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.workcopy import WorkingCopy

CONTENT: Final = {KIND_BINARY: BYTES, KIND_SYMLINK: TARGET, KIND_SUBREPO: PIN}
"""The register that holds the content of each kind but text."""

_KINDS: Final = {
    KIND_TEXT: b"text",
    KIND_BINARY: b"binary",
    KIND_SYMLINK: b"symlink",
    KIND_SUBREPO: b"subrepo",
}


_SHOWN: Final = 6
"""Bytes of a digest that are shown."""


class Disputed(NamedTuple):
    """A register of a file with values that differ: one's own ones, and those that came.

    `name` is what the conflict is called (L20).
    """

    path: bytes
    entry: Entry
    register: int
    left: tuple[Value, ...]
    right: tuple[Value, ...]
    name: str


def values(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = ()
) -> Iterator[Disputed]:
    """Yield the registers that are in conflict in the base state, by path.

    Cost: the register writes of the files in conflict.
    """
    repository = copy.repository
    theirs = came(repository, copy.target)
    for path, entry in in_conflict(copy, snapshot, only):
        for register, held in _disputed(repository, entry, path, copy.content.state):
            left, right = _sides(held, theirs)
            if not left or not right:
                left, right = tuple(held[:1]), tuple(held[1:])
            yield Disputed(path, entry, register, left, right, _name(entry, register))


def claims(
    copy: WorkingCopy, snapshot: Snapshot, only: Sequence[bytes] = ()
) -> Iterator[Disputed]:
    """Yield the files that share the path that they claim with others, each by the claim.

    Its value is that path, on the side of who made the claim. There is nothing to choose. A
    file that stays only because it was edited after its deletion makes no claim of its own.
    """
    repository = copy.repository
    state = copy.content.state
    ways = ways_of(repository.nodes, state)
    theirs = came(repository, copy.target)
    for path, entry in in_conflict(copy, snapshot, only):
        if not entry.disputed & DISPUTED_PATH:
            continue
        held = repository.nodes.registers(entry.node).values(PLACE, state)
        made = [value for value in _shown(held, ways) if value.value is not None]
        if made:
            sides = _sides(made, theirs)
            yield Disputed(path, entry, PLACE, *sides, KINDS[DISPUTED_PATH])


def _name(entry: Entry, register: int) -> str:
    """Return what the conflict of a register is called."""
    if register == PLACE and not entry.disputed & DISPUTED_PLACE:
        return KINDS[DELETED_EDITED]
    return NAMES[register][0]


def told(register: int, value: Held) -> bytes:
    """Return a value in words."""
    if register == MODE:
        return b"executable" if value else b"plain"
    if register == FINAL_LF:
        return b"final LF" if value else b"no final LF"
    if register == KIND and isinstance(value, int):
        return _KINDS[value]
    if value is None:
        return b"deleted" if register == PLACE else b"nothing"
    if register in (BYTES, PIN) and isinstance(value, bytes | BlobRef):
        return _told_bytes(register, value)
    return value if isinstance(value, bytes) else b""


def _told_bytes(register: int, value: bytes | BlobRef) -> bytes:
    if register == PIN and isinstance(value, bytes):
        return value.hex().encode()
    ref = value if isinstance(value, BlobRef) else BlobRef(blob_id(value), len(value))
    return b"%d bytes, %b" % (ref.length, ref.id[:_SHOWN].hex().encode())


def _sides(
    held: Sequence[Value], theirs: BitMap
) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """Return one's own values, and those of changes that came."""
    own: list[Value] = []
    other: list[Value] = []
    for value in held:
        (other if all(change in theirs for change in value.changes) else own).append(value)
    return tuple(own), tuple(other)


def _disputed(
    repository: Repository, entry: Entry, path: bytes, state: BitMap
) -> Iterator[tuple[int, list[Value]]]:
    """Yield (register, values) of what is in conflict, the value that shows first."""
    registers = repository.nodes.registers(entry.node)
    rank = repository.nodes.rank
    ways = ways_of(repository.nodes, state)
    for register in (PLACE, KIND, MODE, FINAL_LF, BYTES, TARGET, PIN):
        held = registers.values(register, state)
        if register == PLACE:
            held = _shown(held, ways)
        if register == PLACE and entry.disputed & DELETED_EDITED and len(held) == 1:
            seen = repository.states.of_change(held[0].changes[0])
            beside = [c for c, _ in repository.nodes.touching(entry.node) if c in state - seen]
            held.append(Value(path, tuple(beside)))
        if register == KIND and entry.disputed & DISPUTED_KIND and len(held) == 1:
            held.append(_other_kind(repository, entry, held[0].changes[0], state))
        if len(held) > 1:
            yield register, sorted(held, key=lambda value: min(map(rank, value.changes)))


def _shown(places: Iterable[Value], ways: Ways) -> list[Value]:
    """Return values that are places with the paths that these have in a state."""
    return [
        value._replace(value=ways.path(value.value))
        if isinstance(value.value, bytes)
        else value
        for value in places
    ]


def _other_kind(repository: Repository, entry: Entry, change: int, state: BitMap) -> Value:
    """Return the kind of content that lives beside a write of the kind, and what made it."""
    states, nodes = repository.states, repository.nodes
    seen = states.of_change(change)
    beside = tuple(
        other
        for other, _ in nodes.touching(entry.node)
        if other in state - seen and change not in states.of_change(other)
    )
    registers = nodes.registers(entry.node)
    for kind, register in CONTENT.items():
        live = registers.live_writes(register, state)
        if kind != entry.kind and not set(live).isdisjoint(beside):
            return Value(kind, beside)
    return Value(KIND_TEXT, beside)
