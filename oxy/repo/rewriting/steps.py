"""Which changes a rewrite records, on what, and in which order (spec: states, S12)."""

from collections.abc import Iterable, Mapping, Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.repo.rewriting.parts import Key, Share
from oxy.repo.states import Link, Name, States


class Step(NamedTuple):
    """One new change, and the old ones that it is made of.

    It takes header and context of the source `at`; `context` is another old change whose
    context it takes instead. `without` are old changes that it is not to know, `knows` those
    that it is to know besides, `after` the positions of steps that it comes after. `keys` are
    the nodes of its source that it takes, if not all, and `shares` what it takes of those of
    which it does not take everything; `silent` are sources that it does not say it replaces.
    """

    sources: tuple[int, ...]
    at: int
    context: int | None = None
    without: frozenset[int] = frozenset()
    knows: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    keys: frozenset[Key] | None = None
    shares: Mapping[Key, Share] = {}
    message: bytes | None = None
    author: bytes | None = None
    silent: frozenset[int] = frozenset()

    @property
    def sheds(self) -> bool:
        """Whether it may not know all that its sources knew."""
        return bool(self.without) or len(self.sources) > 1 or self.context is not None


class Plan(NamedTuple):
    """What is to be rewritten in a state.

    `without` and `knows` say of changes that only follow what a step says of its own; `onto`
    is a state that takes the place of all that is not rewritten in contexts and in the result.
    `follows` are changes that others of that state stand in for: what depends on them comes to
    depend on these.
    """

    state: Name
    steps: tuple[Step, ...]
    without: Mapping[int, frozenset[int]] = {}
    knows: Mapping[int, tuple[int, ...]] = {}
    onto: Name | None = None
    follows: Mapping[int, tuple[int, ...]] = {}


def holding(states: States, state: BitMap, changes: Iterable[int]) -> BitMap:
    """Return the members of a state that know some of its changes, these left out.

    Cost: a row for each member that arrived after the first of them.
    """
    known = BitMap(changes)
    found = BitMap()
    if not known:
        return found
    for change in state[state.rank(known.min()) :]:
        if change not in known and any(
            named in known or named in found for named in states.link(change).named
        ):
            found.add(change)
    return found


class Ground(NamedTuple):
    """What a step is recorded on: steps, old changes, and members that are not in it."""

    steps: frozenset[int]
    others: frozenset[int]
    lacking: BitMap


