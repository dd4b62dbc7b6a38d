"""A text of a repository beside the naive model: every change goes across."""

from oxy.graph.weave import SHIFT
from tests.builders.replica import Replica
from tests.graphs.bridge import Shown
from tests.graphs.translation import INDEX, change_of_deed, lines_in
from tests.naive.change import LineId, NaiveChange, State
from tests.naive.text import NaiveText


def model_of_text(replica: Replica, node: int) -> tuple[NaiveText, State]:
    """Return the naive model of a text with the changes of a replica's state, and that state.

    Changes that do not touch the text are in it, as others are known through them. But what
    depends on one only through them does not depend on it here.
    """
    repository, nodes = replica.repository, replica.repository.nodes
    graph, text = nodes.graph(node), NaiveText()
    for number in replica.bits(replica.state):
        link = repository.states.link(number)
        own, knows = nodes.rank(number), replica.ids(link.named)
        deed = graph.deeds.get(number)
        if deed is None:
            change = NaiveChange(own, context=knows)
        else:
            held = nodes.inserted(node, number).text.decode()
            change = change_of_deed(deed, nodes.rank, held.split("\n")[:-1], knows, own)
        text.add(change)
    return text, replica.state


def shown_by_repository(replica: Replica, node: int) -> Shown:
    """Return what a replica reads of a text, by the identities of its lines."""
    nodes = replica.repository.nodes
    reading = nodes.reading(node, replica.bits(replica.state))

    def identity(line: int) -> LineId:
        return LineId(nodes.rank(line >> SHIFT), line & INDEX)

    items: list[LineId | tuple[tuple[LineId, ...], ...]] = []
    for place in range(len(reading.starts) + 1):
        items += [
            tuple(tuple(map(identity, lines_in(side.spans))) for side in conflict.sides)
            for conflict in reading.conflicts
            if conflict.position == place
        ]
        items += map(identity, lines_in(list(reading.spans())[place : place + 1]))
    return tuple(items)
