import pytest
from blake3 import blake3

from oxy.model.digest import BlobId
from oxy.model.operation import BlobRef
from oxy.repo.promised import Promises, count, lacked
from oxy.repo.repository import Repository
from oxy.store.protocol import BLOB

TEXT = b"1\n2\n3\n"
REF = BlobRef(BlobId(blake3(TEXT).digest()), len(TEXT))


def test_two_changes_may_not_tell_otherwise_of_one_blob() -> None:
    with Repository.in_memory().store.transaction() as transaction:
        promises = Promises(transaction)
        assert promises.note(REF, None) is None
        assert promises.note(REF, 3) is None
        assert promises.note(REF, None) is None
        assert promises.note(REF, 4) == f"it says that blob {REF.id.hex()} has 4 lines"
        longer = REF._replace(length=7)
        assert promises.note(longer, 3) == f"it says that blob {REF.id.hex()} has 7 bytes"


@pytest.mark.parametrize(
    ("size", "lines", "ends", "rule"),
    [
        (7, 3, True, "a change says that it has 6 bytes"),
        (6, 2, True, "a change says that it has 3 lines"),
        (6, 3, False, "a change says that it has 3 lines"),
        (6, 3, True, None),
    ],
)
def test_a_blob_that_comes_is_held_against_what_was_told(
    size: int, lines: int, rule: str | None, *, ends: bool
) -> None:
    store = Repository.in_memory().store
    with store.transaction() as transaction:
        promises = Promises(transaction)
        promises.note(REF, 3)
        assert promises.settle(REF.id, size, lines, ends=ends) == rule
    assert len(list(lacked(store))) == (rule is not None)


def test_what_is_stored_meanwhile_is_not_lacked() -> None:
    store = Repository.in_memory().store
    with store.transaction() as transaction:
        Promises(transaction).note(REF, 3)
    assert count(store) == (1, 6)
    with store.transaction() as transaction:
        transaction.append(BLOB, REF.id, TEXT)
    assert count(store) == (0, 0)
