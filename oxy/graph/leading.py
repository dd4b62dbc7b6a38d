"""Which of many runs come before some others, found together (spec: graph, G30). Pure."""

from collections.abc import Collection, Sequence

from oxy.graph.net import Net


def leading(net: Net, befores: Sequence[int], afters: Sequence[int]) -> set[int]:
    """Return those of some runs that come before one of others, as `Net.leads_any` tells.

    Cost: the runs placed between, once for all of them; on a cycle, the closure.
    """
    if net.has_cycle:
        return {run for run in befores if net.leads_any([run], afters)}
    if not afters:
        return set()
    places, after_node = net.places(), net.after_node
    goals = {2 * run for run in afters}
    last = max(places[run] for run in afters)
    stack = [2 * run for run in befores if places[run] < last]
    seen = set(stack)
    sources: dict[int, list[int]] = {}
    while stack:
        node = stack.pop()
        for after in after_node(node):
            if after in goals or after & 1 or places[after >> 1] < last:
                sources.setdefault(after, []).append(node)
                if after not in seen and after not in goals:
                    seen.add(after)
                    stack.append(after)
    found = _reaching(goals, sources)
    return {run for run in befores if 2 * run in found}


def _reaching(goals: Collection[int], sources: dict[int, list[int]]) -> set[int]:
    """Return the nodes from which goals are reached, given where nodes are reached from."""
    found: set[int] = set()
    stack = list(goals)
    while stack:
        for source in sources.get(stack.pop(), ()):
            if source not in found:
                found.add(source)
                stack.append(source)
    return found
