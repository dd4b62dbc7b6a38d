"""What somebody lacks is found, and what a hostile index says is refused (spec: sync, SY91)."""

import pytest

from oxy.model.digest import ChangeId
from oxy.sync.bucket.growing import branch
from oxy.sync.bucket.index import KEY_SIZE, Load, Row, bounds, encode_branch, encode_leaf
from oxy.sync.bucket.kept import Kept
from oxy.sync.bucket.walking import lacking
from oxy.sync.errors import RefusedTransferError
from tests.builders.bucket import Shelved


def change(at: int) -> ChangeId:
    return ChangeId(at.to_bytes(32, "big"))


def load(at: int, changes: list[int], needs: list[int], after: list[int] | None = None) -> Load:
    ids, own, behind = (tuple(map(change, each)) for each in (changes, needs, after or []))
    return Load(at.to_bytes(KEY_SIZE, "big"), at, ids, behind, (), (*ids[-1:], *behind), own)


@pytest.fixture
def kept() -> Kept:
    return Kept(Shelved())


def leaf(kept: Kept, *loads: Load) -> Row:
    return Row(0, *kept.keep_list(encode_leaf(loads)), *bounds(loads))


def found(kept: Kept, rows: list[Row], wanted: int, held: set[int]) -> list[int]:
    have = {change(at) for at in held}
    return [
        each.size for each in lacking(kept, rows, [change(wanted)], have.intersection).loads
    ]


def test_only_what_a_change_reaches_is_found(kept: Kept) -> None:
    rows = [leaf(kept, load(1, [1], [])), leaf(kept, load(2, [2], []), load(3, [3], [1]))]
    assert found(kept, rows, 3, set()) == [1, 3]
    assert found(kept, rows, 2, set()) == [2]
    assert found(kept, rows, 3, {1}) == [3]
    assert found(kept, rows, 3, {3, 1}) == []


def test_blobs_before_a_change_come_with_it(kept: Kept) -> None:
    row = leaf(
        kept, load(1, [1], []), load(2, [], [], [3]), load(4, [], [], [3]), load(5, [3], [1])
    )
    assert found(kept, [row], 3, {1}) == [2, 4, 5]
    assert found(kept, [row], 1, set()) == [1]


def test_of_twins_the_one_before_what_stands_on_it_comes(kept: Kept) -> None:
    rows = [
        leaf(kept, load(1, [1], [])),
        leaf(kept, load(2, [2], [1])),
        leaf(kept, load(3, [1], [])),
        leaf(kept, load(4, [4], [1, 2])),
    ]
    assert found(kept, rows, 4, set()) == [1, 2, 3, 4]


def test_what_is_named_and_not_there_is_refused(kept: Kept) -> None:
    with pytest.raises(RefusedTransferError, match="is named and not there"):
        found(kept, [leaf(kept, load(2, [2], [1]))], 2, set())


def test_an_index_that_leads_back_into_itself_is_refused(kept: Kept) -> None:
    inner = branch(kept, [leaf(kept, load(1, [1], []))])
    twice = branch(kept, [inner, inner._replace(tips=(change(9),))])
    with pytest.raises(RefusedTransferError, match="twice"):
        found(kept, [twice], 5, set())
    where = kept.keep_list(encode_branch([inner]))
    with pytest.raises(RefusedTransferError, match="below itself"):
        found(kept, [Row(1, *where)], 5, set())


def test_what_lists_others_is_no_larger_than_it_may_be(kept: Kept) -> None:
    row = leaf(kept, load(1, [1], []))
    with pytest.raises(RefusedTransferError, match="is over"):
        found(kept, [row._replace(size=1 << 30)], 1, set())
    with pytest.raises(RefusedTransferError, match="larger than it should be"):
        found(kept, [row._replace(size=row.size - 1)], 1, set())
