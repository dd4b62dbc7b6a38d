"""Commands of both systems as whole processes, with no configuration but what is said here."""

import os
from collections.abc import Mapping
from functools import partial
from subprocess import run
from typing import Final

from bench.measuring.operation import Arm
from bench.measuring.process import OXY, FailedError, environment

GIT: Final = (
    *("git", "-c", "core.fsync=all", "-c", "gc.auto=0", "-c", "maintenance.auto=false"),
    *("-c", "user.name=Bench", "-c", "user.email=bench@example.org"),
)
NONE: Final[Mapping[str, str]] = {}


def ran(top: str, *words: str, env: Mapping[str, str] = NONE) -> bytes:
    """Run a command to its end; return what it printed.

    Raises:
        FailedError: its exit code is not 0.
    """
    told = environment() | dict(env)
    done = run(words, cwd=top, env=told, capture_output=True, check=False)
    if done.returncode:
        raise FailedError(words, done.returncode, done.stderr + done.stdout)
    return done.stdout


def oxy(top: str, *words: str, env: Mapping[str, str] = NONE) -> bytes:
    """Run oxy in a directory."""
    return ran(top, *OXY, *words, env=env)


def git(top: str, *words: str, env: Mapping[str, str] = NONE) -> bytes:
    """Run git in a directory, as durable as oxy."""
    return ran(top, *GIT, *words, env=env)


def arm_of_oxy(top: str, *words: str) -> Arm:
    """Return a command of oxy as an arm."""
    return Arm(partial(oxy, top, *words))


def arm_of_git(top: str, *words: str) -> Arm:
    """Return a command of git as an arm."""
    return Arm(partial(git, top, *words))


def written(top: str, files: Mapping[str, bytes], *, age: int = 0) -> None:
    """Write files, made to look some seconds old: no system has to doubt their times then."""
    for path, data in files.items():
        full = os.path.join(top, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data)
        if age:
            then = os.stat(full).st_mtime - age
            os.utime(full, (then, then))
