"""Files in conflict: what is left alone stays, what is recorded reads back (spec: C22, C34)."""

import os
import tempfile
from contextlib import suppress

from hypothesis import assume, event, given
from hypothesis import strategies as st

from oxy.actions.cat import cat
from oxy.actions.commit import Request, commit
from oxy.actions.conflicts import conflicts
from oxy.actions.init import init
from oxy.actions.merge import merge
from oxy.actions.status import examined
from oxy.actions.switch import switch
from oxy.worktree.conflicted import marked_in
from oxy.worktree.marked import Marked
from oxy.worktree.unmarked import NotAloneError
from oxy.worktree.workcopy import working_copy
from tests.property.test_working_copy import AUTHOR, WHERE

LINES = st.sampled_from([b"a", b"b", b"c", b"d\r", b"=======", b"<<<<<<< x"])


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


TEXTS = st.lists(LINES, max_size=3).map(joined)
STRETCHES = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4)
"""What the base, one side and the other have between lines that all have."""
ENDS = st.sampled_from([b"", b"x"])


def whole(parts: list[bytes], end: bytes) -> bytes:
    return b"".join(b"%d\n" % number + part for number, part in enumerate(parts)) + end


class Desk:
    """A working copy with one file."""

    def __init__(self, root: str) -> None:
        self.root = os.fsencode(root)
        self.file = os.path.join(root, "f")
        init(self.root)

    def read(self) -> bytes:
        with open(self.file, "rb") as file:
            return file.read()

    def record(self, data: bytes) -> bytes | None:
        with open(self.file, "wb") as file:
            file.write(data)
        with working_copy(self.root) as copy:
            return commit(copy, Request(author=AUTHOR), lambda _: b"step").id

    def go(self, name: bytes, create: bytes | None = None) -> None:
        with working_copy(self.root) as copy:
            switch(copy, name, create)

    def merge(self, name: bytes) -> None:
        with working_copy(self.root) as copy:
            merge(copy, [name])

    def text(self) -> Marked:
        with working_copy(self.root) as copy:
            return marked_in(copy.repository, 1, copy.content.state)

    def require_clean(self) -> int:
        """Prove that the file is as the state has it; return how many conflicts stand in it."""
        with working_copy(self.root) as copy:
            snapshot = examined(copy)
            assert snapshot.changes == ()
            assert b"".join(cat(copy.repository, copy.base.state, b"f")) == self.read()
            return sum(len(found.lines) for found in conflicts(copy, snapshot))


@given(STRETCHES, ENDS, st.data())
def test_what_is_recorded_beside_conflicts_reads_back(
    stretches: list[tuple[bytes, bytes, bytes]], end: bytes, data: st.DataObject
) -> None:
    base, ours, theirs = (whole(list(parts), end) for parts in zip(*stretches, strict=True))
    with tempfile.TemporaryDirectory(dir=WHERE) as root:
        desk = Desk(root)
        desk.record(base)
        desk.go(b"@", b"topic")
        desk.record(theirs)
        desk.go(b"main")
        desk.record(ours)
        desk.merge(b"topic")
        text = desk.text()
        event(f"{len(text.blocks)} conflicts")
        assert desk.require_clean() == len(text.blocks)
        kept = [data.draw(st.booleans()) for _ in text.blocks]
        plain = tuple(data.draw(st.one_of(st.just(part), TEXTS)) for part in text.plain)
        others = st.sampled_from([b"", b"z\n", b"a\n"])
        shown = [
            block.marked if keep else data.draw(st.one_of(st.just(block.flat), others))
            for block, keep in zip(text.blocks, kept, strict=True)
        ]
        assume(not text.lengths.pattern().search(b"".join(plain)))
        with suppress(NotAloneError):
            desk.record(text._replace(plain=plain).with_blocks(shown))
            assert desk.require_clean() == sum(kept)
