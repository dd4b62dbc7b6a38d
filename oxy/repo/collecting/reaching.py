"""What the names and the operation log reach (spec: store, ST30, ST62).

Reached is what a name or a kept operation tells, and all that this names: dependencies,
contexts, what these lack, and what is named weakly. So what stays names nothing that goes.
"""

from collections.abc import Iterable, Iterator
from oxy.typed import Final, NamedTuple

import msgpack
from pyroaring import BitMap

from oxy.codec.decode import parts
from oxy.repo.operations import Move, decode_operation
from oxy.repo.refs import Ref, unpack_target
from oxy.repo.repository import Repository
from oxy.repo.signatures import numbers_of
from oxy.repo.states import States
from oxy.repo.tables import REF
from oxy.store.protocol import BLOB, CHANGE, OPERATION, SIGNATURE, Reader

_DIGEST: Final = rb"(?s)(?=\xc4\x20(.{32}))"
"""Each 32 bytes that the encoding could name as one value: what is none does no harm."""

_TOGETHER: Final = 1024


class Unreached(NamedTuple):
    """The numbers of what nothing reaches, by kind, and of operations that are too old."""

    objects: dict[int, BitMap]
    operations: BitMap


def unreached(repository: Repository, oldest: int) -> Unreached:
    """Return what nothing reaches.

    Args:
        repository: whose.
        oldest: operations from before this time, in microseconds, are not kept for themselves.

    Cost: reads every change once; memory for the ids of all blobs.
    """
    store = repository.store
    old, roots = _log(store, oldest)
    for _, row in store.rows(REF):
        heads, absent = unpack_target(row).state
        roots.update((*heads, *absent))
    reached = _closure(repository.states, roots)
    numbers = _numbers(store, CHANGE)
    blobs = _numbers(store, BLOB)
    while True:
        weak = _named(store, reached, blobs)
        if not weak:
            break
        reached |= _closure(repository.states, weak)
    lost = numbers - reached
    kept = BitMap(at for change in reached for at in numbers_of(store, change))
    signatures = _numbers(store, SIGNATURE) - kept
    return Unreached({CHANGE: lost, BLOB: blobs, SIGNATURE: signatures}, old)


def _numbers(store: Reader, kind: int) -> BitMap:
    return BitMap(range(1, store.count(kind) + 1)) - BitMap(store.all_gone(kind))


def _log(store: Reader, oldest: int) -> tuple[BitMap, set[int]]:
    """Return the operations that are not kept, and the changes that the others name.

    The last move of each name stays, however old: the name follows from it.
    """
    last: dict[Ref, int] = {}
    old: dict[int, tuple[Move, ...]] = {}
    roots: set[int] = set()
    numbers = list(_numbers(store, OPERATION))
    for number, payload in zip(numbers, store.read_many(OPERATION, numbers), strict=True):
        operation = decode_operation(store, payload)
        last.update((move.ref, number) for move in operation.moves)
        if operation.microseconds < oldest:
            old[number] = operation.moves
        else:
            roots.update(_named_by(operation.moves))
    gone = BitMap()
    for number, moves in old.items():
        if any(last[move.ref] == number for move in moves):
            roots.update(_named_by(moves))
        else:
            gone.add(number)
    return gone, roots


def _named_by(moves: Iterable[Move]) -> Iterator[int]:
    for move in moves:
        for target in (move.before, move.after):
            if target is not None:
                yield from (*target.state.heads, *target.state.absent)


def _closure(states: States, roots: Iterable[int]) -> BitMap:
    """Return some changes and all that they name, as far as contexts and dependencies tell."""
    found = BitMap()
    work = list(roots)
    while work:
        at = work.pop()
        if at not in found:
            found.add(at)
            link = states.link(at)
            work += (each for each in (*link.named, *link.context.absent) if each not in found)
    return found


def _named(store: Reader, reached: BitMap, blobs: BitMap) -> set[int]:
    """Return what changes name weakly that is not reached; take the blobs they name away."""
    import re

    digest = re.compile(_DIGEST)
    found: set[int] = set()
    names = {name: at for at, name in zip(blobs, store.ids_of(BLOB, blobs), strict=True)}
    numbers = list(reached)
    for start in range(0, len(numbers), _TOGETHER):
        some = numbers[start : start + _TOGETHER]
        weak: set[bytes] = set()
        for payload in store.read_many(CHANGE, some):
            operations = parts(payload)[1]
            weak.update(_weak(operations))
            for match in digest.finditer(operations):
                at = names.get(match[1])
                if at is not None:
                    blobs.discard(at)
        found.update(store.numbers_of(CHANGE, weak).values())
    return found - set(reached)


def _weak(operations: bytes) -> list[bytes]:
    """Return what operations name weakly: it comes first in them."""
    unpacker = msgpack.Unpacker(max_buffer_size=len(operations) + 1)
    unpacker.feed(operations)
    unpacker.read_array_header()
    found: list[bytes] = unpacker.unpack()
    return found
