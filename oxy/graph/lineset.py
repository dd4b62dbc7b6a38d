"""A set of lines as spans (spec: conflicts). Pure."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator

from oxy.graph.deed import Span
from oxy.graph.weave import SHIFT


class LineSet:
    """Lines, for keeping of other spans what lies among them.

    Spans that overlap are counted as they come, so callers give each line once.
    """

    __slots__ = ("members",)

    def __init__(self, spans: Iterable[Span]) -> None:
        self.members: dict[int, list[Span]] = {}
        for span in spans:
            self.members.setdefault(span.start >> SHIFT, []).append(span)
        for members in self.members.values():
            members.sort()

    def update(self, spans: Iterable[Span]) -> None:
        """Add the lines of spans, none of which is in the set."""
        for span in spans:
            insort(self.members.setdefault(span.start >> SHIFT, []), span)

    def clip(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the parts of spans that lie in the set, in order."""
        return tuple(part for span in spans for part, _ in self.parts(span))

    def without(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Return the parts of spans that lie outside the set, in order."""
        return tuple(part for span in spans for part in self._gaps(span))

    def parts(self, span: Span) -> Iterator[tuple[Span, Span]]:
        """Yield the parts of a span that lie in the set, each with the member that holds it."""
        members = self.members.get(span.start >> SHIFT)
        if members is None:
            return
        end = span.start + span.size
        place = max(bisect_left(members, (span.start,)) - 1, 0)
        while place < len(members) and members[place].start < end:
            member = members[place]
            first, last = max(member.start, span.start), min(member.start + member.size, end)
            if first < last:
                yield Span(first, last - first), member
            place += 1

    def _gaps(self, span: Span) -> Iterator[Span]:
        done = span.start
        for (start, size), _ in self.parts(span):
            if done < start:
                yield Span(done, start - done)
            done = start + size
        if done < span.start + span.size:
            yield Span(done, span.start + span.size - done)
