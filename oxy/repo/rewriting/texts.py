"""What a change did to a text, said of the text as it is now (spec: states, S12; graph).

Where every line that it names has an image, it is said in the same words. Else, and where the
result would not read as it is meant to, it is recorded anew from what it read and what it made
of that, line by line.
"""

from collections.abc import Iterable, Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.diff.lines import Edit
from oxy.diff.partial import edited
from oxy.graph.admission import RefusedEditError, admit
from oxy.graph.draft import flat
from oxy.graph.naming import strong
from oxy.graph.reading import Reading, of_spans
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.render import render
from oxy.graph.text import EDGE, Block, Deed, Span, TextGraph
from oxy.graph.weave import SHIFT
from oxy.model.operation import Content
from oxy.repo.nodes import Nodes
from oxy.repo.rewriting.images import Images, LostLineError, Renaming
from oxy.repo.rewriting.refusal import UnsayableError
from oxy.repo.rewriting.wanted import Hunk, Want, hunks, lines_of, without_twins

_CONFLICT: Final = "its lines are in conflict there"
_MOVED: Final = "lines would have to change their order"
_GONE: Final = "lines that it has are not there"
_OTHER: Final = "it would not read as it did"


class Site(NamedTuple):
    """A text in two worlds, where a change is to be recorded.

    `old` and `new` are its node before and now; the node now is 0 where the change creates it.
    `before` and `after` are the old states without and with the change's sources, `base` the
    state that it is recorded on now.
    """

    old: int
    new: int
    before: BitMap
    after: BitMap
    base: BitMap
    number: int


class Said(NamedTuple):
    """What a change does to a text, and the lines that it inserts."""

    deed: Deed | None
    content: Content | None


