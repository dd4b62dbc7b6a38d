"""The most that oxy may take in units of Git, by operation (spec: budget, B6)."""

from typing import Final

from bench.beside.operations import (
    BLAME,
    CHECK,
    CLEAN,
    CLONE,
    FIRST,
    LOG,
    MODIFIED,
    PACK,
    PUSH,
    SWITCH,
)

STATUS: Final = frozenset({CLEAN, MODIFIED})
MANY_FILES: Final = 100_000
"""Files from which on the bound of `status` is the lower one."""
_BOUNDS: Final = {
    FIRST: 1.0,
    LOG: 3.0,
    BLAME: 1.0,
    SWITCH: 2.0,
    PUSH: 1.0,
    CLONE: 1.0,
    CHECK: 3.0,
    PACK: 3.0,
}


def bound(operation: str, files: int) -> float | None:
    """Return the bound of an operation in so many files; None where there is none."""
    if operation in STATUS:
        return 1.5 if files >= MANY_FILES else 3.0
    return _BOUNDS.get(operation)
