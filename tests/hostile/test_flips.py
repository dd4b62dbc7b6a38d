"""Every bit of live data that flips is found (spec: threat-model, T16; hostile 31).

The short form flips a sample that a seed chooses; `make slow` flips every bit.
"""

import os
import random
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oxy.errors import CorruptionError, OxyError
from oxy.model.operation import KIND_BINARY
from oxy.progress import Unwatched
from oxy.repo.fsck import fsck
from oxy.repo.repository import Repository
from oxy.store.protocol import BLOB, CHANGE, OPERATION
from tests.builders.history import History, Made

SAMPLE = 200
SEED = 8
TABLES = ("objects", "rows", "segments")


def made(root: Path) -> None:
    """Make a small repository with every kind of object: changes, blobs, pieces, operations."""
    with closing(Repository.create(bytes(root))) as repository:
        history = History(repository)
        base = history.commit({b"d/f": b"a\nb\n", b"big": b"line\n" * 900})
        picture = Made(bytes(1 << 21), kind=KIND_BINARY)
        left = history.commit({b"d/f": b"A\nb\n", b"picture": picture}, base)
        right = history.commit({b"d/f": b"a\nb\nc\n"}, base, bookmark=b"right")
        history.commit({b"moved": Made(b"A\nb\nc\n", moved_from=b"d/f")}, left, right)


class Flipper:
    """A file of which one bit after another is the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sound = path.read_bytes()

    def bits(self, *, sample: int | None) -> Iterator[int]:
        """Yield the number of each bit, or of some, while the file has it flipped."""
        every = range(len(self.sound) * 8)
        numbers: Iterable[int] = every
        if sample is not None:
            numbers = random.Random(SEED).sample(every, sample)  # noqa: S311 - repeatable
        with self.path.open("r+b", buffering=0) as file:
            for number in numbers:
                at, bit = divmod(number, 8)
                file.seek(at)
                file.write(bytes([self.sound[at] ^ 1 << bit]))
                yield number
                file.seek(at)
                file.write(self.sound[at : at + 1])


def is_found(root: Path) -> bool:
    """Tell whether fsck finds something, or cannot even begin and says why."""
    try:
        with closing(Repository.at(bytes(root))) as repository:
            return next(fsck(repository, Unwatched()), None) is not None
    except OxyError:  # Also a version that is later than this one reads.
        return True


def read_all(root: Path) -> list[bytes | None]:
    """Return the payload of every object, None for one that is refused."""
    found: list[bytes | None] = []
    with closing(Repository.at(bytes(root))) as repository:
        store = repository.store
        for kind in (CHANGE, BLOB, OPERATION):
            for number in range(1, store.count(kind) + 1):
                try:
                    found.append(b"".join(store.chunks(kind, number)))
                except CorruptionError:
                    found.append(None)
    return found


def check_segments(root: Path, sample: int | None) -> int:
    made(root)
    sound = read_all(root)
    count = 0
    for count, bit in enumerate(Flipper(root / ".oxy/segments/000001.oxs").bits(sample=sample)):  # noqa: B007 - the count is what is wanted
        assert is_found(root), bit
        there = read_all(root)
        assert all(now in (before, None) for now, before in zip(there, sound, strict=True)), bit
    return count + 1


def logical(path: Path) -> object:
    """Return all that the database says; a word where SQLite refuses."""
    try:
        with closing(sqlite3.connect(path)) as database:
            database.text_factory = bytes
            pragmas = [
                database.execute(f"PRAGMA {name}").fetchone()
                for name in ("application_id", "user_version")
            ]
            schema = database.execute("SELECT name, sql FROM sqlite_master").fetchall()
            rows = [database.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES]  # noqa: S608 - names of ours
            by_id = database.execute(
                "SELECT kind, id FROM objects INDEXED BY objects_by_id ORDER BY kind, id"
            ).fetchall()
            return pragmas, schema, rows, by_id
    except (sqlite3.Error, OverflowError, UnicodeDecodeError):
        return "refused"


def check_database(root: Path, sample: int | None) -> tuple[int, int]:
    """Return how many bits were flipped, and how many of them were live."""
    made(root)
    path = root / ".oxy/index.db"
    sound = logical(path)
    count = live = 0
    for count, bit in enumerate(Flipper(path).bits(sample=sample)):  # noqa: B007 - likewise
        # What reads the same in every way holds nothing there.
        if logical(path) != sound:
            live += 1
            assert is_found(root), bit
    return count + 1, live


def test_flipped_bits_of_segments_are_found(tmp_path: Path) -> None:
    assert check_segments(tmp_path, SAMPLE) == SAMPLE


def test_flipped_bits_of_the_index_are_found(tmp_path: Path) -> None:
    tried, live = check_database(tmp_path, 4 * SAMPLE)
    assert tried == 4 * SAMPLE
    assert live > SAMPLE // 4


@pytest.mark.slow
def test_every_flipped_bit_of_a_segment_is_found(tmp_path: Path) -> None:
    made(tmp_path / "sized")
    size = os.path.getsize(tmp_path / "sized/.oxy/segments/000001.oxs")
    assert check_segments(tmp_path / "flipped", None) == 8 * size


@pytest.mark.slow
def test_every_flipped_bit_of_the_index_is_found(tmp_path: Path) -> None:
    tried, live = check_database(tmp_path, None)
    assert live > tried // 100
