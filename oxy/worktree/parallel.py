"""Walk a large tree with several processes (spec: working-copy, W30).

A walk spends its time in one interpreter, so threads do not help; a forked process costs a
millisecond and knows the manifest already. The tree is cut into spans of about as many tracked
files each; the first is walked here, and what the children find is appended in order.
"""

import os
from collections.abc import Iterator
from oxy.typed import Final, NoReturn

from oxy.worktree.listing import Listing, Oddity
from oxy.worktree.manifest import Manifest
from oxy.worktree.span import Span
from oxy.worktree.walk import PLAIN, Rules, walk

PAYS: Final = 5_000
"""Tracked files from which on more than one process pays."""

_PIECE: Final = 1 << 20
_ALONE: Final = 1
_SIGKILL: Final = 9  # POSIX has it so; the module `signal` would cost a millisecond

_Plain = tuple[bytes, bytes, bytes, list[tuple[bytes, str, str]], tuple[bytes, ...] | None]


def walk_whole(root: int, manifest: Manifest, rules: Rules = PLAIN) -> Iterator[Listing]:
    """Yield what `walk` yields for the whole tree, by several processes where that pays.

    Raises:
        UnreadableError, IgnoreFileTooLargeError: as `walk`.
    """
    spans = _spans(manifest, _processors())
    if len(spans) == _ALONE:
        yield from walk(root, manifest, rules=rules)
        return
    helpers = [_Helper(root, manifest, span, rules) for span in spans[1:]]
    try:
        # Only now, because a process with threads should not fork.
        for helper in helpers:
            helper.collect()
        yield from walk(root, manifest, span=spans[0], rules=rules)
        for helper in helpers:
            yield from helper.listings()
    finally:
        for helper in helpers:
            helper.end()


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _spans(manifest: Manifest, count: int) -> list[Span]:
    sizes = {
        tuple(d.split(b"/")): manifest.names(d).count(b"\0") + 1 for d in manifest.directories()
    }
    total = sum(sizes.values())
    if total < PAYS or count == _ALONE:
        return [Span((), None)]
    cuts: list[tuple[bytes, ...]] = []
    passed = 0
    for directory in sorted(sizes):
        if passed >= total * (len(cuts) + 1) // count:
            cuts.append(directory)
        passed += sizes[directory]
    return [Span(a, b) for a, b in zip([(), *cuts], [*cuts, None], strict=True)]


class _Helper:
    """A child that walks one span; whatever goes wrong in it, the span is walked here again."""

    __slots__ = ("_answer", "_done", "_manifest", "_pid", "_pipe", "_root", "_rules", "_span")

    def __init__(self, root: int, manifest: Manifest, span: Span, rules: Rules) -> None:
        import _thread

        self._done = _thread.allocate_lock()
        self._root = root
        self._manifest = manifest
        self._span = span
        self._rules = rules
        self._answer: list[bytes] = []
        self._pipe, out = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _answer_and_exit(out, root, manifest, span, rules)
        os.close(out)

    def collect(self) -> None:
        """Start to take the answer in.

        A pipe holds little; without a thread that empties it the child would stand still.
        """
        import _thread

        self._done.acquire()
        _thread.start_new_thread(self._collect, ())

    def _collect(self) -> None:
        try:
            while piece := os.read(self._pipe, _PIECE):
                self._answer.append(piece)
        finally:
            self._done.release()

    def listings(self) -> Iterator[Listing]:
        """Yield the listings of the span."""
        import marshal

        self._done.acquire()
        self._done.release()
        try:
            found: list[_Plain] = marshal.loads(b"".join(self._answer))  # noqa: S302 - from our own child
        except (EOFError, ValueError, TypeError):
            yield from walk(self._root, self._manifest, span=self._span, rules=self._rules)
            return
        for path, joined, stats, oddities, asked in found:
            told = tuple(Oddity(*oddity) for oddity in oddities)
            yield Listing(path, joined, stats, told, asked)

    def end(self) -> None:
        """End the child, if it still runs, and forget it."""
        os.kill(self._pid, _SIGKILL)
        os.waitpid(self._pid, 0)
        self._done.acquire()
        os.close(self._pipe)


def _answer_and_exit(
    out: int, root: int, manifest: Manifest, span: Span, rules: Rules
) -> NoReturn:
    """Walk the span in the child; no answer at all says that something went wrong."""
    import marshal

    try:
        # Parent and child may not share one position in the root directory's listing.
        own = os.open(b".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=root)
        found = [
            (path, joined, stats, [tuple(oddity) for oddity in oddities], asked)
            for path, joined, stats, oddities, asked in walk(
                own, manifest, span=span, rules=rules
            )
        ]
        with open(out, "wb") as file:
            file.write(marshal.dumps(found))
    finally:
        # Nothing of the parent's may be flushed, closed or unlocked by the child.
        os._exit(0)