class Schedule:
    """The steps of a rewrite, those that only follow among them."""

    __slots__ = (
        "_grounds",
        "_named",
        "_rewritten",
        "_states",
        "before",
        "homes",
        "plan",
        "steps",
    )

    def __init__(self, states: States, plan: Plan) -> None:
        """Find what follows. Cost: a row for each later member of the state."""
        self._states = states
        self.plan = plan
        named = {source for step in plan.steps for source in step.sources}
        self._named = BitMap(named)
        state = states.members(plan.state)
        self.steps = list(plan.steps)
        changed = BitMap(named | plan.knows.keys()) & state
        for change in (holding(states, state, changed) | changed) - self._named:
            self.steps.append(
                Step(
                    (change,),
                    change,
                    without=plan.without.get(change, frozenset()),
                    knows=plan.knows.get(change, ()),
                )
            )
        self.homes: dict[int, list[int]] = {}
        """By an old change: the steps that take it, or parts of it."""
        for index, step in enumerate(self.steps):
            for source in step.sources:
                self.homes.setdefault(source, []).append(index)
        self._rewritten = BitMap(self.homes)
        self._grounds = [self._ground(step) for step in self.steps]
        self.before: dict[int, BitMap] = {}
        """By a step: the old changes that it is recorded on, in the terms of before."""

    def ground(self, index: int) -> Ground:
        """Return what a step is recorded on."""
        return self._grounds[index]

    def order(self) -> list[int]:
        """Return the steps, each after those that it is recorded on.

        Cost: one step each; the states of before, in `before`.
        """
        done: list[int] = []
        state: dict[int, bool] = {}
        first = sorted(range(len(self.steps)), key=lambda index: min(self.steps[index].sources))
        for root in first:
            work = [root]
            while work:
                index = work[-1]
                if index not in state:
                    state[index] = False
                    work += sorted(
                        s for s in self._grounds[index].steps if s not in state and s != index
                    )
                    continue
                work.pop()
                if not state[index]:
                    state[index] = True
                    done.append(index)
                    self.before[index] = self._before(index)
        return done

    def after(self, index: int) -> BitMap:
        """Return the old changes that a step's state has, in the terms of before."""
        return self.before[index] | BitMap(self.steps[index].sources)

    def knows_others(self, index: int) -> bool:
        """Tell whether a step knows other changes than its source did, the plan's aside."""
        context = self._states.link(self.steps[index].at).context
        other = self.before[index] ^ self._states.members(context)
        return bool(other - self._named)

    def _before(self, index: int) -> BitMap:
        ground = self._grounds[index]
        found = BitMap()
        if self.plan.onto is not None:
            found |= self._states.members(self.plan.onto)
        for change in ground.others:
            found |= self._states.of_change(change)
        for step in ground.steps:
            found |= self.after(step)
        return found - ground.lacking

    def _ground(self, step: Step) -> Ground:
        link = self._states.link(step.at if step.context is None else step.context)
        steps, others = self._reached(link.context.heads, {*step.sources} | step.without)
        for change in step.knows:
            steps.update(self.homes.get(change, ()))
            if change not in self.homes:
                others.add(change)
        steps.update(step.after)
        if self.plan.onto is not None:
            others.clear()
        return Ground(frozenset(steps), frozenset(others), self._lacking(link))

    def _reached(
        self, heads: Sequence[int], passed: set[int] | frozenset[int]
    ) -> tuple[set[int], set[int]]:
        """Return the steps and other changes that heads come to, some being passed over."""
        steps: set[int] = set()
        others: set[int] = set()
        seen: set[int] = set()
        work = [*heads]
        while work:
            head = work.pop()
            if head in seen:
                continue
            seen.add(head)
            if head in self.homes and head not in passed:
                steps.update(self.homes[head])
                if any(self.steps[index].sheds for index in self.homes[head]):
                    # Who knows the old one knows also what the new one does not any more.
                    work += self._states.link(head).named
            elif head in passed or not self._rewritten.isdisjoint(self._states.of_change(head)):
                # What is in no state any more knows changes that are rewritten.
                work += self._states.link(head).named
            else:
                others.add(head)
        return steps, others

    def _lacking(self, link: Link) -> BitMap:
        """Return what the heads of a context have and it has not."""
        states, name = self._states, link.context
        if not name.absent or _is_plain(states, name):
            return BitMap()
        found = BitMap()
        for head in name.heads:
            found |= states.of_change(head)
        return found - states.members(name)

    def base(self, index: int, numbers: Mapping[int, int]) -> Name:
        """Return the name of the state that a step is recorded on.

        Args:
            index: the step.
            numbers: by a step, the number of what it recorded.

        Cost: its heads; a row a member where one of its changes is taken out of a state.
        """
        ground = self._grounds[index]
        if ground.lacking:
            return self._states.name_of(self._members(self.before[index], numbers))
        parts = [self._states.name_of_change(change) for change in sorted(ground.others)]
        if self.plan.onto is not None:
            parts.append(self.plan.onto)
        parts += [self._states.name_of_change(numbers[step]) for step in sorted(ground.steps)]
        return self._states.join(tuple(parts))

    def result(self, numbers: Mapping[int, int]) -> Name:
        """Return the name of the state with the new changes in place of the old."""
        states, plan = self._states, self.plan
        if plan.onto is not None:
            old, base = BitMap(), states.members(plan.onto)
        else:
            old, base = states.members(plan.state), BitMap()
        wanted = base | self._members(old, numbers) | BitMap(numbers.values())
        steps, others = self._reached(plan.state.heads if plan.onto is None else (), set())
        parts = [states.name_of_change(change) for change in sorted(others)]
        parts += [states.name_of_change(numbers[step]) for step in sorted(steps)]
        parts += [plan.onto] if plan.onto is not None else []
        loose = wanted - states.members(states.join(tuple(parts)))
        while loose:
            # The youngest of what no part has knows most of the others.
            parts.append(states.name_of_change(loose.max()))
            loose -= states.of_change(loose.max())
        name = states.join(tuple(parts))
        return name if states.members(name) == wanted else states.name_of(wanted)

    def _members(self, old: BitMap, numbers: Mapping[int, int]) -> BitMap:
        """Return the new members of a state of before."""
        found = BitMap(change for change in old if change not in self.homes)
        for index, number in numbers.items():
            if any(source in old for source in self.steps[index].sources):
                found.add(number)
        return found


def _is_plain(states: States, name: Name) -> bool:
    """Tell whether a state is that of its only head."""
    return len(name.heads) == 1 and name.absent == states.link(name.heads[0]).context.absent
