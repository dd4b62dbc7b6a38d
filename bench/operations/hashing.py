"""What does hashing cost, beside OpenSSL's digests and `git hash-object`?

`library` is oxy's digest (BLAKE3); `openssl sha256` and `openssl sha1` are those of OpenSSL, in
the same process. A file is hashed as oxy hashes large ones: by one process, with as many
threads as there are processors. Does not show: reading from a cold disk.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from blake3 import blake3

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.record import LIBRARY
from bench.measuring.source import git
from bench.operations.content import KIB, MIB, NOISE, contents, size_told
from oxy.model.digest import digest

LENGTHS: Final = (64, 4 * KIB, 64 * KIB, MIB, 64 * MIB)
FILE: Final = 256 * MIB
MANY: Final = 20_000
EACH: Final = 16 * KIB
DIFFERENT: Final = 256
"""How many contents there are; more would only fill the memory."""
THREADS: Final = (1, 2)
OPENSSL: Final = "openssl sha256"


def sha256(data: bytes) -> bytes:
    """Return OpenSSL's SHA-256."""
    return hashlib.sha256(data).digest()


def sha1(data: bytes) -> bytes:
    """Return OpenSSL's SHA-1, which git's ids are."""
    return hashlib.sha1(data, usedforsecurity=False).digest()


def digests(place: Place) -> Iterator[Setting]:
    """Yield digests of one content, from short to long."""
    for full in LENGTHS:
        length = place.share(full, min(full, 2 * MIB))
        (data,) = contents(NOISE, length, 1)
        arms: dict[str, Callable[[bytes], bytes]] = {
            LIBRARY: digest,
            OPENSSL: sha256,
            "openssl sha1": sha1,
        }
        yield Setting(
            "digest",
            NOISE,
            {"bytes": length},
            {name: Arm(partial(work, data)) for name, work in arms.items()},
            against=OPENSSL,
            data=length,
        )


def one_file(place: Place) -> Iterator[Setting]:
    """Yield the hashing of one large file."""
    length = place.share(FILE, MIB)
    path = place.path("file")
    (data,) = contents(NOISE, length, 1)
    with open(path, "wb") as file:
        file.write(data)
    hashed = partial(_mapped, path)
    assert hashed() == digest(data)
    told = git(place.top, "hash-object", "--no-filters", path).decode().strip()
    assert told == sha1(b"blob %d\0%b" % (length, data)).hex()
    theirs = partial(git, place.top, "hash-object", "--no-filters", path)
    arms = {LIBRARY: Arm(hashed), "git": Arm(theirs)}
    yield Setting("digest of a file", NOISE, {"bytes": length}, arms, data=length)


def _mapped(path: str) -> bytes:
    hasher = blake3(max_threads=blake3.AUTO)
    hasher.update_mmap(path)
    return hasher.digest()


def many(place: Place) -> Iterator[Setting]:
    """Yield the hashing of many contents in one thread and in two."""
    count = place.share(MANY, 2)
    made = contents(NOISE, EACH, min(count, DIFFERENT))
    data = [made[number % len(made)] for number in range(count)]
    paths = []
    for number, content in enumerate(made):
        paths.append(place.path(f"{number}"))
        with open(paths[-1], "wb") as file:
            file.write(content)
    asked = "".join(f"{paths[number % len(paths)]}\n" for number in range(count)).encode()
    theirs = partial(git, place.top, "hash-object", "--no-filters", "--stdin-paths", data=asked)
    arms = {
        f"{threads} thread{'s' * (threads > 1)}": Arm(partial(_hash_all, data, threads))
        for threads in THREADS
    }
    assert _hash_all(data, 2) == [digest(each) for each in data]
    yield Setting(
        f"digests of {size_told(EACH)}",
        NOISE,
        {"contents": count},
        {**arms, "git": Arm(theirs)},
        of="1 thread",
        data=count * EACH,
    )


def _hash_all(data: Sequence[bytes], threads: int) -> list[bytes]:
    if threads == 1:
        return [digest(each) for each in data]
    shares = [data[start : start + 256] for start in range(0, len(data), 256)]
    with ThreadPoolExecutor(threads) as pool:
        return [name for each in pool.map(_hash_share, shares) for name in each]


def _hash_share(share: Sequence[bytes]) -> list[bytes]:
    return [digest(each) for each in share]


CASES: Final = (
    Case("digests", digests),
    Case("a file", one_file),
    Case("many", many),
)


def main() -> None:
    """Print a row for each."""
    note = (
        f"BLAKE3 {blake3(b'').name}, {os.cpu_count()} processors; a MB/s column is of each arm."
    )
    run_cases("hashing", __doc__, CASES, [note])


if __name__ == "__main__":
    main()
