"""The signatures of a change (spec: model, M40, M50; sync, SY31)."""

from collections.abc import Iterable, Iterator

from oxy.codec.signed import decode_signature, encode_signature
from oxy.errors import CorruptionError
from oxy.model.digest import ChangeId, digest
from oxy.model.signature import Signature, signature_id
from oxy.repo.tables import SIGNED, key, number, pair
from oxy.store.protocol import CHANGE, SIGNATURE, IndexWriter, Reader, Transaction


class SignedMissingError(CorruptionError):
    """A signature names a change that is not stored."""

    def __init__(self, change: ChangeId) -> None:
        super().__init__(f"a signature names change {change.hex()}, which is not stored")
        self.change = change


def numbers_of(reader: Reader, change: int) -> list[int]:
    """Return the numbers of the signatures of a change, in order of arrival."""
    return [number(row) for row, _ in reader.rows(SIGNED, key(change))]


def signatures_of(reader: Reader, change: int) -> Iterator[Signature]:
    """Yield the signatures of a change, in order of arrival."""
    for payload in reader.read_many(SIGNATURE, numbers_of(reader, change)):
        yield decode_signature(payload)


def mark(reader: Reader, changes: Iterable[int]) -> bytes:
    """Return what stands for all signatures of some changes; empty where there are none.

    It is the same in every repository that has the same ones.
    """
    found = [at for change in changes for at in numbers_of(reader, change)]
    names = sorted(reader.ids_of(SIGNATURE, found))
    return digest(b"".join(names)) if names else b""


def add(transaction: Transaction, signature: Signature) -> bool:
    """Store a signature; False if it is there already.

    Raises:
        SignedMissingError: its change is not stored.
    """
    payload = encode_signature(signature)
    name = signature_id(payload)
    if transaction.number_of(SIGNATURE, name) is not None:
        return False
    index(transaction, transaction.append(SIGNATURE, name, payload), payload)
    return True


def index(writer: IndexWriter, at: int, payload: bytes) -> None:
    """Write the row of a stored signature.

    Raises:
        CorruptionError: it is in no form of one, or names a change that is not stored.
    """
    signature = decode_signature(payload)
    change = writer.number_of(CHANGE, signature.change)
    if change is None:
        raise SignedMissingError(signature.change)
    writer.put(SIGNED, pair(change, at), b"")
