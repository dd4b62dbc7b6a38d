"""One unit of change to a repository: changes recorded, names moved (spec: S24, S25, ST13).

Everything in it becomes visible together. The operation-log record is appended last, so that
after a crash either the names have moved or nothing that can be seen has happened.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.errors import RequestError
from oxy.model.change import Change
from oxy.model.digest import ChangeId
from oxy.repo.directories import Moving, Ways, moved_ever
from oxy.repo.indexing import Indexer
from oxy.repo.operations import (
    Move,
    Operation,
    encode_operation,
    index_operation,
    operation_id,
)
from oxy.repo.recording import (
    NOTHING,
    PLAIN,
    Composed,
    Creation,
    Intent,
    Layout,
    NodeDraft,
    compose,
)
from oxy.repo.refs import Ref, Refs, Target, stored
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.store.protocol import CHANGE, OPERATION, Durability, Transaction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oxy.repo.registers import Registers


class Stamp(NamedTuple):
    """When an operation happens (microseconds, UTC offset in minutes), who does it, and how."""

    microseconds: int
    offset: int
    user: bytes
    command: bytes
    undoes: int | None = None


class Recording(NamedTuple):
    """A change as it was stored."""

    change: Change
    number: int
    nodes: tuple[int, ...]


class Writing:
    """What is written in one transaction."""

    __slots__ = ("_ever", "_indexer", "_moves", "_refs", "repository", "transaction")

    def __init__(self, repository: Repository, transaction: Transaction) -> None:
        self.repository = repository
        self.transaction = transaction
        self._indexer = Indexer(transaction, repository.states)
        self._refs = Refs(transaction, repository.workspace)
        self._moves: dict[Ref, Move] = {}
        self._ever: Mapping[bytes, Registers] | None = None
        """The writes of directories that were ever moved, if they were looked for."""

    def next_change(self) -> int:
        """Return the number that the next change will have."""
        return self.transaction.count(CHANGE) + 1

    def ends_as(self, stamp: Stamp) -> tuple[int, int]:
        """Return the number and the time of the operation that this will append."""
        return self.transaction.count(OPERATION) + 1, stamp.microseconds

    def record(
        self,
        intent: Intent,
        context: Name,
        drafts: Sequence[NodeDraft],
        number: int,
        moves: tuple[Moving, ...] = (),
        creation: Creation = NOTHING,
    ) -> Recording:
        """Store the change that does what drafts say.

        Args:
            intent: who, when, why.
            context: the state that is recorded on.
            drafts: what happens to each node; deeds use `number` for the change itself.
            number: what `next_change` said.
            moves: the directories that are moved, one after the other.
            creation: more nodes that are created, ahead of those among the drafts.

        Raises:
            ShapeError: the change breaks a rule of the model.
            TooLargeError: a part of it is over its limit.
            TwiceError: the same change is stored already.
        """
        layout = self._layout(context, number, moves)
        work, ids_of = self.transaction, self.ids_of
        composed = compose(work, ids_of, intent, context, drafts, number, layout, creation)
        return self._stored(composed, number)

    def _layout(self, context: Name, number: int, moves: tuple[Moving, ...]) -> Layout:
        known = self._ever
        if known is None:
            known = self._ever = moved_ever(self.transaction)
        if not known and not moves:
            return PLAIN
        if moves:
            self._ever = None
        repository = self.repository
        state = repository.states.members(context)
        ways = Ways(known, state, repository.nodes.rank).moved(moves, number)
        return Layout(ways.at, moves)

    def ids_of(self, changes: Sequence[int]) -> list[ChangeId]:
        """Return the ids of changes by number."""
        return self._indexer.ids_of(changes)

    def store(self, composed: Composed, number: int) -> Recording:
        """Store a change that is made already.

        Args:
            composed: the change; what it names of itself has `number` for a number.
            number: what `next_change` said.

        Raises:
            TwiceError: the same change is stored already.
        """
        self._ever = None
        return self._stored(composed, number)

    def _stored(self, composed: Composed, number: int) -> Recording:
        change, payload, sizes = composed
        given = self.transaction.append(CHANGE, change.id, payload)
        if given != number:
            nodes = unpack_numbers(self.transaction.row(CHANGED, key(given)) or b"")
            raise TwiceError(Recording(change, given, nodes))
        nodes = self._indexer.index(change, number, payload, sizes)
        self.repository.nodes.note(number, nodes)
        self.repository.nodes.unload(self._indexer.rebound())
        return Recording(change, number, nodes)

    def move(self, ref: Ref, after: Target | None) -> None:
        """Make a name hold something else, or nothing, when the transaction commits."""
        known = self._moves.get(ref)
        before = known.before if known else self._refs.get(ref)
        self._moves[ref] = Move(ref, before, after)

    def finish(self, stamp: Stamp) -> int | None:
        """Append the record of what moved; return its number, or None where nothing did."""
        workspace = self.repository.workspace
        moves = tuple(
            move._replace(ref=stored(ref, workspace))
            for ref, move in sorted(self._moves.items())
            if move.before != move.after
        )
        if not moves:
            return None
        operation = Operation(*stamp, moves)
        payload = encode_operation(self.transaction, operation)
        number = self.transaction.append(OPERATION, operation_id(payload), payload)
        index_operation(self.transaction, operation)
        return number


class TwiceError(RequestError):
    """A change was recorded that is stored already: same author, moment, message and deeds.

    `recording` is the change as it was stored.
    """

    def __init__(self, recording: Recording) -> None:
        super().__init__(f"change {recording.change.id.hex()} is recorded already")
        self.recording = recording


@contextmanager
def writing(
    repository: Repository, stamp: Stamp, durability: Durability | None = None
) -> Iterator[Writing]:
    """Write to a repository; what was written becomes visible at the end of the `with` block.

    An exception in the block leaves the repository as it was.

    Raises:
        StoreLockedError: another process is writing and did not end in time.
    """
    try:
        with repository.store.transaction(durability) as transaction:
            work = Writing(repository, transaction)
            yield work
            work.finish(stamp)
    except BaseException:
        repository.forget()
        raise
