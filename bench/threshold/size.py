"""How large the repository of the bench is, and where it lies."""

import os
import tempfile
from collections.abc import Mapping
from typing import Final, NamedTuple

FILES: Final = 10_000
CHANGES: Final = 5_000
RAM: Final = frozenset({"tmpfs", "ramfs"})


class RamDiskError(Exception):
    """The bench would run where nothing is ever written to a disk."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"{place} is a RAM disk: name another with OXY_BENCH_DIR, or set OXY_BENCH_RAM=1"
        )


class Size(NamedTuple):
    """Files, changes on top of the first, and the directory in which all is made."""

    files: int
    changes: int
    place: str

    @classmethod
    def asked(cls, environ: Mapping[str, str] = os.environ) -> "Size":
        """Return what OXY_BENCH_FILES, OXY_BENCH_CHANGES and OXY_BENCH_DIR say.

        Raises:
            RamDiskError: the place is a RAM disk, and OXY_BENCH_RAM does not say that this is
                as meant.
        """
        place = environ.get("OXY_BENCH_DIR") or tempfile.gettempdir()
        if file_system(place) in RAM and environ.get("OXY_BENCH_RAM") != "1":
            raise RamDiskError(place)
        files = int(environ.get("OXY_BENCH_FILES", FILES))
        return cls(files, int(environ.get("OXY_BENCH_CHANGES", CHANGES)), place)


def file_system(path: str, mounts: str = "/proc/self/mounts") -> str:
    """Return the type of the file system that a path is on; nothing where it is not known."""
    where = os.path.realpath(path)
    best, kind = "", ""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as table:
            rows = [line.split() for line in table]
    except OSError:
        return ""
    for _, raw, found, *_ in rows:
        mount = raw.replace("\\040", " ")
        inside = where == mount or where.startswith(mount.rstrip("/") + "/")
        if inside and len(mount) >= len(best):
            best, kind = mount, found
    return kind
