"""Record changes in place of others, with all that know these (spec: states, S12, S13)."""

from collections.abc import Iterable, Mapping, Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.model.change import Header
from oxy.model.digest import ChangeId, node_id
from oxy.progress import Progress
from oxy.repo.origin import COMMIT, MESSAGE
from oxy.repo.recording import Intent
from oxy.repo.replaced import field
from oxy.repo.rewriting.assembling import Assembly, assemble
from oxy.repo.rewriting.following import follow
from oxy.repo.rewriting.images import Images
from oxy.repo.rewriting.parts import Key, Part, Taken, own, take_apart
from oxy.repo.rewriting.refusal import LostPlaceError, NeededError, UnsayableError
from oxy.repo.rewriting.saying import Ground, Saying, by_place
from oxy.repo.rewriting.steps import Plan, Schedule, Step
from oxy.repo.rewriting.texts import Texts
from oxy.repo.standing import standing
from oxy.repo.states import Name
from oxy.repo.tables import NODE_ID, number
from oxy.repo.writing import Recording, TwiceError, Writing
from oxy.store.protocol import CHANGE


class Rewritten(NamedTuple):
    """What came of a rewrite: the new state, and by each old change what stands in its place.

    `texts` are the numbers of the texts, before and now, that were said anew.
    """

    state: Name
    images: Mapping[int, tuple[int, ...]]
    texts: tuple[tuple[int, int], ...]


def rewrite(work: Writing, plan: Plan, progress: Progress | None = None) -> Rewritten:
    """Record the steps of a plan, and what follows from them.

    Cost: reading and writing each change that is rewritten; of texts that are not merely
    renamed also their runs, and their lines where they are said anew.

    Raises:
        NeededError: a change would stand before what it depends on.
        LostPlaceError: what a change did to a file cannot be said there.
        ShapeError, TooLargeError: see `Writing.record`.
    """
    return _Engine(work, plan).run(progress)


