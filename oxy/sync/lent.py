"""Take in blobs that a lazy repository asked for, proven as all others (SY14, SY87)."""

from collections.abc import Iterable, Mapping

from oxy.model.digest import BlobId
from oxy.model.operation import BlobRef
from oxy.repo.promised import Promises
from oxy.store.protocol import BLOB, Transaction
from oxy.sync.check.facts import Counted, Facts
from oxy.sync.errors import LostError, RefusedObjectError, RefusedTransferError
from oxy.sync.part import BlobPart, FramePart, Part


def take_lent(
    transaction: Transaction, parts: Iterable[Part], wanted: Mapping[BlobId, BlobRef]
) -> LostError | None:
    """Store blobs as they come; return why the rest did not, where the connection was lost.

    Args:
        transaction: where to. Where this raises, it is to be rolled back.
        parts: what came.
        wanted: what was asked for.

    Cost: what came.

    Raises:
        RefusedObjectError: a blob is not what the changes here say, or was not asked for.
        RefusedTransferError: something else than a blob came.
    """
    promises, left = Promises(transaction), dict(wanted)
    try:
        for part in parts:
            if isinstance(part, FramePart):
                for blob in part.blobs():
                    _take(transaction, promises, blob, left)
            elif isinstance(part, BlobPart):
                _take(transaction, promises, part, left)
            else:
                rule = "something else than a blob was sent"
                raise RefusedTransferError(rule)
    except LostError as error:
        return error
    return None


def _take(
    transaction: Transaction,
    promises: Promises,
    part: BlobPart,
    left: dict[BlobId, BlobRef],
) -> None:
    # Each comes once: so nobody sends for ever.
    ref = left.pop(part.id, None)
    if ref is None or ref.length != part.size:
        rule = "it was not asked for" if ref is None else f"it has {ref.length} bytes"
        raise RefusedObjectError(BLOB, part.id, rule)
    counted = Counted(part)
    chunks = counted.chunks()
    if transaction.number_of(BLOB, part.id) is None:
        transaction.append_chunks(BLOB, part.id, part.size, chunks)
    for _ in chunks:
        pass
    if counted.facts is not None:
        settle(promises, part.id, counted.facts)


def settle(promises: Promises, name: BlobId, facts: Facts) -> None:
    """Hold a blob whose bytes are proven against what changes say of it.

    Raises:
        RefusedObjectError: it is another than they say.
    """
    broken = promises.settle(name, facts.size, facts.lines, ends=facts.ends)
    if broken is not None:
        raise RefusedObjectError(BLOB, name, broken)
