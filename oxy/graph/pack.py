"""A text graph as bytes and back (spec: checkpoints). Pure.

    1 byte    version, 2
    8 bytes   XXH3-64 of the body, big-endian
    body      msgpack: [changes, deeds, disputing, fates,
                        run changes, run indexes, run sizes, run fates, above]

The runs are columns in weave order, `run fates` are positions in `fates`, a fate is
`[deletions, cancels]`. `deeds` holds for each of `changes` its deed as msgpack bytes, which are
read when they are asked for: what a state reads seldom needs one. `disputing` are the changes
that restored, ordered, settled or kept lines. `above` are the changes that are not of the
largest state that is known to read in one way (spec: graph, G54); all, if none is known.
"""

from collections.abc import Sequence
from oxy.typed import Final, TypeAlias

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.graph.text import (
    ALIVE,
    Block,
    Cancel,
    Deed,
    Deletion,
    Fate,
    Precedence,
    Span,
    TextGraph,
    Verdict,
)
from oxy.graph.weave import SHIFT

VERSION: Final = 2
_HEAD: Final = 9
_INDEX: Final = (1 << SHIFT) - 1

Ints: TypeAlias = tuple[int, ...]
Pairs: TypeAlias = tuple[tuple[int, int], ...]
PackedDeed: TypeAlias = tuple[
    Ints,
    tuple[tuple[int, int, int, int], ...],
    tuple[tuple[Pairs, int | None], ...],
    tuple[tuple[tuple[int, int], Ints], ...],
    tuple[tuple[int, int, int], ...],
    Pairs,
    tuple[tuple[tuple[int, int], int, int], ...],
    Pairs,
]
Body: TypeAlias = tuple[
    Ints, tuple[bytes, ...], Ints, tuple[tuple[Ints, Pairs], ...], Ints, Ints, Ints, Ints, Ints
]


class PackedGraphError(CorruptionError):
    """Bytes that claim to be a text graph are not one."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"not a packed text graph: {rule}")
        self.rule = rule


class Deeds(dict[int, Deed]):
    """Deeds by change, each read from its bytes when it is first asked for."""

    __slots__ = ("packed",)

    def __init__(self, packed: dict[int, bytes]) -> None:
        super().__init__()
        self.packed = packed

    def __missing__(self, change: int) -> Deed:
        """Read a deed.

        Raises:
            PackedGraphError: its bytes are no deed.
        """
        try:
            deed = self[change] = _deed(self.packed[change])
        except (ValueError, TypeError) as error:
            rule = f"the deed of change {change} does not parse"
            raise PackedGraphError(rule) from error
        return deed


def pack(graph: TextGraph) -> bytes:
    """Return a graph as bytes. Cost: its runs, and the deeds that were ever looked at."""
    from msgpack import packb
    from xxhash import xxh3_64_digest

    starts: list[int] = []
    sizes: list[int] = []
    fates: list[int] = []
    for chunk in graph.weave.chunks:
        starts += chunk.starts
        sizes += chunk.sizes
        fates += chunk.fates
    used = sorted({ALIVE, *fates})
    place = {fate: number for number, fate in enumerate(used)}
    changes = list(graph.touched)
    body: bytes = packb(
        (
            changes,
            [_deed_bytes(graph, change) for change in changes],
            sorted(graph.disputing),
            [graph.fates[fate] for fate in used],
            [start >> SHIFT for start in starts],
            [start & _INDEX for start in starts],
            sizes,
            [place[fate] for fate in fates],
            list(graph.touched - graph.grounds.largest()),
        )
    )
    return bytes([VERSION]) + xxh3_64_digest(body) + body


def _deed_bytes(graph: TextGraph, change: int) -> bytes:
    from msgpack import packb

    deeds = graph.deeds
    if isinstance(deeds, Deeds) and change not in deeds:
        return deeds.packed[change]
    deed = deeds[change]
    places = {block: place for place, block in enumerate(deed.blocks)}
    deletions = [
        (spans, None if block is None else places[block]) for spans, block in deed.deletions
    ]
    data: bytes = packb((deed.needs, deed.blocks, deletions, *deed[3:]))
    return data


def unpack(data: bytes) -> TextGraph:
    """Return the graph that bytes hold. Cost: its runs, not its deeds.

    Raises:
        PackedGraphError: the bytes are damaged, or of another version.
    """
    from xxhash import xxh3_64_digest

    if data[:1] != bytes([VERSION]):
        rule = f"version {data[0]}; this oxy reads {VERSION}" if data else "it is empty"
        raise PackedGraphError(rule)
    body = data[_HEAD:]
    if xxh3_64_digest(body) != data[1:_HEAD]:
        rule = "its digest does not match"
        raise PackedGraphError(rule)
    try:
        return _graph(body)
    except (ValueError, TypeError, LookupError, OverflowError) as error:
        rule = "its parts do not fit"
        raise PackedGraphError(rule) from error


def _graph(body: bytes) -> TextGraph:
    from msgpack import unpackb

    parts: Body = unpackb(body, use_list=False)
    changes, deeds, disputing, fates, owners, indexes, sizes, run_fates, above = parts
    if len({len(owners), len(indexes), len(sizes), len(run_fates)}) > 1:
        rule = "its columns differ in length"
        raise PackedGraphError(rule)
    graph = TextGraph()
    graph.touched.update(changes)
    for deletions, cancels in fates:
        graph.fate_index(Fate(deletions, cancels))
    starts = [owner << SHIFT | index for owner, index in zip(owners, indexes, strict=True)]
    graph.weave.load(starts, list(sizes), list(run_fates))
    graph.load(Deeds(dict(zip(changes, deeds, strict=True))), disputing)
    graph.grounds.note(graph.touched - BitMap(above))
    return graph


def _deed(data: bytes) -> Deed:
    from msgpack import unpackb

    parts: PackedDeed = unpackb(data, use_list=False)
    needs, blocks, deletions, cancels, orders, unorders, verdicts, keeps = parts
    made = tuple(Block(*block) for block in blocks)
    return Deed(
        needs,
        made,
        tuple(
            Deletion(_spans(spans), None if block is None else made[block])
            for spans, block in deletions
        ),
        tuple(Cancel(Span(*span), named) for span, named in cancels),
        tuple(Precedence(*order) for order in orders),
        unorders,
        tuple(Verdict(Span(*span), deletion, keeper) for span, deletion, keeper in verdicts),
        _spans(keeps),
    )


def _spans(spans: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    return tuple(Span(*span) for span in spans)
