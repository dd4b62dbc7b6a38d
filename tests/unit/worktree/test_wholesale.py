from oxy.repo.tree import DISPUTED_TEXT, EMPTY, Entry, edited
from oxy.worktree.snapshot import RENAMED, Changed
from oxy.worktree.wholesale import is_carried, moved_whole

FILE = Entry(1, 1, 0, b"k" * 16)
TREE = edited(EMPTY, dict.fromkeys((b"d/a", b"d/s/b", b"d/s/c", b"e/x", b"top"), FILE))


def _renamed(**pairs: str) -> list[Changed]:
    return [
        Changed(new.encode(), RENAMED, None, None, old.encode().replace(b"__", b"/"))
        for old, new in pairs.items()
    ]


def test_a_directory_all_of_which_is_found_elsewhere_was_moved() -> None:
    changes = _renamed(d__a="n/a", d__s__b="n/s/b", d__s__c="n/s/c")
    assert moved_whole(changes, TREE) == {b"d": b"n"}
    assert all(is_carried(change, {b"d": b"n"}) for change in changes)


def test_of_nested_directories_the_outermost_that_moved_whole_counts() -> None:
    assert moved_whole(_renamed(d__s__b="n/s/b", d__s__c="n/s/c"), TREE) == {b"d/s": b"n/s"}
    both = _renamed(d__s__b="d/t/b", d__s__c="d/t/c", e__x="f/x")
    assert moved_whole(both, TREE) == {b"d/s": b"d/t", b"e": b"f"}


def test_files_that_went_different_ways_were_moved_one_by_one() -> None:
    assert moved_whole(_renamed(d__s__b="n/b", d__s__c="m/c"), TREE) == {}
    assert moved_whole(_renamed(d__s__b="n/other", d__s__c="n/c"), TREE) == {}
    assert moved_whole(_renamed(d__s__b="n/b"), TREE) == {}


def test_what_goes_into_a_directory_that_was_there_is_moved_one_by_one() -> None:
    assert moved_whole(_renamed(d__s__b="e/b", d__s__c="e/c"), TREE) == {}


def test_a_directory_is_not_moved_into_itself_nor_to_the_root() -> None:
    deeper = _renamed(d__a="d/n/a", d__s__b="d/n/s/b", d__s__c="d/n/s/c")
    assert moved_whole(deeper, TREE) == {b"d/s": b"d/n/s"}
    assert moved_whole(_renamed(e__x="x"), TREE) == {}
    assert moved_whole(_renamed(top="e2/top"), TREE) == {}


def test_what_is_in_conflict_is_moved_one_by_one() -> None:
    torn = edited(TREE, {b"e/x": FILE._replace(disputed=DISPUTED_TEXT)})
    assert moved_whole(_renamed(e__x="f/x"), torn) == {}


def test_a_file_that_was_renamed_within_is_not_carried_along() -> None:
    (change,) = _renamed(d__a="n/other")
    assert not is_carried(change, {b"d": b"n"})
