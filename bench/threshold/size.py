"""How large the repository of the bench is, and where it lies."""

import os
import tempfile
from collections.abc import Mapping
from typing import Final, NamedTuple

from bench.measuring.machine import disk

FILES: Final = 10_000
CHANGES: Final = 5_000
GROWTH: Final = ((1_000, 200), (1_000, 800), (4_000, 200), (FILES, CHANGES))
"""Files and changes of the growth table."""


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
        disk(place, is_ram_meant=environ.get("OXY_BENCH_RAM") == "1")
        files = int(environ.get("OXY_BENCH_FILES", FILES))
        return cls(files, int(environ.get("OXY_BENCH_CHANGES", CHANGES)), place)
