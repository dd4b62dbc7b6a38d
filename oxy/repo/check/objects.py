"""Each object of the segments is what its id says, and is indexed (spec: store, ST26)."""

import os
from collections import Counter
from collections.abc import Iterator

from blake3 import blake3

from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.check.finding import OBJECT, SEGMENT, Finding
from oxy.repo.place import CONTROL
from oxy.repo.repository import Repository, identify
from oxy.store.file import FileStore, scan_store
from oxy.store.protocol import BLOB, CHANGE, OPERATION
from oxy.store.scan import Damage, Found

KINDS = {CHANGE: "change", BLOB: "blob", OPERATION: "operation"}


def check_objects(repository: Repository, progress: Progress) -> Iterator[Finding]:
    """Yield what is wrong with objects. Cost: reads every segment once."""
    if not isinstance(repository.store, FileStore):
        yield from _check_numbers(repository)
        return
    for problem in repository.store.check_database():
        yield Finding(SEGMENT, f"the index database is not sound: {problem}")
    found: Counter[int] = Counter()
    directory = os.path.join(repository.root, CONTROL)
    for done, item in enumerate(scan_store(directory, _identified)):
        progress.update(done, None, "objects")
        if isinstance(item, Damage):
            where = f"segment {item.segment} at offset {item.offset}"
            yield Finding(SEGMENT, f"{where} is damaged: {item.what}")
            continue
        found[item.kind] += 1
        yield from _check_found(repository, item)
    if any(found[kind] < repository.store.count(kind) for kind in KINDS):
        yield from _check_numbers(repository)


def _identified(kind: int, payload: bytes) -> bytes | None:
    """Return the id of an object by its bytes; of one that is in no form what is no id."""
    try:
        return identify(kind, payload)
    except CorruptionError:
        return b""


def _check_found(repository: Repository, item: Found) -> Iterator[Finding]:
    number = repository.store.number_of(item.kind, item.object_id)
    named = f"{KINDS.get(item.kind, f'kind {item.kind}')} {item.object_id.hex()}"
    if number is None:
        yield Finding(OBJECT, f"{named} is in the segments and not in the index")
    elif item.payload is None:
        yield from _check_one(repository, item.kind, number, item.object_id)


def _check_numbers(repository: Repository) -> Iterator[Finding]:
    """Read every object that the index knows."""
    for kind in KINDS:
        for number in range(1, repository.store.count(kind) + 1):
            name = repository.store.id_of(kind, number)
            yield from _check_one(repository, kind, number, name)


def _check_one(
    repository: Repository, kind: int, number: int, name: bytes
) -> Iterator[Finding]:
    store = repository.store
    try:
        if kind == BLOB:
            hasher = blake3()
            for piece in store.chunks(kind, number):
                hasher.update(piece)
            real: bytes | None = hasher.digest()
        else:
            real = identify(kind, store.read(kind, number))
    except CorruptionError as error:
        yield Finding(OBJECT, str(error), name if kind == CHANGE else None)
        return
    if real != name:
        what = f"{KINDS[kind]} {name.hex()} has content of another id"
        yield Finding(OBJECT, what, name if kind == CHANGE else None)
