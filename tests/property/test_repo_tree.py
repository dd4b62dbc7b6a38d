"""Trees against plain dictionaries of paths (spec: checkpoints, CP2, CP6)."""

from collections.abc import Mapping
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from oxy.repo.cache import TREE, Cache
from oxy.repo.tree import (
    EMPTY,
    Directory,
    Entry,
    differences,
    edited,
    files,
    get,
    load,
    save,
    subtree,
)

NAMES = st.sampled_from([b"a", b"b", b"a.c", b"\xff"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(b"/".join)
ENTRIES = st.builds(
    Entry,
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(0, 1),
    st.binary(max_size=2),
    st.integers(0, 3),
    st.just(b""),
    st.sampled_from([(), (7,), (8, 9)]),
)


def _fits(paths: Mapping[bytes, Entry], path: bytes) -> bool:
    return not any(
        path.startswith(other + b"/") or other.startswith(path + b"/") for other in paths
    )


@st.composite
def trees(draw: st.DrawFn) -> dict[bytes, Entry]:
    """Draw files, none of which is where another has a directory."""
    found: dict[bytes, Entry] = {}
    for path, entry in draw(st.dictionaries(PATHS, ENTRIES, max_size=8)).items():
        if _fits(found, path):
            found[path] = entry
    return found


def _changes(
    old: Mapping[bytes, Entry], new: Mapping[bytes, Entry]
) -> dict[bytes, Entry | None]:
    gone: dict[bytes, Entry | None] = dict.fromkeys(old.keys() - new.keys())
    return {**{path: new[path] for path in new if old.get(path) != new[path]}, **gone}


def _order(path: bytes) -> list[bytes]:
    return path.split(b"/")


def _is_tidy(root: Directory) -> bool:
    """Tell whether no directory below the root is empty."""
    below = [child for child in root.entries.values() if isinstance(child, Directory)]
    return all(child.entries and _is_tidy(child) for child in below)


@given(trees(), trees())
def test_an_edited_tree_holds_the_new_files_and_the_old_tree_the_old(
    old: dict[bytes, Entry], new: dict[bytes, Entry]
) -> None:
    before = edited(EMPTY, old)
    after = edited(before, _changes(old, new))
    assert list(files(before)) == sorted(old.items(), key=lambda item: _order(item[0]))
    assert list(files(after)) == sorted(new.items(), key=lambda item: _order(item[0]))
    assert _is_tidy(after)
    assert not EMPTY.entries


@given(trees(), PATHS)
def test_a_path_holds_its_file_or_what_is_below_it(
    held: dict[bytes, Entry], path: bytes
) -> None:
    root = edited(EMPTY, held)
    assert get(root, path) == held.get(path)
    found = subtree(root, path)
    below = {p: e for p, e in held.items() if p.startswith(path + b"/")}
    if isinstance(found, Directory):
        assert dict(files(found, path)) == below
    else:
        assert (found, {}) == (held.get(path), below)


@given(trees(), PATHS)
def test_removing_what_is_not_there_changes_nothing(
    held: dict[bytes, Entry], path: bytes
) -> None:
    if path not in held:
        assert dict(files(edited(edited(EMPTY, held), {path: None}))) == held


@given(trees(), trees(), st.sampled_from(["shared", "apart"]))
def test_differences_are_the_paths_that_differ(
    old: dict[bytes, Entry], new: dict[bytes, Entry], how: str
) -> None:
    before = edited(EMPTY, old)
    after = edited(before, _changes(old, new)) if how == "shared" else edited(EMPTY, new)
    found = list(differences(before, after))
    wanted = [
        (path, old.get(path), new.get(path))
        for path in sorted(old.keys() | new.keys(), key=_order)
        if old.get(path) != new.get(path)
    ]
    assert found == wanted


@given(trees(), trees(), st.data())
def test_a_saved_tree_is_loaded_whatever_the_cache_has_lost(
    old: dict[bytes, Entry], new: dict[bytes, Entry], data: st.DataObject
) -> None:
    root = edited(EMPTY, old)
    with TemporaryDirectory() as directory:
        cache = Cache(directory.encode() + b"/cache.db")
        key = save(root, cache)
        _lose(cache, root, data)
        again = load(key, cache, lambda: edited(EMPTY, old))
        after = edited(again, _changes(old, new))
        assert dict(files(again)) == old
        assert dict(files(after)) == new
        assert {path for path, *_ in differences(again, after)} == _changes(old, new).keys()
        cache.close()


def _lose(cache: Cache, root: Directory, data: st.DataObject) -> None:
    """Spoil the rows of some directories of a saved tree."""
    saved = [root]
    for directory in saved:
        saved += [c for c in directory.entries.values() if isinstance(c, Directory)]
    for directory in data.draw(st.lists(st.sampled_from(saved), max_size=3)):
        row = data.draw(st.sampled_from([b"", b"\x00", b"\x91\x92\xc4\x01a\x90", b"\xc1"]))
        cache.put(TREE, [(directory.saved or b"", row)])
