"""What names held, as far as it was brought out of a damaged repository (spec: store, ST38)."""

from collections.abc import Iterator
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.errors import CorruptionError
from oxy.repo.check.reading import payloads
from oxy.repo.closed import name_of
from oxy.repo.operations import OperationError, Spelled, inward, outward, said
from oxy.repo.refs import (
    ADDRESS,
    BOOKMARK,
    HERE,
    KEPT,
    REMOTE,
    SHELF,
    TAG,
    Ref,
    Target,
)
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE, OPERATION

KINDS: Final = (BOOKMARK, TAG, REMOTE, SHELF, ADDRESS, KEPT)
"""The kinds of names that are brought; what working copies are of is not."""

SALVAGED: Final = b"salvaged"
"""The bookmark that holds what is whole and no name reaches any more."""


class Held(NamedTuple):
    """What a name held last, what of it is whole, and whether that is all of it."""

    last: Spelled
    whole: Target | None
    is_all: bool


class Names:
    """What names held, told by operations from the oldest to the newest.

    Args:
        target: the repository that all that is whole has been brought to.
    """

    __slots__ = ("_current", "_held", "_target")

    def __init__(self, target: Repository) -> None:
        self._target = target
        self._held: dict[Ref, Held] = {}
        self._current: bytes | None = None

    def learn(self, source: Repository) -> Iterator[str]:
        """Learn from the operations of a repository; yield what is wrong with them."""
        for _, payload in payloads(source.store, OPERATION):
            try:
                if isinstance(payload, CorruptionError):
                    raise payload
                moves = said(payload)
            except CorruptionError as error:
                yield f"an operation is lost: {error}"
                continue
            for ref, after in moves:
                self._note(ref, after)

    def learn_index(self, index: Repository) -> None:
        """Learn what an index says that names hold now; it may be damaged too."""
        for kind in (*KINDS, HERE.kind):
            try:
                for name, target in index.refs.all(kind):
                    self._note(Ref(kind, name), outward(index.store, target))
            except CorruptionError:
                continue

    @property
    def current(self) -> bytes | None:
        """The bookmark that the working copy was on."""
        return self._current

    def broken(self) -> dict[Ref, Spelled]:
        """Return what names held that did not come as they were."""
        return {ref: held.last for ref, held in self._held.items() if not held.is_all}

    def give(self, stamp: Stamp, *, with_rest: bool) -> int:
        """Let names of the new repository hold what is whole; return how many do.

        Args:
            stamp: when and how.
            with_rest: whether a bookmark is made of what no name reaches.
        """
        given = {ref: held.whole for ref, held in self._held.items() if held.whole}
        rest = self._rest(given) if with_rest else None
        if rest is not None:
            given[Ref(BOOKMARK, _free(SALVAGED, given))] = Target(rest)
        with writing(self._target, stamp) as work:
            for name in self._target.refs.names(BOOKMARK):
                work.move(Ref(BOOKMARK, name), None)
            for ref, target in given.items():
                work.move(ref, target)
            work.move(HERE, Target(Name()))
        return len(given)

    def _note(self, ref: Ref, after: Spelled | None) -> None:
        if ref.kind == HERE.kind and not ref.name and after is not None:
            self._current = after[3]
        if ref.kind not in KINDS:
            return
        if after is None:
            self._held.pop(ref, None)
            return
        before = self._held.get(ref)
        try:
            whole = inward(self._target.store, after)
        except OperationError:
            earlier = before.whole if before else None
            if earlier is None and ref.kind == BOOKMARK:
                earlier = Target(Name())
            self._held[ref] = Held(after, earlier, is_all=False)
        else:
            self._held[ref] = Held(after, whole, is_all=True)

    def _rest(self, given: dict[Ref, Target]) -> Name | None:
        """Return what is whole and no name reaches, with what it needs."""
        states = self._target.states
        reached = BitMap()
        for target in given.values():
            reached |= states.members(target.state)
        unreached = BitMap(range(1, self._target.store.count(CHANGE) + 1)) - reached
        if not unreached:
            return None
        closed = BitMap()
        for change in unreached:
            closed |= states.of_change(change)
        return name_of(states, closed)


def _free(name: bytes, given: dict[Ref, Target]) -> bytes:
    while Ref(BOOKMARK, name) in given:
        name += b"-"
    return name
