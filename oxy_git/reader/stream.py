"""Commits with what they changed and the new blobs, streamed from git's own pipes.

(spec: git-bridge, GB2, GB3.) Three processes work ahead: the objects of the commits, their
differences against the first parent, and the blobs of those in the order of first use. Threads
feed them, so that many requests are under way; nothing is read twice.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import Queue
from typing import Final, NamedTuple

from oxy_git.reader.git import Git, GitError, Pipe
from oxy_git.reader.objects import take_object
from oxy_git.reader.trees import SUBMODULE, TREE

AHEAD: Final = 256
"""Commits whose differences are known before their turn."""

GONE: Final = b"000000"

_CHUNK: Final = 1 << 16


class Listed(NamedTuple):
    """A commit of the list and its parents, as ids of 20 bytes."""

    oid: bytes
    parents: tuple[bytes, ...]


class Difference(NamedTuple):
    """A path that differs from the first parent; a mode of GONE means that it is not there."""

    path: bytes
    old_mode: bytes
    new_mode: bytes
    old_oid: bytes
    new_oid: bytes


class Arrived(NamedTuple):
    """A commit with its object, and what differs from its first parent."""

    listed: Listed
    raw: bytes
    files: tuple[Difference, ...]
    trees: tuple[Difference, ...]


def list_commits(git: Git, tips: Sequence[bytes], known: Sequence[bytes] = ()) -> list[Listed]:
    """Return the commits that tips reach, and known ones do not, parents before children.

    Cost: about 100 bytes of memory a commit.
    """
    data = b"".join(tip.hex().encode() + b"\n" for tip in tips)
    data += b"".join(b"^" + oid.hex().encode() + b"\n" for oid in known)
    said = git.run("rev-list", "--topo-order", "--reverse", "--parents", "--stdin", data=data)
    listed = []
    for line in said.splitlines():
        oid, *parents = map(bytes.fromhex, line.decode("ascii").split())
        listed.append(Listed(oid, tuple(parents)))
    return listed


class Stream:
    """A list of commits on its way.

    Iterate over it. The blobs of a commit with no more than one parent are to be taken before
    the next.
    """

    __slots__ = (
        "_blobs",
        "_commits",
        "_diffs",
        "_failed",
        "_git",
        "_listed",
        "_queue",
        "_wanted",
    )

    def __init__(self, git: Git, listed: Sequence[Listed]) -> None:
        self._git = git
        self._listed = listed
        self._queue: Queue[tuple[list[Difference], list[Difference]] | None] = Queue(AHEAD)
        self._failed: list[BaseException] = []
        self._commits = git.start("cat-file", "--batch", "--buffer")
        self._diffs = git.start(
            "diff-tree", "--stdin", "-r", "-t", "-z", "--raw", "--always", "--root"
        )
        flush = ("--batch-command", "--buffer") if git.can_flush else ("--batch",)
        self._blobs = git.start("cat-file", *flush)
        for work in (self._feed_commits, self._feed_diffs, self._read_diffs):
            threading.Thread(target=self._guard, args=(work,), daemon=True).start()

    def __iter__(self) -> Iterator[Arrived]:
        """Yield the commits in the order of the list.

        Raises:
            GitError: a process ended before its time.
        """
        stdout = self._commits.stdout
        for listed in self._listed:
            raw = take_object(stdout.readline, stdout.read, listed.oid)
            arrived = self._queue.get()
            if arrived is None:
                what = f"diff-tree of commit {listed.oid.hex()}"
                raise GitError(what, self._diffs.said())
            files, trees = arrived
            yield Arrived(listed, raw, tuple(files), tuple(trees))

    def blob(self, difference: Difference) -> bytes:
        """Return the new blob of a difference: the next one that `wants` names."""
        stdout = self._blobs.stdout
        return take_object(stdout.readline, stdout.read, difference.new_oid)

    def close(self) -> None:
        """End every process."""
        for pipe in (self._commits, self._diffs, self._blobs):
            pipe.close()

    def _guard(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (OSError, ValueError) as error:
            self._failed.append(error)
            if work == self._read_diffs:
                self._queue.put(None)

    def _feed_commits(self) -> None:
        for listed in self._listed:
            self._commits.stdin.write(listed.oid.hex().encode() + b"\n")
        self._commits.stdin.close()

    def _feed_diffs(self) -> None:
        for oid, parents in self._listed:
            self._diffs.stdin.write(
                b" ".join(o.hex().encode() for o in (oid, *parents[:1])) + b"\n"
            )
        self._diffs.stdin.close()

    def _read_diffs(self) -> None:
        tokens = _tokens(self._diffs)
        word, end = (b"contents ", b"flush\n") if self._git.can_flush else (b"", b"")
        stdin = self._blobs.stdin
        token = next(tokens, None)
        for listed in self._listed:
            if token is None:
                break
            files: dict[bytes, Difference] = {}
            trees: list[Difference] = []
            while (token := next(tokens, None)) is not None and token.startswith(b":"):
                found = _difference(token, next(tokens))
                if TREE in (found.old_mode, found.new_mode):
                    trees.append(found)
                elif found.path not in files or files[found.path].new_mode == GONE:
                    # An odd tree may have a name twice: the first that is there counts.
                    files[found.path] = found
            self._queue.put((list(files.values()), trees))
            if len(listed.parents) > 1:
                continue
            asked = [
                word + f.new_oid.hex().encode() + b"\n" for f in files.values() if wants(f)
            ]
            if asked:
                stdin.write(b"".join(asked) + end)
                stdin.flush()
        else:
            stdin.close()
            return
        self._queue.put(None)


def wants(difference: Difference) -> bool:
    """Return whether the new blob of a difference is streamed: a file that is there."""
    return difference.new_mode not in (GONE, SUBMODULE)


def _tokens(pipe: Pipe) -> Iterator[bytes]:
    """Yield what git ends with NUL, in pieces as they come."""
    rest = b""
    while piece := pipe.stdout.read1(_CHUNK):
        parts = (rest + piece).split(b"\0")
        rest = parts.pop()
        yield from parts


def _difference(line: bytes, path: bytes) -> Difference:
    """Return the difference of a raw line: `:mode mode id id status`.

    A path is never looked at for what it is: one may look like an id or begin with a colon.
    """
    old_mode, new_mode, old_oid, new_oid, _ = line[1:].split(b" ")
    from_hex = bytes.fromhex
    return Difference(
        path, old_mode, new_mode, from_hex(old_oid.decode()), from_hex(new_oid.decode())
    )
