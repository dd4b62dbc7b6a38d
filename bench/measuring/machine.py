"""The machine that a figure comes from, and the versions of what took part."""

import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from typing import Final

from blake3 import blake3

from bench.measuring.process import OXY, ROOT, environment

PACKAGES: Final = ("bench", "oxy", "oxy_git")
UNMEASURED: Final = ":!bench/baselines"
"""What edits nothing that is measured."""
RAM: Final = frozenset({"tmpfs", "ramfs"})
SYSTEMS: Final[Mapping[str, tuple[str, ...]]] = {
    "oxy": (*OXY, "version"),
    "git": ("git", "version"),
    "hg": ("hg", "version", "-q"),
    "fossil": ("fossil", "version"),
}
"""The command that tells each system's version."""
_NUMBER: Final = re.compile(r"\d+(\.\d+)+")
_GB: Final = 1e9


class RamDiskError(Exception):
    """A bench would run where nothing is ever written to a disk."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"{place} is a RAM disk: name another directory (--dir or OXY_BENCH_DIR), or say"
            " that it is meant (--ram or OXY_BENCH_RAM=1)"
        )


def disk(place: str, *, is_ram_meant: bool = False) -> str:
    """Return a place that is fit to measure in.

    Raises:
        RamDiskError: it is a RAM disk, and that is not meant.
    """
    if file_system(place) in RAM and not is_ram_meant:
        raise RamDiskError(place)
    return place


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


def machine(place: str) -> dict[str, str]:
    """Return what one has to know of the machine to read a figure that was taken at a place."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GB
    return {
        "cores": str(os.cpu_count()),
        "processor": _processor(),
        "memory": f"{memory:.0f} GB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "file system": file_system(place) or "not known",
    }


def _processor(told: str = "/proc/cpuinfo") -> str:
    try:
        with open(told, encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "not known"


def versions() -> dict[str, str]:
    """Return the versions of Python and of every system that is installed."""
    found = {"python": platform.python_version()}
    for name, command in SYSTEMS.items():
        if shutil.which(command[0]):
            done = subprocess.run(
                command, capture_output=True, check=True, text=True, env=environment()
            )
            number = _NUMBER.search(done.stdout)
            found[name] = number[0] if number else "not known"
    return found


def load() -> list[float]:
    """Return how many processes wanted to run: the means of 1, 5 and 15 minutes."""
    return list(os.getloadavg())


def revision() -> str:
    """Return the commit of this tree, with `+` where sources are edited; else nothing."""

    def said(*words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words], capture_output=True, check=False, text=True
        )
        return done.stdout.strip()

    commit = said("rev-parse", "--short=12", "HEAD")
    edited = said("status", "--porcelain", "-uno", "--", *PACKAGES, UNMEASURED)
    return commit + ("+" if commit and edited else "")


def sources() -> dict[str, str]:
    """Return a digest of the sources of each package: of all paths, sizes and contents."""
    found: dict[str, str] = {}
    for package in PACKAGES:
        digest = blake3()
        for path in sorted((ROOT / package).rglob("*.py")):
            content = path.read_bytes()
            told = f"{path.relative_to(ROOT).as_posix()}\n{len(content)}\n"
            digest.update(told.encode() + content)
        found[package] = digest.hexdigest(8)
    return found


def date() -> str:
    """Return the time as ISO 8601 has it, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
