"""How small do related versions become, and how long does it take, beside git's packs?

Twenty versions of one content: bytes edited in place, bytes inserted, source edited by lines;
contents that have nothing to do with each other, that repeat a pattern, that are larger than
a piece of the store (1 MiB), and tiny ones. oxy writes its segments anew as `oxy gc` does;
git finds deltas. *find* and *miss* are look-ups in that store: as one segment after the
other, and written anew. Does not show: texts that are graphs, whose versions share their
lines already.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from bench.measuring.arriving import UNWATCHED
from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.packs import pack
from bench.measuring.record import LIBRARY
from bench.measuring.source import git
from bench.operations.content import KIB, MIB, NOISE, chance, contents, source_text
from oxy.model.digest import blob_id
from oxy.repo.repository import identify
from oxy.store.file import FileStore
from oxy.store.protocol import BLOB, IndexWriter
from oxy.store.repacking import Wanted

VERSIONS: Final = 20
LOOKED: Final = 1_000
KB: Final = 1e3


def edited(length: int, count: int) -> list[bytes]:
    """Return versions that differ in a few bytes."""
    numbers = chance(length)
    content = bytearray(numbers.randbytes(length))
    made = []
    for _ in range(count):
        for _ in range(4):
            content[numbers.randrange(length)] = numbers.randrange(256)
        made.append(bytes(content))
    return made


def shifted(length: int, count: int) -> list[bytes]:
    """Return versions that each have some bytes more in their middle."""
    numbers = chance(length + 1)
    content = numbers.randbytes(length)
    made = []
    for _ in range(count):
        at = numbers.randrange(length)
        content = content[:at] + numbers.randbytes(8) + content[at:]
        made.append(content)
    return made


def source(lines: int, count: int) -> list[bytes]:
    """Return versions of source, each with a line edited."""
    numbers = chance(lines)
    content = source_text(lines).splitlines(keepends=True)
    made = []
    for number in range(count):
        content[numbers.randrange(lines)] = b"    edited %d\n" % number
        made.append(b"".join(content))
    return made


def repeated(length: int, count: int) -> list[bytes]:
    """Return contents of one pattern, told apart by a number."""
    return contents("repeated", length, count)


KINDS: Final[dict[str, Callable[[int], list[bytes]]]] = {
    "edited binary": partial(edited, 64 * KIB),
    "shifted binary": partial(shifted, 64 * KIB),
    "source": partial(source, 1_000),
    "independent": partial(contents, NOISE, 64 * KIB),
    "repeated": partial(repeated, 64 * KIB),
    "oversized": partial(edited, 2 * MIB),
    "tiny": partial(contents, NOISE, 20),
}


class Versions:
    """Versions in both systems that nobody has compressed together."""

    def __init__(self, top: str, data: Sequence[bytes]) -> None:
        self.data = data
        self._oxy, self._git = (os.path.join(top, each) for each in ("as-stored", "git"))
        self.oxy, self.packs = (os.path.join(top, each) for each in ("oxy", "packs"))
        os.makedirs(self._git)
        filled(self._oxy, [[content] for content in data]).close()
        git(self._git, "init", "--bare", "--quiet")
        git(self._git, "index-pack", "--stdin", data=pack(data))
        self._names = git(
            self._git, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"
        )

    def fresh(self) -> None:
        """Begin with the store as it was filled."""
        shutil.rmtree(self.oxy, ignore_errors=True)
        shutil.copytree(self._oxy, self.oxy)

    def compress(self) -> None:
        """Write the segments anew."""
        store = FileStore.open(os.fsencode(self.oxy), identify)
        repack(store)
        store.close()

    def no_packs(self) -> None:
        """Begin without packs."""
        shutil.rmtree(self.packs, ignore_errors=True)
        os.makedirs(self.packs)

    def compress_git(self) -> None:
        """Make a pack with deltas that are found anew."""
        to = os.path.join(self.packs, "pack")
        git(self._git, "pack-objects", "-q", "--no-reuse-delta", to, data=self._names)

    def check(self) -> None:
        """Assert that the store still holds every version."""
        store = FileStore.open(os.fsencode(self.oxy), identify)
        numbers = range(1, len(self.data) + 1)
        assert list(store.read_many(BLOB, numbers)) == list(self.data)
        store.close()


def filled(path: str, batches: Sequence[Sequence[bytes]], *, parted: bool = False) -> FileStore:
    """Return a store with a transaction of each batch, or a segment of each."""
    store = FileStore.create(os.fsencode(path), identify, durability="fast")
    for batch in batches:
        with store.transaction() as transaction:
            for content in batch:
                transaction.append(BLOB, blob_id(content), content)
        if parted:
            with store.writing():
                store.finish_segment(no_rows)
    return store


def repack(store: FileStore) -> None:
    """Write all segments of a store anew."""
    with store.writing():
        store.repack(Wanted(1, {}, no_rows, UNWATCHED))


def no_rows(_: IndexWriter) -> None:
    """Change no rows: none follow from these objects."""


def versions(place: Place) -> Iterator[Setting]:
    """Yield compressing versions of each kind together."""
    for kind, make in KINDS.items():
        data = make(place.share(VERSIONS, 3))
        made = Versions(place.path(kind), data)
        arms = {
            LIBRARY: Arm(made.compress, made.fresh, os.path.join(made.oxy, "segments")),
            "git": Arm(made.compress_git, made.no_packs, made.packs),
        }
        total = sum(map(len, data))
        facts = {"raw KB": total / KB}
        sizes = {"versions": len(data)}
        yield Setting("compress", kind, sizes, arms, made.check, facts=facts, data=total)


def segments(place: Place) -> Iterator[Setting]:
    """Yield look-ups in a store of one segment, of many, and of many written anew."""
    count = place.share(LOOKED, 20)
    data = contents(NOISE, 100, count)
    batches = [data[start : start + count // 10] for start in range(0, count, count // 10)]
    stores = {
        "one segment": filled(place.path("one"), [data]),
        "many segments": filled(place.path("many"), batches, parted=True),
        "segments written anew": filled(place.path("anew"), batches, parted=True),
    }
    repack(stores["segments written anew"])
    there = [blob_id(content) for content in data]
    gone = [blob_id(content + b"+") for content in data]
    for material, store in stores.items():
        for operation, ids, expected in (("find", there, count), ("miss", gone, 0)):
            look = partial(store.numbers_of, BLOB, ids)
            assert len(look()) == expected
            yield Setting(operation, material, {"objects": count}, {LIBRARY: Arm(look)})
        store.close()


CASES: Final = (Case("versions", versions), Case("segments", segments))


def main() -> None:
    """Print a row for each."""
    run_cases("compressing", __doc__, CASES)


if __name__ == "__main__":
    main()
