"""What does storing, finding and reading objects cost in the store, beside git's object store?

Every object is new to its store, or known, as the row says. Neither side syncs: oxy `fast`, git
with core.fsync=none; bench `appends` is about syncs. git reads what it stores from files, and
is one process for all of a row's objects. *direct* is the store on files called as what it is,
not through its Protocol. Does not show: what a commit does besides.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.packs import names, pack
from bench.measuring.record import LIBRARY
from bench.measuring.source import git
from bench.operations.content import KIB, KINDS, MIB, NOISE, chance, contents, size_told
from oxy.model.digest import blob_id
from oxy.repo.repository import identify
from oxy.store.file import FileStore
from oxy.store.memory import MemoryStore
from oxy.store.protocol import BLOB, Store

LENGTHS: Final = {64: 1_000, 4 * KIB: 1_000, 64 * KIB: 200, MIB: 32}
"""The length of each object, and how many of them there are."""
UNSYNCED: Final = ("-c", "core.fsync=none")
ABSENT: Final = 10_000
AMONG: Final = 100_000


class Ours:
    """A store of oxy in a directory, and contents for it."""

    def __init__(self, path: str, data: Sequence[bytes]) -> None:
        self.path = path
        self.data = data
        self.store = FileStore.create(os.fsencode(path), identify, durability="fast")

    def empty(self) -> None:
        """Begin anew with nothing in it."""
        self.store.close()
        shutil.rmtree(self.path)
        self.store = FileStore.create(os.fsencode(self.path), identify, durability="fast")

    def reopen(self) -> None:
        """Forget what was read."""
        self.store.close()
        self.store = FileStore.open(os.fsencode(self.path), identify, durability="fast")

    def put(self) -> None:
        """Store all contents in one transaction."""
        put_all(self.store, self.data)

    def get(self) -> None:
        """Read all of them, proven."""
        read = self.store.read_many(BLOB, range(1, len(self.data) + 1))
        assert sum(map(len, read)) == sum(map(len, self.data))

    def check(self) -> None:
        """Assert that the store holds the contents, each once."""
        self.reopen()
        assert self.store.count(BLOB) == len(self.data)
        self.get()
        self.store.close()


def put_all(store: Store, data: Sequence[bytes]) -> None:
    """Store contents in one transaction, each hashed first."""
    with store.transaction() as transaction:
        for content in data:
            transaction.append(BLOB, blob_id(content), content)


class Theirs:
    """A repository of git in a directory, and the same contents in files."""

    def __init__(self, path: str, data: Sequence[bytes]) -> None:
        self.path = path
        self._files = f"{path}-files"
        os.makedirs(self._files)
        self._asked = "".join(f"{name}\n" for name in names(data)).encode()
        paths = [os.path.join(self._files, f"{number}") for number in range(len(data))]
        for name, content in zip(paths, data, strict=True):
            with open(name, "wb") as file:
                file.write(content)
        self._paths = "".join(f"{name}\n" for name in paths).encode()
        os.makedirs(path)
        self.empty()

    def empty(self) -> None:
        """Begin anew with nothing in it."""
        shutil.rmtree(self.path)
        os.makedirs(self.path)
        git(self.path, "init", "--bare", "--quiet")

    def put(self) -> None:
        """Store all contents."""
        words = ("hash-object", "-w", "--no-filters", "--stdin-paths")
        git(self.path, *UNSYNCED, *words, data=self._paths)

    def get(self) -> None:
        """Read all of them."""
        git(self.path, "cat-file", "--batch", data=self._asked)

    def check(self) -> None:
        """Assert that it holds the contents."""
        assert b"missing" not in git(self.path, "cat-file", "--batch-check", data=self._asked)


def objects(place: Place) -> Iterator[Setting]:
    """Yield storing objects, storing them again, and reading them back."""
    for kind in KINDS:
        for length, most in LENGTHS.items():
            data = contents(kind, length, place.share(most, 2))
            top = place.path(f"{kind}-{length}")
            ours, theirs = Ours(f"{top}-oxy", data), Theirs(f"{top}-git", data)

            def both(ours: Ours = ours, theirs: Theirs = theirs) -> None:
                ours.check()
                theirs.check()
                ours.reopen()

            works = {
                "store new objects": (
                    Arm(ours.put, ours.empty, ours.path),
                    Arm(theirs.put, theirs.empty, theirs.path),
                ),
                "store objects that are there": (Arm(ours.put), Arm(theirs.put)),
                "read objects back": (Arm(ours.get, ours.reopen), Arm(theirs.get)),
            }
            for operation, (one, other) in works.items():
                yield Setting(
                    operation,
                    f"{kind}, {size_told(length)}",
                    {"objects": len(data)},
                    {LIBRARY: one, "git": other},
                    both,
                    data=length * len(data),
                )


def segments(place: Place) -> Iterator[Setting]:
    """Yield writing segments of contents that are alike, and that are not, with their sizes."""
    for length, count in ((4 * KIB, 64), (MIB, 4)):
        for kind in ("similar", NOISE):
            data = (
                related(length, count) if kind == "similar" else contents(NOISE, length, count)
            )
            top = place.path(f"{kind}-{length}")
            ours, theirs = Ours(f"{top}-oxy", data), Theirs(f"{top}-git", data)
            packed = pack(data)
            arms = {
                LIBRARY: Arm(ours.put, ours.empty, os.path.join(ours.path, "segments")),
                "git": Arm(
                    partial(git, theirs.path, *UNSYNCED, "index-pack", "--stdin", data=packed),
                    theirs.empty,
                    os.path.join(theirs.path, "objects"),
                ),
            }
            yield Setting(
                "write a segment, beside a pack",
                f"{kind}, {size_told(length)}",
                {"objects": count},
                arms,
                ours.check,
                data=length * count,
            )


def related(length: int, count: int) -> list[bytes]:
    """Return versions of one content, each with a few bytes of the one before edited."""
    numbers = chance(length)
    content = bytearray(numbers.randbytes(length))
    versions = []
    for _ in range(count):
        for _ in range(4):
            content[numbers.randrange(length)] = numbers.randrange(256)
        versions.append(bytes(content))
    return versions


def existence(place: Place) -> Iterator[Setting]:
    """Yield looking for what is there and what is not, in one store and in a git repository."""
    count, asked = place.share(AMONG, 10), place.share(ABSENT, 5)
    numbers = chance(count)
    data = [numbers.randbytes(24) for _ in range(count)]
    ours, theirs = Ours(place.path("oxy"), data), Theirs(place.path("git"), data[:1])
    ours.put()
    ours.reopen()
    git(theirs.path, *UNSYNCED, "index-pack", "--stdin", data=pack(data))
    there = data[:: max(1, count // asked)][:asked]
    gone = [numbers.randbytes(25) for _ in range(asked)]
    for operation, wanted in (("find objects", there), ("miss objects", gone)):
        ids = [blob_id(each) for each in wanted]
        listed = "".join(f"{name}\n" for name in names(wanted)).encode()
        expected = len(wanted) if wanted is there else 0

        def check(ids: Sequence[bytes] = ids, expected: int = expected) -> None:
            assert len(ours.store.numbers_of(BLOB, ids)) == expected

        arms = {
            LIBRARY: Arm(partial(ours.store.numbers_of, BLOB, ids)),
            "library, one by one": Arm(partial(each_of, ours.store, ids)),
            "git": Arm(partial(git, theirs.path, "cat-file", "--batch-check", data=listed)),
        }
        sizes = {"asked": len(wanted), "objects": count}
        yield Setting(operation, "one store", sizes, arms, check)
    ours.store.close()


def each_of(store: Store, ids: Sequence[bytes]) -> list[int | None]:
    """Look for objects one after the other."""
    return [store.number_of(BLOB, name) for name in ids]


def protocol(place: Place) -> Iterator[Setting]:
    """Yield reading through the Protocol, straight from the class, and from memory."""
    data = contents(NOISE, 4 * KIB, place.share(1_000, 4))
    ours = Ours(place.path("oxy"), data)
    ours.put()
    ours.reopen()
    memory = MemoryStore()
    put_all(memory, data)
    direct: FileStore = ours.store
    numbers = range(1, len(data) + 1)
    arms = {
        LIBRARY: Arm(partial(read_each, ours.store, numbers)),
        "library, direct": Arm(lambda: [direct.read(BLOB, number) for number in numbers]),
        "library, in memory": Arm(partial(read_each, memory, numbers)),
    }
    yield Setting(
        "read through the Protocol",
        size_told(4 * KIB),
        {"objects": len(data)},
        arms,
        ours.check,
        against="library, direct",
    )


def read_each(store: Store, numbers: range) -> list[bytes]:
    """Read objects one after the other."""
    return [store.read(BLOB, number) for number in numbers]


CASES: Final = (
    Case("objects", objects),
    Case("segments", segments),
    Case("existence", existence),
    Case("protocol", protocol),
)


def main() -> None:
    """Print a row for each."""
    run_cases("storing", __doc__, CASES)


if __name__ == "__main__":
    main()
