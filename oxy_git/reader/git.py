"""The user's own git, started so that nothing but the repository decides what it says.

(spec: git-bridge, GB1, GB2.) Replace refs, grafts and user configuration are off, output is
bytes, and pack windows are small.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Final, cast

from oxy.errors import RequestError, StateError
from oxy_git.reader.limits import ALLOCATED, BLOB, SLACK

if TYPE_CHECKING:
    from io import BufferedReader

SMALL: Final = (
    "-c", "core.packedGitLimit=64m",
    "-c", "core.packedGitWindowSize=1m",
    "-c", "core.deltaBaseCacheLimit=16m",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""Windows that took a helper process from 527 to 176 MB at no cost in time; and no network, by
which a partial clone would fetch what it lacks."""

BATCH_COMMAND: Final = (2, 36)
"""The git from which on `cat-file --batch-command` can be told to flush."""


class GitError(StateError):
    """Git failed or said something that makes no sense."""

    def __init__(self, what: str, said: bytes) -> None:
        told = "; ".join(said.decode("utf-8", "replace").split("\n")).strip("; ")
        super().__init__(f"git {what} failed" + (f": {told}" if told else ""))
        self.what = what
        self.said = said


class NoGitRepositoryError(RequestError):
    """The source is no Git repository that git can read."""

    def __init__(self, source: bytes, said: bytes) -> None:
        told = said.decode("utf-8", "replace").strip()
        super().__init__(f"{os.fsdecode(source)} is no Git repository ({told})")
        self.source = source


class NoGitError(StateError):
    """There is no git to read with."""

    def __init__(self) -> None:
        super().__init__("git cannot be run: it is not installed, or not on the PATH")


class UnsupportedError(RequestError):
    """A Git repository of a kind that cannot be imported as it is."""

    def __init__(self, source: bytes, kind: str, remedy: str) -> None:
        super().__init__(f"{os.fsdecode(source)} {kind}; {remedy}")
        self.source = source


def environment(source: bytes) -> dict[bytes, bytes]:
    """Return the environment for git: this one without what would change what it says.

    The repository is looked for in the source alone, not above it.
    """
    kept = {k: v for k, v in os.environb.items() if not k.startswith(b"GIT_")}
    return {
        **kept,
        b"LC_ALL": b"C",
        b"GIT_CEILING_DIRECTORIES": os.path.dirname(os.path.realpath(source)),
        b"GIT_CONFIG_NOSYSTEM": b"1",
        b"GIT_CONFIG_GLOBAL": os.devnull.encode(),
        b"GIT_NO_REPLACE_OBJECTS": b"1",
        b"GIT_GRAFT_FILE": os.path.join(os.devnull, "none").encode(),
        b"GIT_OPTIONAL_LOCKS": b"0",
        b"GIT_TERMINAL_PROMPT": b"0",
        b"GIT_ALLOC_LIMIT": b"%d" % (BLOB + SLACK),
    }


def _allowed() -> list[str]:
    """Return the options that keep the directories that the user's own settings call safe."""
    command = ["git", "config", "--global", "-z", "--get-all", "safe.directory"]
    told = subprocess.run(command, capture_output=True, check=False).stdout
    places = told.rstrip(b"\0").split(b"\0") if told else []
    return [part for place in places for part in ("-c", f"safe.directory={os.fsdecode(place)}")]


def _refuse_extension(source: bytes, said: bytes) -> None:
    """Tell of a repository in a form that came after the user's git, such as reftable."""
    _, found, rest = said.partition(b"unknown repository extension")
    if found:
        names = b", ".join(rest.partition(b":")[2].split()).decode("utf-8", "replace")
        kind = f"is in a form that the git here does not know ({names})"
        raise UnsupportedError(source, kind, "a newer git reads it")


