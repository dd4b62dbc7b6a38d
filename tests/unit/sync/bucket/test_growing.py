"""The index of a bucket stays short, and loses nothing (spec: sync, SY91)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.model.digest import ChangeId
from oxy.sync import limits
from oxy.sync.bucket.growing import grown
from oxy.sync.bucket.index import KEY_SIZE, Load, Row, bounds, encode_leaf
from oxy.sync.bucket.kept import Kept
from oxy.sync.bucket.walking import all_loads, lacking
from tests.builders.bucket import Shelved


def change(at: int) -> ChangeId:
    return ChangeId(at.to_bytes(32, "big"))


def leaf(kept: Kept, at: int) -> Row:
    """Return a leaf with a change on the one before."""
    needs = (change(at - 1),) if at else ()
    load = Load(at.to_bytes(KEY_SIZE, "big"), at, (change(at),), (), (), (change(at),), needs)
    return Row(0, *kept.keep_list(encode_leaf([load])), *bounds([load]))


@settings(max_examples=30)
@given(st.lists(st.integers(1, 40), max_size=12))
def test_however_it_grows_it_is_short_and_whole(steps: list[int]) -> None:
    kept = Kept(Shelved())
    rows: tuple[Row, ...] = ()
    count = 0
    for step in steps:
        rows = grown(kept, (*rows, *(leaf(kept, count + at) for at in range(step))))
        count += step
    assert [load.size for load in all_loads(kept, rows)] == list(range(count))
    levels = [row.level for row in rows]
    assert levels == sorted(levels, reverse=True)
    assert all(levels.count(level) < limits.FAN for level in levels)


def test_a_branch_has_the_tips_of_all_that_is_below_it() -> None:
    kept = Kept(Shelved())
    rows = grown(kept, [leaf(kept, at) for at in range(limits.FAN**2)])
    (row,) = rows
    assert row.level == 2
    below = kept.branch(row)
    assert [each.tips for each in below] == [
        (change(limits.FAN * (at + 1) - 1),) for at in range(limits.FAN)
    ]


def test_who_lacks_the_newest_opens_one_way_down() -> None:
    objects = Shelved()
    kept = Kept(objects)
    count = limits.FAN**3
    rows = grown(kept, [leaf(kept, at) for at in range(count)])
    objects.asked.clear()
    old = {change(at) for at in range(count - 1)}
    found = lacking(kept, rows, [change(count - 1)], old.intersection)
    assert [load.size for load in found.loads] == [count - 1]
    assert found.stands_on == (change(count - 2),)
    assert len(objects.asked) == 4
    assert len([*lacking(kept, rows, [change(count - 1)], lambda _: ()).loads]) == count


def test_a_large_push_amid_small_ones_does_not_make_it_deep() -> None:
    kept = Kept(Shelved())
    rows: tuple[Row, ...] = ()
    count = 0
    for turn in range(20):
        many = limits.FAN**2 if turn % 2 else 3
        own = grown(kept, [leaf(kept, count + at) for at in range(many)])
        count += many
        rows = grown(kept, (*rows, *own))
    assert [load.size for load in all_loads(kept, rows)] == list(range(count))
    assert max(row.level for row in rows) <= 3
