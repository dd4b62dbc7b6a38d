"""What does one durable append of incompressible content cost, beside git's index-pack?

*Indexed* is an append as oxy makes it: the frame is written and synced, then the database that
points at it is committed. *Acknowledged* stops after the sync: an opening indexes what it
finds. Does not show: commits (no working copy, no graph, no operation log), content that
compresses, several writers, a cut of the power.
"""

import os
import random
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from bench.measuring.calls import BEGIN, END, Calls, counted, mark
from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.packs import names, pack
from bench.measuring.process import ROOT, environment
from bench.measuring.source import git
from oxy.model.digest import blob_id
from oxy.repo.repository import identify
from oxy.store.file import DEFAULT_LEVEL, FileStore
from oxy.store.frame import FIRST_PIECE, NEXT_PIECE, RECORDS, Packer, packer, seal
from oxy.store.limits import FRAME_TARGET, PIECE_SIZE
from oxy.store.memory import MemoryStore
from oxy.store.protocol import BLOB, Durability, Store
from oxy.store.record import first_piece, next_piece, record
from oxy.store.segment import SegmentFiles
from oxy.store.writer import SegmentWriter

KIB: Final = 1 << 10
MIB: Final = 1 << 20
SIZES: Final = {
    "200 B": (200, 200),
    "8 KiB": (8 * KIB, 100),
    "512 KiB": (512 * KIB, 32),
    "32 MiB": (32 * MIB, 8),
}
"""The length of each content, and how many of them are appended."""
KEPT: Final = 64 * KIB
"""Contents of at most so many bytes keep their length at every size of the bench."""
GROUP: Final = 16
SEED: Final = 20_261_201
TRACED: Final = 16
"""Appends whose system calls are counted."""

INDEXED: Final = "indexed"
ACKNOWLEDGED: Final = "acknowledged"
SAFE: Final = "safe"
GROUPED: Final = f"safe, {GROUP} a sync"
GIT_GROUPED: Final = f"git, {GROUP} a pack"
GIT: Final = ("git", "-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync", "index-pack")

DURABLE: Final = (
    "Durability: *memory* keeps nothing; *fast* survives a killed process; *safe* survives"
    f" a power cut at the end of each append; *safe, {GROUP} a sync* and *git, {GROUP} a pack*"
    " survive it at the end of each group only; *git* (core.fsync=all) as *safe*."
)
UNLIKE: Final = (
    "The arms do not make the same artifact: oxy appends a frame to one segment and a row to"
    " one database, content hashed with BLAKE3 and tried with zstd. git makes a pack and an"
    " index of each append, proves the SHA-1 of content that came compressed, and is a process"
    " each time: its start is in its figures and calls, that of oxy is not."
)
STOPS: Final = (
    "*memory* has no index that could lag and git no pack without one: they have no row"
    " *acknowledged*. No command of oxy stops there; those rows tell what the index costs."
)


class Way(NamedTuple):
    """How oxy appends: on which store, how durably, and how many contents to a transaction."""

    durability: Durability | None
    group: int = 1


WAYS: Final[Mapping[str, Way]] = {
    "memory": Way(None),
    "fast": Way("fast"),
    SAFE: Way("safe"),
    GROUPED: Way("safe", GROUP),
}


def contents_of(length: int, count: int) -> list[bytes]:
    """Return contents that are all different and that nothing compresses."""
    source = random.Random(SEED + length)  # noqa: S311 - the same each time is what is wanted
    return [source.randbytes(length) for _ in range(count)]


def groups(contents: Sequence[bytes], size: int) -> list[Sequence[bytes]]:
    """Return contents in groups of a size, the last one smaller."""
    return [contents[start : start + size] for start in range(0, len(contents), size)]


def frames(contents: Sequence[bytes], pack: Packer) -> Iterator[bytes]:
    """Yield the frames that a transaction of these contents is written as."""
    gathered = b""
    for content in contents:
        name = blob_id(content)
        if len(content) > PIECE_SIZE:
            yield from _pieces(name, content, pack)
            continue
        gathered += record(BLOB, name, content)
        if len(gathered) >= FRAME_TARGET:
            yield seal(RECORDS, gathered, pack)
            gathered = b""
    if gathered:
        yield seal(RECORDS, gathered, pack)


def _pieces(name: bytes, content: bytes, pack: Packer) -> Iterator[bytes]:
    yield seal(FIRST_PIECE, first_piece(BLOB, name, len(content), content[:PIECE_SIZE]), pack)
    for index, start in enumerate(range(PIECE_SIZE, len(content), PIECE_SIZE), 1):
        piece = next_piece(BLOB, name, index, content[start : start + PIECE_SIZE])
        yield seal(NEXT_PIECE, piece, pack)


class Ours:
    """One way of oxy at work in a directory."""

    def __init__(self, path: str, way: Way, contents: Sequence[bytes]) -> None:
        self._path = os.fsencode(path)
        self._way = way
        self._contents = contents
        self._groups = groups(contents, way.group)
        self._store: Store = MemoryStore()
        self._pack = packer(DEFAULT_LEVEL)

    @property
    def leaves(self) -> str:
        """Where it leaves something on the disk, if it does."""
        return os.fsdecode(self._path) if self._way.durability else ""

    def begin(self) -> None:
        """Make an empty store."""
        self._store.close()
        if self._way.durability is None:
            self._store = MemoryStore()
            return
        shutil.rmtree(self._path, ignore_errors=True)
        durability = self._way.durability
        self._store = FileStore.create(self._path, identify, durability=durability)

    def index(self) -> None:
        """Append everything as oxy does."""
        for group in self._groups:
            with self._store.transaction() as transaction:
                for content in group:
                    transaction.append(BLOB, blob_id(content), content)

    def acknowledge(self) -> None:
        """Append everything, and leave the index behind."""
        place = 0, 0
        files = SegmentFiles(os.path.join(self._path, b"segments"))
        for group in self._groups:
            writer = SegmentWriter(files, place)
            for frame in frames(group, self._pack):
                writer.append(frame)
            if self._way.durability == SAFE:
                writer.sync()
            writer.close()
            place = writer.place

    def check(self) -> None:
        """Assert that an opening of the store finds everything, proven."""
        if self._way.durability is not None:
            self._store.close()
            self._store = FileStore.open(self._path, identify)
        assert self._store.count(BLOB) == len(self._contents)
        read = self._store.read_many(BLOB, range(1, len(self._contents) + 1))
        assert all(one == other for one, other in zip(read, self._contents, strict=True))
        self._store.close()