class Git:
    """One Git repository, read through git."""

    __slots__ = ("_allowed", "_environment", "_version", "directory")

    def __init__(self, source: bytes) -> None:
        """Find the repository.

        Raises:
            NoGitError: git is not there.
            NoGitRepositoryError: git cannot read it.
            UnsupportedError: it is of a kind that cannot be imported.
        """
        self._environment = environment(source)
        self.directory = source
        try:
            self._allowed = _allowed()
            said = self.run(
                "rev-parse",
                "--absolute-git-dir",
                "--show-object-format",
                "--is-shallow-repository",
            )
        except GitError as error:
            _refuse_extension(source, error.said)
            raise NoGitRepositoryError(source, error.said) from error
        except OSError as error:
            raise NoGitError from error
        self.directory, form, is_shallow = said.rstrip(b"\n").rsplit(b"\n", 2)
        self._version: tuple[int, ...] | None = None
        if form != b"sha1":
            kind = f"uses {form.decode()} object ids"
            raise UnsupportedError(source, kind, "only SHA-1 repositories can be imported")
        if is_shallow == b"true":
            remedy = "fetch the rest with `git fetch --unshallow` first"
            raise UnsupportedError(source, "is a shallow clone", remedy)

    def command(self, *words: str | bytes) -> list[str | bytes]:
        """Return the command line that runs a git command on the repository."""
        where = ["-C" if self.directory and not self._is_bare() else "--git-dir"]
        return ["git", *self._allowed, *SMALL, *where, self.directory, *words]

    def _is_bare(self) -> bool:
        return os.path.isfile(os.path.join(self.directory, b"HEAD"))

    def run(self, *words: str | bytes, data: bytes = b"") -> bytes:
        """Return what a git command prints; it reads no files, so it needs little memory.

        Raises:
            GitError: it failed.
        """
        done = subprocess.run(
            self.command(*words),
            input=data,
            capture_output=True,
            check=False,
            env=self._small,
        )
        if done.returncode:
            raise GitError(str(words[0]), done.stderr)
        return done.stdout

    def holds_file(self, oid: bytes) -> bool:
        """Return whether an object has a file; git calls it missing too if that is damaged."""
        name = oid.hex()
        said = self.run("rev-parse", "--git-path", f"objects/{name[:2]}/{name[2:]}")
        return os.path.lexists(os.path.join(self.directory, said.rstrip(b"\n")))

    def start(self, *words: str | bytes, reads_files: bool = True) -> "Pipe":
        """Start a git command that is fed and read."""
        return Pipe(self.command(*words), self._environment if reads_files else self._small)

    @property
    def _small(self) -> dict[bytes, bytes]:
        return {**self._environment, b"GIT_ALLOC_LIMIT": b"%d" % ALLOCATED}

    @property
    def can_flush(self) -> bool:
        """Whether this git has `cat-file --batch-command`."""
        if self._version is None:
            self._version = _version(self.run("version"))
        return self._version >= BATCH_COMMAND


class Pipe:
    """A running git command with both its ends."""

    __slots__ = ("_process", "_said", "stdin", "stdout")

    def __init__(self, command: Sequence[str | bytes], env: dict[bytes, bytes]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=env,
            bufsize=1 << 16,
            # Ctrl-C in a terminal is for oxy, which then ends them.
            process_group=0,
        )
        self.stdin = cast("IO[bytes]", self._process.stdin)
        self.stdout = cast("BufferedReader", self._process.stdout)

    def bound(self, memory: int) -> None:
        """Let the command have so many bytes of memory at most, where the system can."""
        if sys.platform == "linux":
            limits = (memory, memory)
            resource.prlimit(self._process.pid, resource.RLIMIT_DATA, limits)

    def said(self) -> bytes:
        """Return what the command complained of."""
        self._said.seek(0)
        return self._said.read()

    def wait(self) -> int:
        """Wait for the command to end by itself; return its exit code."""
        return self._process.wait()

    def close(self) -> None:
        """End the command and wait for it."""
        self._process.kill()
        for end in (self.stdin, self.stdout):
            try:
                end.close()
            except OSError:
                continue
        self._process.wait()
        self._said.close()


def _version(said: bytes) -> tuple[int, ...]:
    words = said.split()
    numbers = words[2].split(b".")[:2] if len(words) > 2 else ()  # noqa: PLR2004 - git version X
    return tuple(int(number) for number in numbers if number.isdigit())
