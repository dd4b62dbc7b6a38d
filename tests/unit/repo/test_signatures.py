import os
from pathlib import Path

import pytest

from oxy.model.digest import ChangeId
from oxy.model.signature import ARMOR_END, ARMOR_START, Signature
from oxy.repo.fsck import fsck, rebuild
from oxy.repo.repository import Repository
from oxy.repo.signatures import SignedMissingError, add, numbers_of, signatures_of
from oxy.repo.tables import SIGNED, pair
from oxy.store.protocol import CHANGE, SIGNATURE
from tests.builders.exchange import Silent
from tests.builders.history import History

OTHERS = ARMOR_START + b"REVG\n" + ARMOR_END
ARMOR = ARMOR_START + b"QUJD\n" + ARMOR_END


@pytest.fixture
def repository() -> Repository:
    repository = Repository.in_memory()
    History(repository).commit({b"a": b"1\n"})
    return repository


def signed(repository: Repository, armor: bytes = ARMOR) -> Signature:
    return Signature(ChangeId(repository.store.id_of(CHANGE, 1)), armor)


def test_a_signature_is_found_by_its_change_and_is_there_once(repository: Repository) -> None:
    mine, theirs = signed(repository), signed(repository, OTHERS)
    with repository.store.transaction() as transaction:
        assert add(transaction, mine)
        assert not add(transaction, mine)
        assert add(transaction, theirs)
    assert list(signatures_of(repository.store, 1)) == [mine, theirs]
    assert numbers_of(repository.store, 2) == []


def test_a_signature_of_what_is_not_there_is_refused(repository: Repository) -> None:
    stray = Signature(ChangeId(b"x" * 32), ARMOR)
    with pytest.raises(SignedMissingError) as caught, repository.store.transaction() as work:
        add(work, stray)
    assert caught.value.change == stray.change
    assert repository.store.count(SIGNATURE) == 0


def test_fsck_knows_which_changes_are_signed(repository: Repository) -> None:
    with repository.store.transaction() as transaction:
        add(transaction, signed(repository))
    assert list(fsck(repository, Silent())) == []
    with repository.store.transaction() as transaction:
        transaction.delete(SIGNED, pair(1, 1))
    whats = [finding.what for finding in fsck(repository, Silent())]
    assert whats[0] == "row 0000000100000001 of table 17 is not what it should be"


def test_a_signature_is_indexed_again_from_the_segments(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path)
    repository = Repository.create(root, "fast")
    History(repository).commit({b"a": b"1\n"})
    with repository.store.transaction() as transaction:
        add(transaction, signed(repository))
    repository.store.close()
    assert rebuild(root) == []
    again = Repository.at(root)
    assert [each.armor for each in signatures_of(again.store, 1)] == [ARMOR]
    again.store.close()
