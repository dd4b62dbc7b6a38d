"""A text in pieces, conflicts with their markers (spec: conflicts, C20 to C22). Pure."""

from collections.abc import Iterator, Sequence
from itertools import chain
from oxy.typed import NamedTuple

from oxy.worktree.markers import Sided, Widths, block, widths


class Block(NamedTuple):
    """A conflict: as it is written, the lines of its sides in a row, and what these are."""

    marked: bytes
    flat: bytes
    shown: Sided


class Marked(NamedTuple):
    """A text in pieces: what is plain lies before, between and after the conflicts.

    Every line ends in LF; whether the file's last one does is a register of the node.
    """

    plain: tuple[bytes, ...]
    blocks: tuple[Block, ...] = ()
    lengths: Widths = Widths()

    def text(self) -> bytes:
        """Return the text with its conflicts as they are written."""
        return self.with_blocks([block.marked for block in self.blocks])

    def with_blocks(self, shown: Sequence[bytes]) -> bytes:
        """Return the text with something in the place of each conflict."""
        return b"".join(chain(*zip(self.plain, shown, strict=False), self.plain[-1:]))

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Yield the first and the last line of each conflict, from 1."""
        line = 0
        for plain, conflict in zip(self.plain, self.blocks, strict=False):
            first = line + plain.count(b"\n")
            line = first + conflict.marked.count(b"\n")
            yield first + 1, line


def mark(
    plain: Sequence[bytes], flats: Sequence[bytes], conflicts: Sequence[Sided], final_lf: int
) -> Marked:
    """Return a text in pieces.

    Args:
        plain: the lines before, between and after the conflicts.
        flats: the lines of each conflict, those of its sides one after the other.
        conflicts: what is to be shown of each.
        final_lf: whether the file ends in LF. Where it does not, and a conflict is last, the
            line of its closing marker has no end either.

    Cost: the text.
    """
    if not conflicts:
        return Marked(tuple(plain))
    shown = (text for conflict in conflicts for text in _texts(conflict))
    lengths = widths(chain(plain, shown))
    begin = plain[0] or flats[0]
    end = b"\r\n" if begin[: begin.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    ends = [end] * len(conflicts)
    if not final_lf and not plain[-1]:
        ends[-1] = b"\n"
    written = (
        block(one, lengths, end, last) for one, last in zip(conflicts, ends, strict=True)
    )
    return Marked(tuple(plain), tuple(map(Block, written, flats, conflicts)), lengths)


def _texts(conflict: Sided) -> Iterator[bytes]:
    yield from (side.text for side in conflict.sides)
    yield conflict.base
