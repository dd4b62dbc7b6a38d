"""The user's own git, where it talks to others (spec: git-bridge, GB51).

Here the user's configuration counts, unlike in `Git`: it knows proxies, credentials and keys.
But what would change the result is set: no hooks, no refs beside those that are named, no
tidying, and no transport that runs a command.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Final, NamedTuple

from oxy.progress import Progress
from oxy_git.reader.git import Git, GitError, NoGitError
from oxy_git.remote.address import SCHEMES, GitRemote, shown

_SET: Final = (
    "core.hooksPath=/dev/null",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.writeCommitGraph=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "push.followTags=false",
    "push.gpgSign=false",
    "http.followRedirects=initial",
    "http.lowSpeedLimit=1",
    "http.lowSpeedTime=120",
    "protocol.allow=never",
    *(f"protocol.{os.fsdecode(scheme)}.allow=always" for scheme in sorted(SCHEMES)),
)

_KEPT: Final = re.compile(
    rb"GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|TERMINAL_PROMPT|PROXY_COMMAND|PROXY_SSL_.*"
    rb"|SSL_.*|HTTP_.*|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|EXEC_PATH)"
)
_STEP: Final = re.compile(rb"(?:remote: )?([A-Z][a-z]+ [a-z]+): +\d+% \((\d+)/(\d+)\)")
_REMOTE: Final = b"remote: "
_LINE: Final = re.compile(rb"[\r\n]")
_REPORT: Final = re.compile(rb"(.)\t[^:]*:(.*)\t(.*)")
_REASON: Final = re.compile(r"\[[^\]]*\] \((.*)\)")


class Told(NamedTuple):
    """What became of a ref of the other side: its full name, git's flag, and the reason."""

    full: bytes
    flag: str
    reason: str


class Network:
    """Talks to one remote on behalf of the private repository; `said` is what that told."""

    __slots__ = ("_git", "_progress", "_remote", "said")

    def __init__(self, git: Git, remote: GitRemote, progress: Progress) -> None:
        self._git = git
        self._remote = remote
        self._progress = progress
        self.said: list[bytes] = []

    def fetch(self) -> None:
        """Have the refs of the remote as they are there: its branches, tags and changes.

        Raises:
            GitError: git failed.
        """
        space = os.fsdecode(self._remote.space)
        kinds = ("heads", "tags", "oxy")
        specs = [f"+refs/{kind}/*:{space}{kind}/*" for kind in kinds]
        self._run("fetch", [
            "--progress", "--no-tags", "--prune", "--force", "--no-write-fetch-head",
            "--no-recurse-submodules", "--", self._remote.url, *specs,
        ])  # fmt: skip

    def head(self) -> bytes | None:
        """Return the branch that HEAD of the remote names, or None."""
        said = self._run("ls-remote", ["--symref", "--", self._remote.url, "HEAD"])
        first = said.partition(b"\n")[0].partition(b"\t")[0]
        return first.removeprefix(b"ref: refs/heads/") if first.startswith(b"ref:") else None

    def push(self, goals: Sequence[tuple[bytes, bytes | None, bytes | None]]) -> list[Told]:
        """Move refs of the remote that are there what they were seen to be.

        Args:
            goals: full name, the id in hex that it was seen to hold, and the one that it is to
                hold; None for a ref that is not there, and is not to be there.

        Raises:
            GitError: git failed before it came to the refs.
        """
        leases = [b"--force-with-lease=%s:%s" % (full, old or b"") for full, old, _ in goals]
        specs = [b"%s:%s" % (new or b"", full) for full, _, new in goals]
        words = ["--porcelain", "--progress", "--no-verify"]
        said = self._run("push", [*words, *leases, "--", self._remote.url, *specs], tells=True)
        lines = map(_REPORT.fullmatch, said.splitlines())
        return [_told(*line.groups()) for line in lines if line is not None]

    def _run(self, verb: str, words: Sequence[str | bytes], *, tells: bool = False) -> bytes:
        """Run a command; with `tells` it may fail and tell why on its output."""
        settings = [word for one in _SET for word in ("-c", one)]
        command = ["git", *settings, "--git-dir", self._git.directory, verb, *words]
        with tempfile.TemporaryFile() as output:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.PIPE,
                    env=_environment(),
                )
            except OSError as error:
                raise NoGitError from error
            with process:
                try:
                    complaints = self._watch(process.stderr)
                except BaseException:
                    process.kill()
                    raise
            output.seek(0)
            said = output.read()
        if process.returncode and not (tells and said.startswith(b"To ")):
            raise GitError(verb, self._hidden(complaints))
        if tells:
            lines = complaints.split(b"\n")
            told = (line.removeprefix(_REMOTE) for line in lines if line.startswith(_REMOTE))
            self.said += filter(None, map(bytes.rstrip, told))
        return said

    def _watch(self, stream: IO[bytes] | None) -> bytes:
        """Read what git says beside its output; show how far it is, and return the rest."""
        rest: list[bytes] = []
        for line in _lines(stream):
            step = _STEP.match(line)
            if step is not None:
                what = step[1].decode().lower()
                self._progress.update(int(step[2]), int(step[3]), what)
            elif line:
                rest.append(line)
        return b"\n".join(rest)

    def _hidden(self, said: bytes) -> bytes:
        return said.replace(self._remote.url, shown(self._remote.url))


def _lines(stream: IO[bytes] | None) -> Iterator[bytes]:
    left = b""
    while stream is not None and (data := os.read(stream.fileno(), 1 << 16)):
        *whole, left = _LINE.split(left + data)
        yield from whole
    yield left


def _told(flag: bytes, full: bytes, said: bytes) -> Told:
    text = said.decode("utf-8", "replace")
    reason = _REASON.fullmatch(text)
    return Told(full, flag.decode(), reason[1] if reason else text)


def _environment() -> dict[bytes, bytes]:
    kept = {
        name: value
        for name, value in os.environb.items()
        if not name.startswith(b"GIT_") or _KEPT.fullmatch(name)
    }
    return {**kept, b"LC_ALL": b"C", b"GIT_NO_REPLACE_OBJECTS": b"1"}
