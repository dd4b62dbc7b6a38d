from oxy.worktree.listing import RECORD, Listing
from oxy.worktree.row import (
    DIGEST_SIZE,
    KEY_SIZE,
    UNCHANGED,
    UNKNOWN,
    Entry,
    Row,
    Verdicts,
    compare,
    renew,
)

CLOCK = 1_000


def record(size: int = 1, mtime: int = 10, ctime: int = 10) -> bytes:
    return RECORD.pack(size, mtime, ctime, 7, 0o100644)


def mark(number: int) -> tuple[bytes, bytes]:
    return bytes([number]) * KEY_SIZE, bytes([number]) * DIGEST_SIZE


def listing(asked: tuple[bytes, ...] | None = None, /, **files: bytes) -> Listing:
    names = sorted(files)
    joined = "\0".join(names).encode()
    return Listing(b"d", joined, b"".join(files[n] for n in names), asked=asked)


def row(clock: int = CLOCK, /, **files: bytes) -> Row:
    entries = [Entry(n.encode(), r, *mark(i)) for i, (n, r) in enumerate(files.items())]
    return Row.of(b"d", entries, clock)


def records(made: Row) -> dict[bytes, bytes]:
    return {entry.name: entry.record for entry in made.entries()}


def test_a_row_gives_back_its_entries_by_name() -> None:
    entries = [Entry(b"b", record(2), *mark(2)), Entry(b"a", record(1), *mark(1))]
    made = Row.of(b"d", entries, CLOCK)
    assert list(made.entries()) == sorted(entries)
    assert made.newest == 10
    assert list(Row.of(b"d", [], CLOCK).entries()) == []


def test_the_same_names_and_stats_are_unchanged() -> None:
    assert compare(listing(a=record(), b=record(2)), row(a=record(), b=record(2))) == UNCHANGED


def test_each_difference_has_its_verdict() -> None:
    new = listing(added=record(), changed=record(5), same=record())
    old = row(changed=record(4), removed=record(), same=record())
    assert compare(new, old) == Verdicts((b"added",), (b"removed",), (b"changed",), ())


def test_without_a_row_everything_is_added() -> None:
    assert compare(listing(a=record(), b=record()), None) == Verdicts(added=(b"a", b"b"))
    assert compare(listing(), None) == UNCHANGED


def test_an_entry_as_new_as_its_row_is_racy() -> None:
    for stat in (record(mtime=CLOCK), record(ctime=CLOCK), record(mtime=CLOCK + 99)):
        assert compare(listing(a=record(), b=stat), row(a=record(), b=stat)).racy == (b"b",)
    just_older = record(mtime=CLOCK - 1, ctime=CLOCK - 1)
    assert compare(listing(a=just_older), row(a=just_older)) == UNCHANGED


def test_only_what_was_asked_for_is_judged() -> None:
    old = row(a=record(), b=record(), c=record())
    new = listing((b"a", b"b"), a=record(5))
    assert compare(new, old) == Verdicts(removed=(b"b",), changed=(b"a",))


def test_an_unknown_record_is_always_looked_into() -> None:
    assert compare(listing(a=record()), row(a=UNKNOWN)).changed == (b"a",)


def test_what_was_found_gets_the_new_stat_and_the_rest_keeps_what_it_knew() -> None:
    old = row(a=record(), b=record())
    made = renew(listing(a=record(5), b=record()), old, {b"a": mark(9)}, 2_000)
    assert list(made.entries()) == [
        Entry(b"a", record(5), *mark(9)),
        Entry(b"b", record(), *mark(1)),
    ]
    assert made.clock == 2_000


def test_what_changed_and_was_not_looked_into_becomes_unknown() -> None:
    old = row(edited=record(), gone=record(), same=record())
    made = renew(listing(edited=record(5), same=record()), old, {}, 2_000)
    assert records(made) == {b"edited": UNKNOWN, b"gone": UNKNOWN, b"same": record()}


def test_a_racy_entry_is_not_laundered_by_a_later_clock() -> None:
    racy = record(mtime=CLOCK)
    made = renew(listing(a=racy), row(a=racy), {}, 2_000)
    assert records(made) == {b"a": UNKNOWN}


def test_names_outside_the_question_stay_as_they_are() -> None:
    old = row(a=record(), b=record(), c=record(mtime=CLOCK))
    made = renew(listing((b"a",), a=record(5)), old, {b"a": mark(9)}, 2_000)
    assert records(made) == {b"a": record(5), b"b": record(), b"c": UNKNOWN}


def test_new_names_are_tracked_if_found_and_dropped_names_no_more() -> None:
    made = renew(
        listing(a=record(), b=record(), c=record()),
        row(a=record()),
        {b"b": mark(9)},
        2_000,
        dropped=[b"a"],
    )
    assert records(made) == {b"b": record()}