class Theirs:
    """git at work in a directory: a process for each pack."""

    def __init__(self, path: str, contents: Sequence[bytes], group: int) -> None:
        self._path = path
        self._names = names(contents)
        self._packs = f"{path}-packs"
        os.makedirs(self._packs)
        for number, each in enumerate(groups(contents, group)):
            with open(os.path.join(self._packs, f"{number:06}"), "wb") as file:
                file.write(pack(each))

    def begin(self) -> None:
        """Make an empty repository."""
        shutil.rmtree(self._path, ignore_errors=True)
        os.makedirs(self._path)
        git(self._path, "init", "--bare", "--quiet")

    def index(self) -> None:
        """Hand every pack to a process."""
        for name in sorted(os.listdir(self._packs)):
            with open(os.path.join(self._packs, name), "rb") as file:
                subprocess.run(
                    [*GIT, "--stdin"],
                    cwd=self._path,
                    env=environment(),
                    stdin=file,
                    stdout=subprocess.DEVNULL,
                    check=True,
                )

    def calls(self) -> Calls | None:
        """Return the calls of one pack, the first."""
        self.begin()
        with open(os.path.join(self._packs, "000000"), "rb") as file:
            return counted([*GIT, "--stdin"], file.read(), self._path)

    def check(self) -> None:
        """Assert that it has everything."""
        asked = "".join(f"{name}\n" for name in self._names).encode()
        told = git(self._path, "cat-file", "--batch-check", data=asked)
        assert b"missing" not in told


def settings_of(name: str, place: Place) -> Iterator[Setting]:
    """Yield what is measured of contents of one size."""
    full, most = SIZES[name]
    length, count = place.share(full, min(full, KEPT)), place.share(most, 2)
    contents = contents_of(length, count)
    sizes = {"bytes": length, "appends": count}
    for state in (INDEXED, ACKNOWLEDGED):
        ours = {
            each: Ours(place.path(f"{state} {each}"), way, contents)
            for each, way in WAYS.items()
            if state == INDEXED or way.durability
        }
        arms = {each: _arm(one, state) for each, one in ours.items()}
        theirs = _peers(place, contents) if state == INDEXED else {}
        for each, peer in theirs.items():
            arms[each] = Arm(peer.index, peer.begin, place.path(each))
        facts = {
            f"{each} {what} an append": value
            for each, told in _calls(ours, theirs, state, length, place).items()
            for what, value in told.items()
        }
        checks = [one.check for one in ours.values()] + [one.check for one in theirs.values()]
        yield Setting(
            f"append, {state}",
            "noise",
            sizes,
            arms,
            partial(_all, checks),
            of=SAFE,
            facts=facts,
            data=length * count,
        )


def _all(checks: Sequence[Callable[[], None]]) -> None:
    for check in checks:
        check()


def _arm(ours: Ours, state: str) -> Arm:
    work = ours.index if state == INDEXED else ours.acknowledge
    return Arm(work, ours.begin, ours.leaves)


def _peers(place: Place, contents: Sequence[bytes]) -> dict[str, Theirs]:
    return {
        "git": Theirs(place.path("git"), contents, 1),
        GIT_GROUPED: Theirs(place.path(GIT_GROUPED), contents, GROUP),
    }


def _calls(
    ours: Mapping[str, Ours],
    theirs: Mapping[str, Theirs],
    state: str,
    length: int,
    place: Place,
) -> dict[str, dict[str, float]]:
    """Return the calls and syncs of one append of each arm."""
    found: dict[str, dict[str, float]] = {}
    for each in ours:
        words = [sys.executable, "-m", "bench.appends", "--child", each, state, str(length)]
        told = counted([*words, place.path("traced")], cwd=str(ROOT))
        if told is not None:
            found[each] = {"calls": told.all / TRACED, "syncs": told.syncs / TRACED}
    for each, peer in theirs.items():
        told = peer.calls()
        if told is not None:
            held = GROUP if each == GIT_GROUPED else 1
            found[each] = {"calls": told.all / held, "syncs": told.syncs / held}
    return found


def child(arm: str, state: str, length: int, path: str) -> None:
    """Append some contents between marks, for strace to count."""
    ours = Ours(path, WAYS[arm], contents_of(length, TRACED))
    ours.begin()
    mark(BEGIN)
    (ours.index if state == INDEXED else ours.acknowledge)()
    mark(END)


CASES: Final = tuple(Case(name, partial(settings_of, name)) for name in SIZES)


def main() -> None:
    """Print a table of all sizes; with `--child` be what is traced."""
    reads = ArgumentParser(add_help=False)
    reads.add_argument("--child", nargs=4)
    known, _ = reads.parse_known_args()
    if known.child:
        arm, state, length, path = known.child
        child(arm, state, int(length), path)
        return
    run_cases("appends", __doc__, CASES, [DURABLE, UNLIKE, STOPS])


if __name__ == "__main__":
    main()
