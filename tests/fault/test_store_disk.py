"""A disk that refuses at any step: an error that says so, nothing kept, and it works again."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest
from blake3 import blake3

from oxy.store.database import Database
from oxy.store.errors import CommitUncertainError, StoreIOError
from oxy.store.file import FileStore, scan_store
from oxy.store.limits import PIECE_SIZE
from oxy.store.protocol import BLOB, CHANGE
from oxy.store.scan import Damage

CALLS = ("open", "pwrite", "fsync", "unlink", "truncate")
NOISE = blake3(b"noise").digest(PIECE_SIZE * 2)


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def record(store: FileStore, *payloads: bytes) -> None:
    with store.transaction() as transaction:
        for payload in payloads:
            transaction.append(CHANGE, identify(CHANGE, payload), payload)
            transaction.put(1, payload, b"row")


@pytest.fixture
def path(tmp_path: Path) -> bytes:
    store = FileStore.create(bytes(tmp_path / "store"), identify)
    record(store, b"a")
    store.close()
    return bytes(tmp_path / "store")


def sound(path: bytes, expected: list[bytes]) -> None:
    assert [item for item in scan_store(path, identify) if isinstance(item, Damage)] == []
    store = FileStore.open(path, identify)
    assert list(store.read_many(CHANGE, range(1, store.count(CHANGE) + 1))) == expected
    store.close()


def refusal(store: FileStore, contents: list[bytes]) -> StoreIOError | None:
    """Return the error that recording is refused with."""
    try:
        record(store, *contents)
    except StoreIOError as error:
        return error
    return None


class Call(Protocol):
    """Any function."""

    def __call__(self, *args: object, **named: object) -> object:
        """Call it."""


def refusing(
    patch: pytest.MonkeyPatch, number: int, step: int, *, lasting: bool
) -> Callable[[], int]:
    """Make the calls that change files fail at a step, once or from then on."""
    steps = count(1)
    reached = [0]

    def faulty(name: str) -> None:
        real: Call = getattr(os, name)

        def call(*args: object, **named: object) -> object:
            reached[0] = next(steps)
            if reached[0] == step or (lasting and reached[0] > step):
                raise OSError(number, os.strerror(number))
            return real(*args, **named)

        patch.setattr(os, name, call)

    for name in CALLS:
        faulty(name)
    return lambda: reached[0]


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE])
def test_a_refused_step_keeps_nothing_and_the_next_works(
    path: bytes, monkeypatch: pytest.MonkeyPatch, number: int, *, lasting: bool
) -> None:
    monkeypatch.setattr("oxy.store.transaction.FRAME_TARGET", 50)
    monkeypatch.setattr("oxy.store.writer.SEGMENT_LIMIT", 300)
    kept = [b"a"]
    refused = 0
    for step in count(1):
        store = FileStore.open(path, identify)
        contents = [b"%d of %d" % (part, step) for part in range(4)]
        with monkeypatch.context() as patch:
            reached = refusing(patch, number, step, lasting=lasting)
            error = refusal(store, contents)
        if error is None:
            kept += contents
        else:
            assert error.errno == number
            refused += 1
        if reached() < step:
            break
        if lasting:
            store.close()
            store = FileStore.open(path, identify)
            kept += [each for each in contents if store.number_of(CHANGE, identify(0, each))]
        record(store, b"after %d" % step)
        kept.append(b"after %d" % step)
        store.close()
        sound(path, kept)
    assert refused >= 8


def test_a_failed_sync_gives_the_segment_up(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore.open(path, identify)
    before = os.path.getsize(path + b"/segments/000001.oxs")

    def failing(_fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(StoreIOError, match="cannot sync"):
            record(store, b"lost")
    record(store, b"b")
    assert store.position()[0] == 2
    store.close()
    assert os.path.getsize(path + b"/segments/000001.oxs") == before
    sound(path, [b"a", b"b"])


def test_another_process_never_appends_to_a_segment_given_up(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = FileStore.open(path, identify), FileStore.open(path, identify)

    def failing(_fd: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(StoreIOError):
            record(first, b"lost")
    record(second, b"b")
    record(first, b"c")
    assert first.position()[0] == second.position()[0] == 2
    first.close()
    second.close()
    sound(path, [b"a", b"b", b"c"])


def test_a_full_database_keeps_nothing(path: bytes) -> None:
    store = FileStore.open(path, identify)
    pages = store._lookup.database.one("PRAGMA page_count")  # noqa: SLF001 -- only SQLite can fill its file
    assert pages is not None
    assert isinstance(pages[0], int)
    store._lookup.database.run(f"PRAGMA max_page_count={pages[0]}")  # noqa: SLF001 -- likewise
    with pytest.raises(StoreIOError, match="full"):
        record(store, *(b"%1000d" % number for number in range(500)))
    store._lookup.database.run("PRAGMA max_page_count=1000000")  # noqa: SLF001 -- likewise
    record(store, b"b")
    store.close()
    sound(path, [b"a", b"b"])


def test_a_commit_that_may_have_happened_is_said_to_be_so(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore.open(path, identify)
    real = Database.commit

    def late(database: Database) -> None:
        real(database)
        raise StoreIOError(database.path, "use", 0, "disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Database, "commit", late)
        with pytest.raises(CommitUncertainError):
            record(store, b"b")
    record(store, b"c")
    store.close()
    sound(path, [b"a", b"b", b"c"])


def test_a_commit_that_did_not_happen_is_taken_back(
    path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore.open(path, identify)

    def early(database: Database) -> None:
        database.run("ROLLBACK")
        raise StoreIOError(database.path, "use", 0, "disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Database, "commit", early)
        with pytest.raises(StoreIOError):
            record(store, b"b")
    record(store, b"c")
    store.close()
    sound(path, [b"a", b"c"])


LIMITED = """
import os, resource, sys
from blake3 import blake3
from oxy.store.errors import StoreIOError
from oxy.store.file import FileStore
path, limit = os.fsencode(sys.argv[1]), int(sys.argv[2])
identify = lambda kind, payload: blake3(payload).digest()
store = FileStore.open(path, identify)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
refused = []
try:
    with store.transaction() as transaction:
        for number in range(3000):
            payload = b"%d " % number * 20
            transaction.append(1, identify(1, payload), payload)
            transaction.put(1, payload, payload)
except StoreIOError as error:
    refused.append(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
with store.transaction() as transaction:
    transaction.append(1, identify(1, b"b"), b"b")
print(len(refused), store.count(1))
"""


@pytest.mark.parametrize("limit", [4096, 40_000, 80_000, 120_000, 400_000])
def test_a_file_size_limit_is_survived(path: bytes, limit: int) -> None:
    command = [sys.executable, "-c", LIMITED, path.decode(), str(limit)]
    answer = subprocess.run(command, capture_output=True, check=True)
    assert answer.stdout == b"1 2\n"
    sound(path, [b"a", b"b"])


def test_a_source_that_fails_half_way_leaves_nothing(path: bytes) -> None:
    store = FileStore.open(path, identify)

    def pieces() -> list[bytes]:
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="Input/output"), store.transaction() as transaction:  # noqa: PT012 -- the block is the case
        transaction.append(BLOB, identify(BLOB, NOISE), NOISE)
        transaction.append_chunks(BLOB, identify(BLOB, b"x"), PIECE_SIZE * 2, pieces())
    assert store.count(BLOB) == 0
    store.close()
    sound(path, [b"a"])
