"""Each object of the segments is what its id says, and is indexed (spec: store, ST26)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from blake3 import blake3

from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.check.blobs import Blobs, lines_in
from oxy.repo.check.finding import OBJECT, SEGMENT, Finding
from oxy.repo.check.neighbours import Neighbours
from oxy.repo.repository import Repository, identify
from oxy.store.file import FileStore, scan_store
from oxy.store.protocol import BLOB, CHANGE, OPERATION, SIGNATURE
from oxy.store.record import Place
from oxy.store.scan import Damage, Found

KINDS = {CHANGE: "change", BLOB: "blob", OPERATION: "operation", SIGNATURE: "signature"}


def check_objects(
    repository: Repository, blobs: Blobs, progress: Progress
) -> Iterator[Finding]:
    """Yield what is wrong with objects, and note what the blobs are like.

    Cost: reads every segment once.
    """
    store = repository.store
    if not isinstance(store, FileStore):
        yield from _check_numbers(repository, blobs)
        return
    for problem in store.check_database():
        yield Finding(SEGMENT, f"the index database is not sound: {problem}")
    found: Counter[int] = Counter()
    known = {kind: Neighbours(store, kind, _located(store, kind)) for kind in KINDS}
    for done, item in enumerate(scan_store(repository.control, _identified)):
        progress.update(done, None, "objects")
        if isinstance(item, Damage):
            where = f"segment {item.segment} at offset {item.offset}"
            yield Finding(SEGMENT, f"{where} is damaged: {item.what}")
            continue
        found[item.kind] += 1
        yield from _check_found(repository, known, blobs, item)
    if any(found[kind] < store.count(kind) - len(store.all_gone(kind)) for kind in KINDS):
        yield from _check_numbers(repository, blobs)


def _located(
    store: FileStore, kind: int
) -> Callable[[range], Iterator[tuple[bytes, tuple[int, Place]]]]:
    """Return what reads where objects of a kind are, for `Neighbours`."""

    def read(numbers: range) -> Iterator[tuple[bytes, tuple[int, Place]]]:
        for number, name, place in store.located_many(kind, numbers):
            yield name, (number, place)

    return read


def _identified(kind: int, payload: bytes) -> bytes | None:
    """Return the id of an object by its bytes; of one that is in no form what is no id."""
    try:
        return identify(kind, payload)
    except CorruptionError:
        return b""


def _check_found(
    repository: Repository,
    known: dict[int, Neighbours[tuple[int, Place]]],
    blobs: Blobs,
    item: Found,
) -> Iterator[Finding]:
    store = repository.store
    held = known[item.kind].find(item.object_id) if item.kind in known else None
    if held is None:
        if isinstance(store, FileStore) and store.is_gone(item.kind, item.object_id):
            return
        named = f"{KINDS.get(item.kind, f'kind {item.kind}')} {item.object_id.hex()}"
        yield Finding(OBJECT, f"{named} is in the segments and not in the index")
        return
    number, place = held
    if item.payload is None or place != item.place:
        yield from _check_one(repository, blobs, item.kind, number, item.object_id)
    elif item.kind == BLOB:
        blobs.note(number, len(item.payload), lines_in([item.payload]))


def _check_numbers(repository: Repository, blobs: Blobs) -> Iterator[Finding]:
    """Read every object that the index knows."""
    for kind in KINDS:
        gone = set(repository.store.all_gone(kind))
        for number in range(1, repository.store.count(kind) + 1):
            if number in gone:
                continue
            name = repository.store.id_of(kind, number)
            yield from _check_one(repository, blobs, kind, number, name)


def _check_one(
    repository: Repository, blobs: Blobs, kind: int, number: int, name: bytes
) -> Iterator[Finding]:
    store = repository.store
    try:
        if kind == BLOB:
            passing = _Passing(store.chunks(kind, number))
            lines = lines_in(passing)
            real: bytes | None = passing.hasher.digest()
        else:
            real = identify(kind, store.read(kind, number))
    except CorruptionError as error:
        if kind == BLOB:
            blobs.lose(number)
        yield Finding(OBJECT, str(error), name if kind == CHANGE else None)
        return
    if real != name:
        if kind == BLOB:
            blobs.lose(number)
        what = f"{KINDS[kind]} {name.hex()} has content of another id"
        yield Finding(OBJECT, what, name if kind == CHANGE else None)
    elif kind == BLOB:
        blobs.note(number, passing.size, lines)


class _Passing:
    """The pieces of an object, hashed and counted while somebody looks at them."""

    __slots__ = ("_pieces", "hasher", "size")

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self.hasher = blake3()
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.hasher.update(piece)
            self.size += len(piece)
            yield piece
