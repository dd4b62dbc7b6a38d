"""Every target takes its seeds, what was once found, and mutations by chance."""

import random
from pathlib import Path

import pytest

from oxy.errors import OxyError
from tests.fuzz.targets import TARGETS

MUTATIONS = 150
FOUND = Path(__file__).parent / "found"


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return bytes with a few changed, cut out, doubled or put in."""
    made = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        at, size = rng.randrange(len(made) + 1), rng.randrange(1, 9)
        match rng.randrange(4):
            case 0:
                made[at : at + size] = rng.randbytes(size)
            case 1:
                del made[at : at + size]
            case 2:
                made[at:at] = made[at : at + size] * rng.randrange(1, 40)
            case _:
                made[at:at] = rng.choice((b"\0", b"\xff" * size, b"/", b"\n", b"[" * size))
    return bytes(made)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_parser_refuses_what_it_does_not_take(name: str) -> None:
    target = TARGETS[name]
    rng = random.Random(name)  # noqa: S311 - repeatable
    for seed in target.seeds():
        target.feed(seed)
        target.feed(b"")
        for _ in range(MUTATIONS):
            target.feed(mutated(seed, rng))


@pytest.mark.parametrize("name", sorted(set(TARGETS) - {"frames", "notes", "wire", "address"}))
def test_good_bytes_are_taken(name: str) -> None:
    """All but one of the seeds, which may be there for what is refused."""
    refused = 0
    seeds = list(TARGETS[name].seeds())
    for seed in seeds:
        try:
            TARGETS[name].run(seed)
        except OxyError:
            refused += 1
    assert refused < len(seeds)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.txt")), ids=lambda path: path.stem)
def test_what_was_found_is_refused_now(path: Path) -> None:
    """Each line is what a target once failed on, in hexadecimal; words stand before it."""
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            TARGETS[path.stem].feed(bytes.fromhex(line))
