"""Whether what a stranger's change does to a text may be applied (spec: graph, G6, G7, G11).

What this refuses would bend the weave or contradict itself, whatever else arrives. Pure.
"""

from collections import OrderedDict
from oxy.typed import Final

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.graph.naming import strong
from oxy.graph.paths import Paths
from oxy.graph.text import EDGE, Block, Deed, TextGraph, point
from oxy.graph.weave import NoLineError
from oxy.model.operation import IN, OUT, TEXT

REMEMBERED: Final = 1024
"""Changes of texts of which it is remembered what they need."""

_NOTHING: Final = BitMap()


class RefusedEditError(CorruptionError):
    """What a change does to a text breaks a rule of the line graph."""

    def __init__(self, change: int, rule: str) -> None:
        super().__init__(f"change {change} cannot be applied to a text: {rule}")
        self.change = change
        self.rule = rule


class Needs:
    """What changes of texts need, with all that this needs in turn; the latest are remembered.

    So a text that many changes touch one after the other costs the same for each of them. A
    text is told from others by any number.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, int], BitMap] = OrderedDict()

    def of(self, text: int, graph: TextGraph, deed: Deed) -> BitMap:
        """Return the changes of a text that a deed needs, and those that they need."""
        found = BitMap()
        work = list(deed.needs)
        for need in deed.needs:
            found |= self._known.get((text, need), _NOTHING)
        while work:
            need = work.pop()
            if need not in found and need in graph.touched:
                known = self._known.get((text, need))
                if known is None:
                    found.add(need)
                    work += graph.deeds[need].needs
                else:
                    found |= known
        return found

    def note(self, text: int, change: int, needed: BitMap) -> None:
        """Remember what a change needs."""
        self._known[text, change] = needed | BitMap([change])
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def admit(graph: TextGraph, change: int, deed: Deed, known: BitMap | None = None) -> None:
    """Check that a deed keeps the rules that every graph relies on; the graph keeps its rows.

    Args:
        graph: the text.
        change: the change.
        deed: what it does.
        known: the changes of the text that it needs, and those that they need, where they are
            at hand (`Needs`).

    Cost: what the deed names, and the insert edges between the two points of each block.

    Raises:
        RefusedEditError: it names lines without depending on their change or lines that are
            not there, puts a block between points that insert edges do not order, or orders
            lines in a circle.
    """
    if known is None:
        known = Needs().of(0, graph, deed)
    strangers = {named for named in strong(deed) if named not in known} - {change}
    if strangers:
        raise RefusedEditError(change, f"it names change {min(strangers)} without need")
    try:
        _check_lines(graph, deed)
        is_ordered = all(_is_ordered(graph, known, block) for block in deed.blocks)
    except NoLineError as error:
        raise RefusedEditError(change, str(error)) from error
    if not is_ordered:
        raise RefusedEditError(change, "it inserts between points without an order")
    if deed.orders and _has_circle(graph, change, deed, known):
        raise RefusedEditError(change, "its orders contradict each other")


def _check_lines(graph: TextGraph, deed: Deed) -> None:
    """Look every line up that is deleted or restored."""
    for deletion in deed.deletions:
        for span in deletion.spans:
            graph.weave.within(*span)
    for cancel in deed.cancels:
        graph.weave.within(*cancel.span)


def _is_ordered(graph: TextGraph, known: BitMap, block: Block) -> bool:
    """Return whether insert edges of known changes put the right point after the left one."""
    left, right = block.left, block.right
    weave = graph.weave
    if left != EDGE:
        weave.cut_after(left >> 2)
    if right != EDGE and right & 3 == OUT:
        return left == right - OUT + TEXT
    if right != EDGE:
        weave.cut(right >> 2)
    if (right != EDGE and right & 3 != IN) or (left != EDGE and left & 3 == IN):
        return False
    return EDGE in {left, right} or Paths(graph, known).reaches(
        left, right >> 2, has_orders=False
    )


def _has_circle(graph: TextGraph, change: int, deed: Deed, known: BitMap) -> bool:
    """Return whether orders lead back to where they start, by insert edges and each other."""
    graph.apply(change, deed)
    try:
        own = BitMap([change])
        paths = Paths(graph, known | own, own)
        return any(
            _leads_back(graph, paths, point(order.a, TEXT if order.inside else OUT), order.b)
            for order in deed.orders
        )
    finally:
        graph.unapply(change)


def _leads_back(graph: TextGraph, paths: Paths, start: int, line: int) -> bool:
    """Return whether a line leads to a point, or to the line that the point is of."""
    chunk, place = graph.weave.find(start >> 2)
    goals = {start, point(chunk.starts[place], IN)}
    chunk, place = graph.weave.find(line)
    first, size = chunk.starts[place], chunk.sizes[place]
    walk = paths.walk([point(first + size - 1, TEXT)], None, has_orders=True)
    return point(first, IN) in goals or any(where in goals for where in walk)
