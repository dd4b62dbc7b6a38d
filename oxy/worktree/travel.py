"""Where local edits go when the working copy goes to another state (spec: working-copy, W24).

An edit follows its node to the path that the other state has it at; a local rename and a local
deletion follow too. What cannot go along is named, and then nothing is written at all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from oxy.typed import Final, NamedTuple

from oxy.model.operation import KIND_SYMLINK
from oxy.worktree.carrying import Carried, Carrier
from oxy.worktree.item import Item, executable, is_symlink
from oxy.worktree.loading import Loaded, load
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import Changed, digest_of
from oxy.worktree.switching import Journey, Spot

READY: Final = 0
"""The path holds already what it is to hold, or an edit of it that may stay."""
FREE: Final = 1
"""It holds what may be replaced."""
EDITED: Final = 2
"""It holds, or lacks, an edit of what the base state has there."""
BLOCKED: Final = 3
"""It holds what may be neither replaced nor carried."""

Renames = Callable[[], Mapping[bytes, Changed]]
"""Finds the files that the user renamed, by their old paths. Cost: a walk of everything."""


class Stand(NamedTuple):
    """A path at which states may differ: what they hold, what is on disk, what may be done."""

    path: bytes
    base: Item | None
    goal: Item | None
    over: bytes | None
    verdict: int


class Placed(NamedTuple):
    """The journey of an interrupted switch, and where its file lies now: spot and record."""

    journey: Journey
    spot: Spot | None
    record: bytes | None


class Step(NamedTuple):
    """A file to be written or removed, over what is there now.

    With an edit the file is what that says, and `item` what is tracked there, if anything.
    """

    path: bytes
    item: Item | None
    over: bytes | None
    edit: Carried | None = None


class Outcome(NamedTuple):
    """What becomes of edits: steps, files that stay as they are, and what is in the way.

    `settled` are the paths about which nothing else is to be done.
    """

    steps: list[Step]
    ready: list[tuple[bytes, Item | None]]
    blocked: set[bytes]
    settled: set[bytes]
    journeys: list[Journey]


class Local(NamedTuple):
    """What is known of local edits beforehand, and how they are carried.

    `is_unfinished` tells that a switch was interrupted: a file may be half-written.
    """

    carrier: Carrier
    journeys: Sequence[Journey] = ()
    renames: Renames = dict
    is_unfinished: bool = False


class _Edit(NamedTuple):
    """An edit of the file that the base state has at a path; `local` is None if it is deleted.

    `spots` are as in a journey; the last one is where it lies now, if it does, under `record`.
    """

    path: bytes
    local: Loaded | None
    spots: tuple[Spot, ...]
    lies: Spot | None
    record: bytes | None


def placed(
    reader: TreeReader, journey: Journey, look: Callable[[bytes], bytes | None]
) -> Placed:
    """Return where the file of a journey lies.

    Args:
        reader: reads the working copy.
        journey: of a switch that was interrupted.
        look: returns the record of what is at a path.

    Cost: a read of each file that may be it.
    """
    for spot in reversed(journey.spots):
        record = look(spot.path)
        if record is not None and _is_at(reader, spot, record):
            return Placed(journey, spot, record)
    return Placed(journey, None, None)


def _is_at(reader: TreeReader, spot: Spot, record: bytes) -> bool:
    if is_symlink(record) != (spot.kind == KIND_SYMLINK) or executable(record) != spot.mode:
        return False
    return digest_of(reader, spot.path, record) == spot.digest


class Traveller:
    """Takes the edits of a working copy along."""

    __slots__ = ("_journeys", "_local", "_outcome", "_places", "_reader", "_renamed", "_stands")

    def __init__(
        self,
        reader: TreeReader,
        stands: Mapping[bytes, Stand],
        local: Local,
        journeys: Sequence[Placed],
    ) -> None:
        """Take the files, the paths in question, and what is known of edits beforehand."""
        self._reader = reader
        self._stands = stands
        self._local = local
        self._journeys = journeys
        self._outcome = Outcome([], [], set(), set(), [])
        self._renamed: Mapping[bytes, Changed] | None = None
        self._places = {
            stand.goal.node: path for path, stand in stands.items() if stand.goal is not None
        }

    def outcome(self) -> Outcome:
        """Return what becomes of every edit.

        Cost: the files that were edited; a walk of everything where one is missing.
        """
        for edit in self._edits():
            base = self._stands[edit.path].base
            at = None if base is None else self._places.get(base.node)
            if base is not None and at is not None:
                self._take(edit, base, at)
            elif edit.local is not None:
                # What the edit is of is gone there.
                self._outcome.blocked.add(edit.spots[0].path)
            elif self._stands[edit.path].verdict == EDITED:
                self._outcome.blocked.add(edit.path)
        return self._outcome

    def _edits(self) -> Iterator[_Edit]:
        for (path, data, spots), lies, record in self._journeys:
            local = None
            if spots:
                first = spots[0]
                size = len(data) if data else 0
                local = Loaded(first.kind, first.mode, data, size, first.digest)
            yield _Edit(path, local, spots, lies, record)
        known = {journey.path for journey, _, _ in self._journeys}
        for path, stand in self._stands.items():
            if stand.verdict == EDITED and path not in known:
                yield self._edit(path, stand.over)

    def _edit(self, path: bytes, record: bytes | None) -> _Edit:
        at = path
        if record is None:
            if self._renamed is None:
                self._renamed = self._local.renames()
            renamed = self._renamed.get(path)
            if renamed is None or renamed.record is None:
                return _Edit(path, None, (), None, None)
            at, record = renamed.path, renamed.record
        local = load(self._reader, at, record)
        spot = Spot(at, local.kind, local.mode, local.digest)
        return _Edit(path, local, (spot,), spot, record)

    def _take(self, edit: _Edit, base: Item, at: bytes) -> None:
        """Take an edit to where the other state has its node."""
        stand = self._stands[at]
        goal = stand.goal
        assert goal is not None  # noqa: S101 - it is where a node is
        if edit.local is None:
            if stand.over is None and self._local.carrier.has_same_content(base, goal):
                self._stay_away(edit, at, goal)
            else:
                self._outcome.blocked.add(edit.path)
            return
        where = self._where(edit, at)
        carried = None
        if where is not None and self._may_enter(edit, where):
            carried = self._local.carrier.carried(base, edit.local, goal)
        if where is None or carried is None or not self._put(edit, where, at, carried):
            self._outcome.blocked.add(edit.spots[0].path)

    def _where(self, edit: _Edit, at: bytes) -> bytes | None:
        """Return where an edited file is to be: at most one side may have moved it."""
        origin = edit.spots[0].path
        if origin == edit.path:
            return at
        stand = self._stands.get(origin)
        is_taken = stand is not None and stand.goal is not None
        return None if is_taken or at != edit.path else origin

    def _stay_away(self, edit: _Edit, at: bytes, goal: Item) -> None:
        self._outcome.ready.append((at, goal))
        self._outcome.settled.add(at)
        self._outcome.journeys.append(Journey(edit.path, None, ()))

    def _may_enter(self, edit: _Edit, path: bytes) -> bool:
        """Tell whether nothing stands at a path but what is to go."""
        if edit.lies is not None and edit.lies.path == path:
            return True
        stand = self._stands.get(path)
        if stand is None:
            return False
        # What is edited there goes somewhere else, or nothing is done at all.
        return stand.verdict in {FREE, EDITED} or (
            stand.verdict == READY and stand.over is None
        )

    def _put(self, edit: _Edit, where: bytes, at: bytes, carried: Carried) -> bool:
        """Note how the file gets there; return False if it cannot."""
        outcome, goal = self._outcome, self._stands[at].goal
        spot = Spot(where, carried.kind, carried.mode, carried.digest)
        item = goal if where == at else None
        if spot == edit.lies:
            if item is not None:
                outcome.ready.append((where, item))
        elif carried.item is None and carried.data is None:
            return False
        else:
            is_there = edit.lies is not None and edit.lies.path == where
            over = edit.record if is_there else self._stands[where].over
            outcome.steps.append(Step(where, item, over, carried))
        if where != at:
            outcome.ready.append((at, goal))
        outcome.settled.update((where, at))
        spots = dict.fromkeys((*edit.spots[:1], *filter(None, (edit.lies,)), spot))
        data = edit.local.data if edit.local is not None else None
        outcome.journeys.append(Journey(edit.path, data, tuple(spots)))
        return True
