"""New files that look generated: build output, installed packages, caches (spec: W42). Pure."""

from collections import Counter
from collections.abc import Iterable
from oxy.typed import Final, NamedTuple

MANY: Final = 100
"""How many files of one kind are much."""

DIRECTORIES: Final = frozenset(
    {
        b".cache",
        b".eggs",
        b".gradle",
        b".mypy_cache",
        b".next",
        b".nox",
        b".nuxt",
        b".parcel-cache",
        b".pytest_cache",
        b".ruff_cache",
        b".terraform",
        b".tox",
        b".venv",
        b"DerivedData",
        b"__pycache__",
        b"_build",
        b"bazel-out",
        b"bower_components",
        b"build",
        b"cmake-build-debug",
        b"cmake-build-release",
        b"coverage",
        b"dist",
        b"env",
        b"htmlcov",
        b"node_modules",
        b"obj",
        b"out",
        b"site-packages",
        b"target",
        b"venv",
    }
)
"""Names of directories that tools fill."""

ENDINGS: Final = frozenset(
    {
        b".a",
        b".beam",
        b".class",
        b".dll",
        b".dylib",
        b".exe",
        b".gcda",
        b".gcno",
        b".hi",
        b".ko",
        b".lib",
        b".o",
        b".obj",
        b".pdb",
        b".pyc",
        b".pyo",
        b".rlib",
        b".rmeta",
        b".so",
    }
)
"""How the names of files end that compilers write."""


class Generated(NamedTuple):
    """What looks generated: a directory, or `*` and the end of names; and how many files."""

    what: bytes
    files: int


def generated(paths: Iterable[bytes]) -> tuple[Generated, ...]:
    """Return what of new files looks generated, if it is much; the most first.

    Of nested directories the outermost counts. Cost: a look-up of each component.
    """
    counts: Counter[bytes] = Counter()
    for path in paths:
        found = _kind(path)
        if found is not None:
            counts[found] += 1
    # A package tree has a cache in each directory: all of one name are much together.
    names: Counter[bytes] = Counter()
    for what, count in counts.items():
        names[what.rpartition(b"/")[2]] += count
    much = [
        Generated(what, count)
        for what, count in counts.items()
        if names[what.rpartition(b"/")[2]] >= MANY
    ]
    return tuple(sorted(much, key=lambda each: (-each.files, each.what)))


def _kind(path: bytes) -> bytes | None:
    names = path.split(b"/")
    for depth, name in enumerate(names[:-1], 1):
        if name in DIRECTORIES:
            return b"/".join(names[:depth])
    _, dot, ending = names[-1].rpartition(b".")
    return b"*" + dot + ending if dot + ending in ENDINGS else None
