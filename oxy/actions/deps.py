"""What a change depends on, what depends on it, and why (spec: states, S35)."""

from collections.abc import Iterable, Iterator
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.log import Entry
from oxy.actions.show import entry_of
from oxy.graph.draft import flat
from oxy.graph.text import EDGE, Deed, Span
from oxy.graph.weave import SHIFT
from oxy.model.operation import BYTES, FINAL_LF, KIND, MODE, OUT, PIN, PLACE, TARGET
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.tables import CHANGED, key, unpack_numbers

REGISTERS: Final = {
    PLACE: "place",
    MODE: "mode",
    BYTES: "content",
    FINAL_LF: "final-lf",
    TARGET: "target",
    PIN: "pin",
    KIND: "kind",
}

MADE: Final = "edits the file that it made"
LEANS: Final = "keeps its lines in place of others"


class Reason(NamedTuple):
    """Why one change depends on another: a file, and what of it.

    Of lines, `line` is the number of the first before the change, from 1, or None where it was
    deleted already; `lines` how many there are, and `text` the first one, without LF.
    """

    path: bytes
    what: str
    line: int | None = None
    lines: int = 0
    text: bytes = b""


class Dependency(NamedTuple):
    """A change that is depended on, or that depends, and why."""

    entry: Entry
    reasons: tuple[Reason, ...]


def dependencies(repository: Repository, change: int) -> Iterator[Dependency]:
    """Yield what a change depends on, the newest first.

    Cost: the nodes that it touches, and a reading of each text.
    """
    deps = repository.states.link(change).deps
    found = _reasons(repository, change)
    for dep in sorted(deps, reverse=True):
        yield Dependency(entry_of(repository, dep), tuple(found.get(dep, ())))


def dependents(repository: Repository, change: int, state: BitMap) -> Iterator[Dependency]:
    """Yield the members of a state that depend on a change directly, in order of arrival.

    Cost: a row for each that came after it; the nodes that those touch which depend on it.
    """
    for other, link in repository.states.links(state, change):
        if change in link.deps:
            reasons = _reasons(repository, other).get(change, ())
            yield Dependency(entry_of(repository, other), tuple(reasons))


def _reasons(repository: Repository, change: int) -> dict[int, list[Reason]]:
    """Return why a change depends on each of its dependencies."""
    found: dict[int, list[Reason]] = {}
    row = repository.store.row(CHANGED, key(change)) or b""
    for node in unpack_numbers(row):
        looking = _Looking(repository, change, node)
        for dep, reason in looking.reasons():
            reasons = found.setdefault(dep, [])
            if reason not in reasons:
                reasons.append(reason)
    return found


class _Looking:
    """One change on one node."""

    __slots__ = ("_change", "_node", "_path", "_places", "_repository")

    def __init__(self, repository: Repository, change: int, node: int) -> None:
        states, nodes = repository.states, repository.nodes
        self._repository = repository
        self._change = change
        self._node = node
        before = states.members(states.link(change).context)
        path = standing(nodes, node, before).seen.path
        path = path or standing(nodes, node, states.of_change(change)).seen.path
        self._path = path or b""
        self._places: list[tuple[Span, int]] | None = None

    def reasons(self) -> Iterator[tuple[int, Reason]]:
        """Yield (dependency, reason)."""
        repository, change = self._repository, self._change
        deps = repository.states.link(change).deps
        named: set[int] = set()
        for dep, reason in (*self._lines(), *self._values()):
            if dep in deps:
                named.add(dep)
                yield dep, reason
        maker = repository.nodes.origin(self._node)[1]
        if maker in deps and maker not in named:
            named.add(maker)
            yield maker, Reason(self._path, MADE)
        deed = self._deed()
        for dep in deed.needs if deed else ():
            if dep not in named:
                yield dep, Reason(self._path, LEANS)

    def _deed(self) -> Deed | None:
        edit = self._repository.nodes.edit(self._node, self._change)
        if edit is None or edit.text is None:
            return None
        return self._repository.nodes.graph(self._node).deeds[self._change]

    def _values(self) -> Iterator[tuple[int, Reason]]:
        for write in self._repository.nodes.registers(self._node).writes:
            if write.change == self._change:
                what = f"writes anew its {REGISTERS[write.register]}"
                for replaced in write.replaces:
                    yield replaced, Reason(self._path, what)

    def _lines(self) -> Iterator[tuple[int, Reason]]:
        deed = self._deed()
        for what, span in _named(deed) if deed else ():
            dep = span.start >> SHIFT
            if dep == self._change:
                continue
            first = self._repository.nodes.text(self._node, (Span(span.start, 1),))
            text = first.removesuffix(b"\n")
            line = self._line(span.start)
            yield dep, Reason(self._path, what, line, span.size, text)

    def _line(self, line: int) -> int | None:
        """Return the number of a line before the change, or None where it was deleted."""
        if self._places is None:
            states = self._repository.states
            before = states.members(states.link(self._change).context)
            spans = flat(self._repository.nodes.reading(self._node, before))
            self._places, total = [], 1
            for span in spans:
                self._places.append((span, total))
                total += span.size
        for span, number in self._places:
            if span.start <= line < span.start + span.size:
                return number + line - span.start
        return None


def _named(deed: Deed) -> Iterator[tuple[str, Span]]:
    """Yield the lines that a deed names and depends on, and for what."""
    for deletion in deed.deletions:
        yield from _told("deletes", deletion.spans)
    for _, _, left, right in deed.blocks:
        if right != EDGE and right & 3 == OUT:
            continue
        if left != EDGE:
            yield "adds lines after", Span(left >> 2, 1)
        if right != EDGE:
            yield "adds lines before", Span(right >> 2, 1)
    yield from _told("restores", (cancel.span for cancel in deed.cancels))
    for a, b, _ in deed.orders:
        yield from _told("orders", (Span(a, 1), Span(b, 1)))


def _told(what: str, spans: Iterable[Span]) -> Iterator[tuple[str, Span]]:
    for span in spans:
        yield what, span
