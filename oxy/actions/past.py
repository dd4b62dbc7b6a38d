"""What a blame looks past (spec: graph, G60 to G62)."""

from oxy.typed import NamedTuple


class Past(NamedTuple):
    """What is looked past: whole changes, by number, and what differs in whitespace alone."""

    changes: frozenset[int] = frozenset()
    whitespace: bool = False
