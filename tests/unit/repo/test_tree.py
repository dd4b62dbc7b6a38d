from pathlib import Path

from oxy.repo.cache import Cache
from oxy.repo.tree import (
    DISPUTED_MODE,
    DISPUTED_TEXT,
    EMPTY,
    Directory,
    Entry,
    differences,
    disputed,
    edited,
    files,
    get,
    load,
    save,
)

ONE = Entry(1, 1, 0, b"k" * 16)
TWO = Entry(2, 1, 0, b"l" * 16)
TORN = TWO._replace(disputed=DISPUTED_TEXT | DISPUTED_MODE)
DEEP = b"/".join([b"d"] * 2000)


def test_a_tree_of_two_thousand_levels_is_edited_saved_loaded_and_compared(
    tmp_path: Path,
) -> None:
    root = edited(EMPTY, {DEEP: ONE})
    cache = Cache(bytes(tmp_path / "cache.db"))
    again = load(save(root, cache), cache, lambda: EMPTY)
    assert list(files(again)) == [(DEEP, ONE)]
    changed = edited(again, {DEEP: TWO})
    assert list(differences(again, changed)) == [(DEEP, ONE, TWO)]
    assert edited(changed, {DEEP: None}).entries == {}
    cache.close()


def test_an_edited_tree_shares_what_was_not_edited() -> None:
    root = edited(EMPTY, {b"a/f": ONE, b"b/f": ONE})
    assert edited(root, {b"a/f": TWO}).entries[b"b"] is root.entries[b"b"]


def test_a_file_takes_the_place_of_a_directory_that_is_emptied() -> None:
    root = edited(EMPTY, {b"a/f": ONE, b"a/g": ONE})
    assert list(files(edited(root, {b"a": TWO, b"a/f": None, b"a/g": None}))) == [(b"a", TWO)]


def test_a_directory_takes_the_place_of_a_file_that_is_removed() -> None:
    root = edited(EMPTY, {b"a": ONE})
    assert list(files(edited(root, {b"a/f": TWO, b"a": None}))) == [(b"a/f", TWO)]


def test_removing_below_a_file_leaves_the_file() -> None:
    root = edited(EMPTY, {b"a": ONE})
    assert get(edited(root, {b"a/b/c": None}), b"a") == ONE


def test_a_digest_alone_is_no_difference() -> None:
    before = edited(EMPTY, {b"a": ONE})
    after = edited(EMPTY, {b"a": ONE._replace(digest=b"d")})
    assert list(differences(before, after)) == []


def test_what_a_tree_is_saved_under_tells_nothing_of_its_digests(tmp_path: Path) -> None:
    cache = Cache(bytes(tmp_path / "cache.db"))
    plain = save(edited(EMPTY, {b"a": ONE}), cache)
    assert save(edited(EMPTY, {b"a": ONE._replace(digest=b"d")}), cache) == plain
    cache.close()


def test_a_directory_is_loaded_only_when_it_is_looked_into(tmp_path: Path) -> None:
    cache = Cache(bytes(tmp_path / "cache.db"))
    key = save(edited(EMPTY, {b"a/f": ONE, b"b/f": ONE}), cache)
    again = load(key, cache, lambda: EMPTY)
    assert get(again, b"a/f") == ONE
    cache.close()
    # Without its rows the other directory is looked for in the tree made anew.
    lost = Cache(bytes(tmp_path / "other.db"))
    assert list(files(load(key, lost, lambda: edited(EMPTY, {b"b/g": TWO})))) == [(b"b/g", TWO)]
    lost.close()


def test_the_tree_is_made_anew_once_whatever_is_lost(tmp_path: Path) -> None:
    cache = Cache(bytes(tmp_path / "none.db"))
    calls = []

    def rebuild() -> Directory:
        calls.append(1)
        return edited(EMPTY, {b"a/f": ONE, b"b/f": TWO})

    again = load(b"k" * 16, cache, rebuild)
    assert dict(files(again)) == {b"a/f": ONE, b"b/f": TWO}
    assert calls == [1]
    cache.close()


def test_what_is_in_conflict_is_found_in_a_tree_that_was_never_saved() -> None:
    root = edited(EMPTY, {b"a/b/f": TORN, b"a/g": ONE, b"h": TORN, b"i/j": ONE})
    assert list(disputed(root)) == [(b"a/b/f", TORN), (b"h", TORN)]
    assert list(disputed(edited(root, {b"a/b/f": ONE, b"h": None}))) == []


def test_a_saved_tree_is_looked_into_only_where_something_is_in_conflict(
    tmp_path: Path,
) -> None:
    cache = Cache(bytes(tmp_path / "cache.db"))
    key = save(edited(EMPTY, {b"a/b/f": TORN, b"a/c/f": ONE, b"d/f": TWO}), cache)
    again = load(key, cache, lambda: EMPTY)
    assert list(disputed(again)) == [(b"a/b/f", TORN)]
    assert dict(files(again)) == {b"a/b/f": TORN, b"a/c/f": ONE, b"d/f": TWO}
    told = [child.disputed for _, child in sorted(again.entries.items())]
    assert told == [True, False]
    cache.close()


def test_a_conflict_that_is_gone_is_not_looked_for_in_what_was_saved(tmp_path: Path) -> None:
    cache = Cache(bytes(tmp_path / "cache.db"))
    root = edited(EMPTY, {b"a/f": TORN, b"b/f": ONE})
    save(root, cache)
    settled = edited(root, {b"a/f": TWO})
    again = load(save(settled, cache), cache, lambda: EMPTY)
    assert list(disputed(again)) == []
    assert [child.disputed for child in again.entries.values()] == [False, False]
    cache.close()
