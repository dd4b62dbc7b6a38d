"""Bring what a lazy repository lacks from where it came from (spec: sync, SY29, SY87).

Blobs come in batches, before what needs them is read. What came stays, also where the rest did
not; a command that cannot go on has done nothing by then, or its transaction is taken back.
"""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import TYPE_CHECKING, NamedTuple

from oxy.actions.reach import reached
from oxy.actions.remotes import Remote, addressed, forget_lender
from oxy.errors import OxyError, StateError
from oxy.model.operation import BlobRef
from oxy.progress import Progress
from oxy.repo.promised import Lacked, count, lacked, learn
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp
from oxy.store.protocol import BLOB, Transaction
from oxy.sync import limits
from oxy.sync.errors import LostError
from oxy.sync.lent import take_lent
from oxy.sync.measured import measured
from oxy.sync.part import Part
from oxy.sync.talk import Host

if TYPE_CHECKING:
    from oxy.repo.lacking import Lazy


class NotBroughtError(LostError):
    """Blobs that a command needs are not here, and their remote could not be asked."""

    def __init__(self, blobs: int, remote: bytes, why: str) -> None:
        StateError.__init__(
            self,
            f"{_called(blobs)} not in this lazy repository yet, and"
            f" '{os.fsdecode(remote)}' cannot be asked: {why}",
        )
        self.blobs = blobs
        self.remote = remote
        self.why = why


class NotThereError(StateError):
    """The remote that has promised blobs does not have them."""

    def __init__(self, blobs: int, remote: bytes) -> None:
        super().__init__(f"{_called(blobs)} not here, nor with '{os.fsdecode(remote)}'")
        self.blobs = blobs
        self.remote = remote


class Supplied(NamedTuple):
    """Which remote had promised what was lacked, and how much that was."""

    remote: bytes
    brought: Lacked


def supply(repository: "Lazy", refs: Sequence[BlobRef], progress: Progress) -> None:
    """Bring blobs that are lacked, in the transaction that is open or one of their own.

    Raises:
        NotBroughtError: the remote cannot be asked, or was lost on the way.
        NotThereError: it does not have them.
        RefusedObjectError: what came is not what the changes here say.
    """
    name = repository.refs.lender() or b""
    remote = next((each for each in addressed(repository.refs) if each.name == name), None)
    if remote is None:
        raise NotThereError(len(refs), name)
    with repository.store.joining() as transaction:
        lost = _asked(repository, remote, transaction, refs, progress)
        there = transaction.numbers_of(BLOB, [ref.id for ref in refs])
    missing = len(refs) - len(there)
    if lost is not None:
        raise NotBroughtError(missing, name, str(lost)) from lost
    if missing:
        raise NotThereError(missing, name)


def supply_all(repository: Repository, stamp: Stamp, progress: Progress) -> Supplied | None:
    """Bring all that is lacked, and be lazy no more; None where the repository is not lazy.

    Cost: reads every change, to leave nothing out.

    Raises: as `supply`.
    """
    name = repository.refs.lender()
    if name is None:
        return None
    with repository.store.transaction() as transaction:
        learn(transaction)
    wanted = list(lacked(repository.store))
    if wanted:
        supply(repository, wanted, progress)
    if count(repository.store).blobs == 0:
        forget_lender(repository, stamp, name)
    return Supplied(name, Lacked(len(wanted), sum(ref.length for ref in wanted)))


def _asked(
    repository: "Lazy",
    remote: Remote,
    transaction: Transaction,
    refs: Sequence[BlobRef],
    progress: Progress,
) -> OxyError | None:
    """Ask for blobs; return why that could not be done, where it could not."""
    wanted = {ref.id: ref for ref in refs}
    try:
        with reached(remote, repository.root, b"", progress) as peer:
            parts = measured(_parts(peer, refs), progress, "blobs fetched", len(refs))
            return take_lent(transaction, parts, wanted)
    except StateError as error:
        return error


def _parts(peer: Host, refs: Sequence[BlobRef]) -> Iterator[Part]:
    ids = sorted(ref.id for ref in refs)
    for start in range(0, len(ids), limits.ASKED):
        yield from peer.blobs(ids[start : start + limits.ASKED])


def _called(blobs: int) -> str:
    return "1 blob is" if blobs == 1 else f"{blobs} blobs are"
