"""Commits with what they changed and the new blobs, streamed from git's own pipes.

(spec: git-bridge, GB2, GB3.) Three processes work ahead: the objects of the commits, their
differences against the first parent, and the blobs of those in the order of first use. Threads
feed them, so that many requests are under way; nothing is read twice.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import Queue
from typing import Final, NamedTuple, TypeAlias

from oxy_git.reader.git import Git, GitError, Pipe
from oxy_git.reader.limits import ALLOCATED, PARENTS, PATH_BYTES, PATHS, RECORD, OverLimitError
from oxy_git.reader.objects import object_id, take_object
from oxy_git.reader.trees import SUBMODULE, TREE

AHEAD: Final = 256
"""Commits whose differences are known before their turn."""

GONE: Final = b"000000"

Pair: TypeAlias = tuple[bytes, bytes]
"""The ids of an old blob and a new one."""

_CHUNK: Final = 1 << 16
_FILES: Final = frozenset((b"100644", b"100755"))
_NO_MEMORY: Final = b"out of memory"
_NO_TREE: Final = object_id(b"tree", b"")


Ask: TypeAlias = Callable[[Sequence[Pair]], None]


def no_one(_: Sequence[Pair]) -> None:
    """Nobody wants to know what will be compared."""


class Listed(NamedTuple):
    """A commit of the list, as ids of 20 bytes.

    Attributes:
        oid: the commit.
        parents: its parents, without those that it lacks here.
        lacks: parents that are not imported, where the import is a truncated one (GB25).
        tree: its tree, where it has parents and lacks them all.
    """

    oid: bytes
    parents: tuple[bytes, ...]
    lacks: tuple[bytes, ...] = ()
    tree: bytes = b""


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


def list_commits(
    git: Git, tips: Sequence[bytes], known: Sequence[bytes] = (), *words: str
) -> list[Listed]:
    """Return the commits that tips reach, and known ones do not, parents before children.

    Args:
        git: the repository.
        tips: ids of commits.
        known: likewise.
        words: options of git's that say which of them.

    Cost: some 200 bytes of memory a commit.

    Raises:
        OverLimitError: a commit has too many parents.
    """
    data = b"".join(tip.hex().encode() + b"\n" for tip in tips)
    data += b"".join(b"^" + oid.hex().encode() + b"\n" for oid in known)
    how = ("--topo-order", "--reverse", "--parents", *words, "--stdin")
    said = git.run("rev-list", *how, data=data)
    listed = []
    # A commit is named by its children too: there is to be one copy of each id.
    ids: dict[bytes, bytes] = {}
    for line in said.splitlines():
        named = map(bytes.fromhex, line.decode("ascii").split())
        oid, *parents = [ids.setdefault(name, name) for name in named]
        if len(parents) > PARENTS:
            count = f"{len(parents)} parents, and may have {PARENTS}"
            what = f"the commit {oid.hex()} has {count}"
            raise OverLimitError(what)
        listed.append(Listed(oid, tuple(parents)))
    return listed


class Stream:
    """A list of commits on its way.

    Iterate over it. The blobs of a commit with no more than one parent are to be taken before
    the next.
    """

    __slots__ = (
        "_ask",
        "_blobs",
        "_commits",
        "_diffs",
        "_failed",
        "_git",
        "_listed",
        "_queue",
        "_wanted",
    )

    def __init__(
        self,
        git: Git,
        listed: Sequence[Listed],
        ask: Ask = no_one,
    ) -> None:
        """Start; `ask` is told, ahead of time, which pairs of blobs will be compared."""
        self._git = git
        self._ask = ask
        self._listed = listed
        self._queue: Queue[tuple[list[Difference], list[Difference]] | None] = Queue(AHEAD)
        self._failed: list[BaseException] = []
        self._commits = git.start("cat-file", "--batch", "--buffer", reads_files=False)
        how = ("--stdin", "-r", "-t", "-z", "--raw", "--always", "--root")
        self._diffs = git.start("diff-tree", *how, reads_files=False)
        # Git collects what a commit changes before it says any of it.
        self._diffs.bound(ALLOCATED)
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
            raw = take_object(stdout.readline, stdout.read, listed.oid, RECORD)
            arrived = self._queue.get()
            if arrived is None:
                for error in self._failed:
                    if isinstance(error, OverLimitError):
                        raise error
                if _NO_MEMORY in self._diffs.said().lower():
                    raise _too_many(listed.oid)
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
        except (OSError, ValueError, OverLimitError) as error:
            self._failed.append(error)
            if work == self._read_diffs:
                self._queue.put(None)

    def _feed_commits(self) -> None:
        for listed in self._listed:
            self._commits.stdin.write(listed.oid.hex().encode() + b"\n")
        self._commits.stdin.close()

    def _feed_diffs(self) -> None:
        for oid, parents, _, tree in self._listed:
            # Two trees are compared as such; a commit alone, with the parents that it has.
            pair = (_NO_TREE, tree) if tree else (oid, *parents[:1])
            self._diffs.stdin.write(b" ".join(o.hex().encode() for o in pair) + b"\n")
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
            held = 0
            # After the names of two trees comes a line feed, and no NUL.
            rest = token.partition(b"\n")[2] if listed.tree else b""
            token = rest or next(tokens, None)
            while token is not None and token.startswith(b":"):
                found = _difference(token, next(tokens))
                held += len(found.path)
                _check(listed.oid, len(files) + len(trees) + 1, held)
                if TREE in (found.old_mode, found.new_mode):
                    trees.append(found)
                elif found.path not in files or files[found.path].new_mode == GONE:
                    # An odd tree may have a name twice: the first that is there counts.
                    files[found.path] = found
                token = next(tokens, None)
            self._queue.put((list(files.values()), trees))
            if len(listed.parents) > 1:
                continue
            self._ask([(f.old_oid, f.new_oid) for f in files.values() if is_edit(f)])
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


def _check(commit: bytes, paths: int, held: int) -> None:
    """Prove that what a commit changes can be held in memory."""
    if paths > PATHS or held > PATH_BYTES:
        raise _too_many(commit)


def _too_many(commit: bytes) -> OverLimitError:
    limit = f"{PATHS} paths, or {PATH_BYTES} bytes of them"
    return OverLimitError(f"the commit {commit.hex()} changes more than {limit}")


def wants(difference: Difference) -> bool:
    """Return whether the new blob of a difference is streamed: a file that is there."""
    return difference.new_mode not in (GONE, SUBMODULE)


def is_edit(difference: Difference) -> bool:
    """Return whether a difference is between two files."""
    return difference.old_mode in _FILES and difference.new_mode in _FILES


def _tokens(pipe: Pipe) -> Iterator[bytes]:
    """Yield what git ends with NUL, in pieces as they come."""
    rest = b""
    while piece := pipe.stdout.read1(_CHUNK):
        parts = (rest + piece).split(b"\0")
        rest = parts.pop()
        if len(rest) > PATH_BYTES:
            what = f"it holds a path of more than {PATH_BYTES} bytes"
            raise OverLimitError(what)
        yield from parts
    if rest:
        yield rest


def _difference(line: bytes, path: bytes) -> Difference:
    """Return the difference of a raw line: `:mode mode id id status`.

    A path is never looked at for what it is: one may look like an id or begin with a colon.
    """
    old_mode, new_mode, old_oid, new_oid, _ = line[1:].split(b" ")
    from_hex = bytes.fromhex
    return Difference(
        path, old_mode, new_mode, from_hex(old_oid.decode()), from_hex(new_oid.decode())
    )