class Texts:
    """The texts of one rewrite."""

    __slots__ = ("_bent", "_images", "_is_elsewhere", "_nodes")

    def __init__(self, nodes: Nodes, images: Images, *, is_elsewhere: bool = False) -> None:
        """Take images; some may be of changes made elsewhere, where lines are that nobody had.

        Then nothing is recorded anew: what reads otherwise than it did may be meant so.
        """
        self._nodes = nodes
        self._images = images
        self._is_elsewhere = is_elsewhere
        self._bent: set[int] = set()

    @property
    def bent(self) -> frozenset[int]:
        """The texts, by their nodes of before, that were not merely renamed."""
        return frozenset(self._bent)

    def renamed(self, site: Site, source: int, deed: Deed, content: Content | None) -> Said:
        """Return what one source did, said of what is there now.

        Cost: what the deed names; where the text was bent by the rewrite, its runs.

        Raises:
            UnsayableError: it cannot be said.
        """
        renaming = Renaming(self._images, site.old, source, site.number)
        try:
            new = renaming.renamed(deed)
        except LostLineError:
            return self.replayed(site, (source,))
        if self._is_elsewhere:
            self._require_admission(site, new)
            return Said(new, content)
        if not renaming.is_exact:
            self._bent.add(site.old)
        if site.new and site.old in self._bent and not self._reads_well(site, new):
            return self.replayed(site, (source,))
        return Said(new, content)

    def _require_admission(self, site: Site, deed: Deed) -> None:
        if not site.new:
            return
        graph = self._nodes.graph(site.new)
        needs = tuple(sorted(n for n in strong(deed) if n in graph.touched))
        try:
            admit(graph, site.number, deed._replace(needs=needs))
        except RefusedEditError as error:
            raise UnsayableError(_GONE) from error

    def _reads_well(self, site: Site, deed: Deed) -> bool:
        """Tell whether a deed may be applied to a text and makes it read as it did."""
        graph = self._nodes.graph(site.new)
        needs = tuple(sorted(n for n in strong(deed) if n in graph.touched))
        deed = deed._replace(needs=needs)
        try:
            admit(graph, site.number, deed)
        except RefusedEditError:
            return False
        graph.apply(site.number, deed)
        try:
            found = render(graph, site.base | BitMap([site.number]), _Unfit())
        except UnsayableError:
            # The graph of before may be in conflict as well; then it is told at the end.
            return not self._nodes.reading(site.old, site.after).is_clean
        finally:
            graph.unapply(site.number)
        meant = self._nodes.reading(site.old, site.after)
        return meant.is_clean and self._is_image(site, meant, found)

    def _is_image(self, site: Site, meant: Reading, found: Reading) -> bool:
        try:
            spans = self._images.spans(site.old, meant.spans())
        except LostLineError:
            return False
        return list(of_spans(spans).spans()) == list(of_spans(found.spans()).spans())

    def shared(self, site: Site, source: int, edits: Sequence[Edit] | None) -> Said:
        """Return some of the edits that a source made, or all that are left, recorded anew.

        Cost: the lines of the text.

        Raises:
            UnsayableError: what they make of the text cannot be made of it now.
        """
        if edits is None:
            return self.replayed(site, (source,))
        found, left = (
            lines_of(self._nodes.reading(site.old, state).spans())
            for state in (site.before, site.after)
        )
        return self._replayed(site, edited(found, left, edits), (source,))

    def replayed(self, site: Site, sources: Sequence[int]) -> Said:
        """Return what sources did together, recorded anew.

        Cost: the lines of the text.

        Raises:
            UnsayableError: what they made of the text cannot be made of it now.
        """
        if self._is_elsewhere:
            raise UnsayableError(_GONE)
        meant = self._nodes.reading(site.old, site.after)
        if meant.conflicts:
            raise UnsayableError(_CONFLICT)
        return self._replayed(site, lines_of(meant.spans()), sources)

    def _replayed(self, site: Site, lines: Sequence[int], sources: Sequence[int]) -> Said:
        """Return what makes a text have lines, given by what they were before."""
        self._bent.add(site.old)
        own = frozenset(sources)
        if not site.new:
            return self._made(site, lines, sources)
        graph = self._nodes.graph(site.new)
        now = self._nodes.read_graph(site.new, graph, site.base)
        shown = lines_of(flat(now))
        wants = self._wants(site, lines, shown, own)
        found = hunks(len(shown), wants)
        if found is None:
            raise UnsayableError(_MOVED)
        found, stay = without_twins(
            found,
            lambda position: self._line(site.new, shown[position]),
            lambda place: self._line(site.old, wants[place].old),
        )
        return self._recorded(site, graph, now, found, wants, sources, stay, shown)

    def _wants(
        self, site: Site, lines: Sequence[int], shown: Sequence[int], own: frozenset[int]
    ) -> list[Want]:
        """Return the lines that are to be read, and where those are that are there."""
        position = {line: place for place, line in enumerate(shown)}
        was_there: frozenset[int] | None = None
        wants = []
        for line in lines:
            if line >> SHIFT in own:
                wants.append(Want(self._shared_out(site, line, position), line))
                continue
            try:
                at = position.get(self._images.line(site.old, line))
            except LostLineError as error:
                raise UnsayableError(_GONE) from error
            if at is None:
                was_there = was_there or self._read_before(site)
                if line in was_there:
                    raise UnsayableError(_GONE)
            wants.append(Want(-1 if at is None else at, line))
        return wants

    def _shared_out(self, site: Site, line: int, position: dict[int, int]) -> int:
        """Return where a line is that an earlier share of its change inserted, or -1."""
        if not self._images.is_placed(site.old, line >> SHIFT):
            return -1
        found = self._images.parts(site.old, Span(line, 1))
        return position.get(found[0].start, -1) if found else -1

    def _read_before(self, site: Site) -> frozenset[int]:
        return frozenset(lines_of(flat(self._nodes.reading(site.old, site.before))))

    def _recorded(
        self,
        site: Site,
        graph: TextGraph,
        now: Reading,
        found: Sequence[Hunk],
        wants: Sequence[Want],
        sources: Sequence[int],
        stay: dict[int, int],
        shown: Sequence[int],
    ) -> Said:
        done = record(graph, site.base, now, found, site.number) if found else None
        placed = [(want.old, shown[want.at]) for want in wants if want.at >= 0]
        placed += [(wants[place].old, shown[at]) for place, at in stay.items()]
        made = [] if done is None else _inserted(done, wants, site.number)
        placed += [(old, new) for old, new in made]
        for source in sources:
            own = [pair for pair in placed if pair[0] >> SHIFT == source]
            self._images.place(site.old, source, own)
        if done is None:
            return Said(None, None)
        content = self._nodes.text(site.old, _joined(old for old, _ in made))
        return Said(done.deed, content)

    def _made(self, site: Site, lines: Sequence[int], sources: Sequence[int]) -> Said:
        """Return how a text that the change creates is inserted whole."""
        start = site.number << SHIFT
        placed = [(line, start + index) for index, line in enumerate(lines)]
        for source in sources:
            own = [pair for pair in placed if pair[0] >> SHIFT == source]
            self._images.place(site.old, source, own)
        if any(line >> SHIFT not in sources for line in lines):
            raise UnsayableError(_GONE)
        if not lines:
            return Said(None, None)
        content = self._nodes.text(site.old, _joined(lines))
        return Said(Deed((), (Block(start, len(lines), EDGE, EDGE),)), content)

    def _line(self, node: int, line: int) -> bytes:
        return self._nodes.text(node, (Span(line, 1),))

    def check(self, old: int, new: int, before: BitMap, after: BitMap) -> None:
        """Prove that a text reads in the end as it is meant to.

        Raises:
            UnsayableError: it does not.
        """
        nodes = self._nodes
        meant = nodes.reading(old, before)
        found = nodes.reading(new, after)
        if old in self._bent and len(meant.conflicts) != len(found.conflicts):
            raise UnsayableError(_OTHER)
        if meant.conflicts:
            # Which sides a conflict shows depends on who knows whom.
            return
        if found.conflicts or nodes.text(old, meant.spans()) != nodes.text(new, found.spans()):
            raise UnsayableError(_OTHER)


def _inserted(done: Recorded, wants: Sequence[Want], number: int) -> list[tuple[int, int]]:
    """Return (old line, new line) of all that a recording inserts, in the order of its text."""
    made: list[tuple[int, int]] = []
    for size, new, moved in done.sources:
        if new is None or moved is not None:
            raise UnsayableError(_MOVED)
        for place in range(new, new + size):
            made.append((wants[place].old, (number << SHIFT) + len(made)))
    return made


def _joined(lines: Iterable[int]) -> list[Span]:
    return list(of_spans(Span(line, 1) for line in lines).spans())


class _Unfit:
    """A Lore that nothing may be asked of: a conflict is not what was meant."""

    __slots__ = ()

    def knows(self, change: int, state: BitMap) -> BitMap:
        """See Lore."""
        del change, state
        raise UnsayableError(_CONFLICT)

    def rank(self, change: int) -> bytes:
        """See Lore."""
        del change
        raise UnsayableError(_CONFLICT)

    def text(self, spans: tuple[Span, ...]) -> bytes:
        """See Lore."""
        del spans
        raise UnsayableError(_CONFLICT)