class _Engine:
    __slots__ = (
        "_images",
        "_looked_at",
        "_members",
        "_numbers",
        "_repository",
        "_saying",
        "_schedule",
        "_taken",
        "_texts",
        "_work",
    )

    def __init__(self, work: Writing, plan: Plan) -> None:
        self._work = work
        self._repository = work.repository
        self._schedule = Schedule(work.repository.states, plan)
        self._images = Images({*self._schedule.homes, *plan.follows})
        is_elsewhere = bool(plan.follows)
        self._texts = Texts(work.repository.nodes, self._images, is_elsewhere=is_elsewhere)
        self._saying = Saying(work.repository.nodes, self._images, self._texts)
        self._numbers: dict[int, int] = {}
        self._looked_at: set[int] = set()
        self._taken: dict[int, Taken] = {}

    def run(self, progress: Progress | None) -> Rewritten:
        schedule = self._schedule
        order = schedule.order()
        if schedule.plan.follows:
            follow(self._repository, self._images, schedule.plan.follows)
        for done, index in enumerate(order):
            if progress is not None:
                progress.update(done, len(order), "changes")
            self._numbers[index] = self._record(index)
        state = schedule.result(self._numbers)
        if not schedule.plan.follows:
            self._check(state)
        images = {
            old: tuple(sorted(self._numbers[index] for index in homes))
            for old, homes in schedule.homes.items()
        }
        return Rewritten(state, images, tuple(self._said_anew()))

    def _said_anew(self) -> Iterable[tuple[int, int]]:
        """Yield (node before, node now) of texts that were said anew and are there still."""
        for node in sorted(self._texts.bent):
            new = self._images.node(node, self._repository.nodes.origin(node)[1])
            if new is not None:
                yield node, new

    def _check(self, state: Name) -> None:
        """Prove that nodes are in the end what they are meant to be.

        Those are looked at whose texts were said anew, and those of changes that do not know
        what they knew, or know more: what of a conflict shows depends on that.
        """
        states, schedule = self._repository.states, self._schedule
        before, after = BitMap(), states.members(state)
        for index in range(len(schedule.steps)):
            before |= schedule.after(index)
        onto = schedule.plan.onto
        before |= states.members(schedule.plan.state if onto is None else onto)
        for node in sorted(self._texts.bent | self._looked_at):
            new = self._images.node(node, self._repository.nodes.origin(node)[1])
            try:
                self._saying.check(node, new, before, after)
            except UnsayableError as error:
                step = schedule.steps[0]
                raise self._lost(step.at, node, before, error.why) from error

    def _record(self, index: int) -> int:
        """Record one step; return the number of the change."""
        step, work = self._schedule.steps[index], self._work
        self._require_deps(index, step)
        at = work.next_change()
        base = self._schedule.base(index, self._numbers)
        ground = Ground(
            at,
            self._schedule.before[index],
            self._schedule.after(index),
            work.repository.states.members(base),
        )
        parts = self._said(index, ground)
        leans = frozenset(
            new
            for source in step.sources
            for dep in self._take(source).deps
            for new in self._stands(dep)
        )
        assembly = Assembly(self._intent(step), base, parts, leans, at)
        try:
            recording = work.store(assemble(work, assembly), at)
        except TwiceError as twice:
            recording = twice.recording
        self._note(parts, recording, at)
        return recording.number

    def _stands(self, old: int) -> Iterable[int]:
        homes = self._schedule.homes.get(old)
        if homes is None:
            return self._schedule.plan.follows.get(old, (old,))
        return [self._numbers[index] for index in homes if index in self._numbers]

    def _require_deps(self, index: int, step: Step) -> None:
        there = self._schedule.after(index) | BitMap(self._schedule.plan.follows)
        for source in step.sources:
            lost = [dep for dep in self._take(source).deps if dep not in there]
            if lost:
                ids_of = self._repository.store.ids_of
                raise NeededError(next(ids_of(CHANGE, [source])), tuple(ids_of(CHANGE, lost)))

    def _take(self, change: int) -> Taken:
        taken = self._taken.get(change)
        if taken is None:
            self._taken.clear()
            taken = self._taken[change] = take_apart(self._repository, change)
        return taken

    def _intent(self, step: Step) -> Intent:
        header = self._take(step.at).header
        old = [(self._id(s), self._header(s)) for s in step.sources if s not in step.silent]
        extra = dict(header.extra)
        # What a Git commit said of a change is not true of another.
        for key in (COMMIT, MESSAGE):
            extra.pop(key, None)
        extra |= dict([field(old)])
        return Intent(
            header.author if step.author is None else step.author,
            header.time,
            header.message if step.message is None else step.message,
            tuple(sorted(extra.items())),
        )

    def _header(self, change: int) -> Header:
        return self._repository.header(change)

    def _id(self, change: int) -> ChangeId:
        return ChangeId(self._repository.store.id_of(CHANGE, change))

    def _said(self, index: int, ground: Ground) -> list[Part]:
        """Return what a step does, said of what is there now."""
        step = self._schedule.steps[index]
        told: dict[Key, list[tuple[int, Part]]] = {}
        for source in step.sources:
            for key, part in self._take(source).parts.items():
                share = step.shares.get(key)
                taken = part if share is None else share.of(part)
                if taken is not None and (step.keys is None or key in step.keys):
                    told.setdefault(key, []).append((source, taken))
        if step.sheds or self._schedule.knows_others(index):
            self._looked_at.update(key for key in told if isinstance(key, int))
        return self._parts(step, ground, told)

    def _parts(
        self, step: Step, ground: Ground, told: Mapping[Key, Sequence[tuple[int, Part]]]
    ) -> list[Part]:
        parts: list[Part] = []
        for key, said in told.items():
            try:
                found = self._saying.part(ground, key, said, step.shares.get(key))
            except UnsayableError as error:
                raise self._lost(said[-1][0], key, ground.after, error.why) from error
            if found is not None:
                parts.append(found)
        if len(step.sources) > 1:
            parts.sort(key=by_place)
        return parts

    def _note(self, parts: Sequence[Part], recording: Recording, given: int) -> None:
        """Note what a recorded change is the image of."""
        if recording.number != given:
            self._images.renumber(given, recording.number)
        created = [part.key for part in parts if own(part)]
        for position, key in enumerate(created):
            row = self._repository.store.row(NODE_ID, node_id(recording.change.id, position))
            if isinstance(key, int):
                self._images.make(key, number(row or b""))

    def _lost(self, change: int, key: Key, state: BitMap, why: str) -> LostPlaceError:
        if isinstance(key, int):
            path = standing(self._repository.nodes, key, state).seen.path or b"a file"
        else:
            path = b"/".join(name for name, _ in key)
        return LostPlaceError(self._id(change), path, why)
