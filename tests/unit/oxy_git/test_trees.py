"""Git trees beside directories of oxy."""

import pytest

from oxy.model.operation import KIND_SUBREPO, KIND_SYMLINK, KIND_TEXT
from oxy.repo.tree import Child, Directory, Entry
from oxy_git.reader.trees import (
    LINK,
    PLAIN,
    RUNNABLE,
    SUBMODULE,
    TREE,
    RawEntry,
    RawTree,
    TreeMismatchError,
    entries_of,
    hidden,
    plain_mode,
    reopened,
    tree_id,
    unmarked,
    unshown,
    written,
)

OID = b"\x11" * 20
OTHER = b"\x22" * 20
EMPTY = tree_id(b"")


def file(oid: bytes = OID, kind: int = KIND_TEXT, mode: int = 0) -> Entry:
    return Entry(1, kind, mode, b"", digest=oid)


def directory(mark: bytes | None = None, **entries: Child) -> Directory:
    made = Directory({name.encode(): child for name, child in entries.items()})
    made.mark = mark
    return made


def raw(*entries: tuple[bytes, bytes, bytes]) -> bytes:
    return b"".join(mode + b" " + name + b"\0" + oid for mode, name, oid in entries)


def nothing(path: bytes, oid: bytes) -> bytes:
    raise AssertionError(path, oid)


def test_a_directory_is_written_in_the_order_of_git() -> None:
    made = directory(
        file0=file(), file=directory(OTHER), run=file(mode=1), sub=file(kind=KIND_SUBREPO)
    )
    made.entries[b"file.c"] = file(kind=KIND_SYMLINK)
    assert list(entries_of(written(made))) == [
        RawEntry(b"120000", b"file.c", OID),
        RawEntry(b"40000", b"file", OTHER),
        RawEntry(b"100644", b"file0", OID),
        RawEntry(b"100755", b"run", OID),
        RawEntry(b"160000", b"sub", OID),
    ]


def test_the_empty_tree_has_its_well_known_id() -> None:
    assert EMPTY.hex() == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@pytest.mark.parametrize(
    ("mode", "taken_for"),
    [
        (b"100644", PLAIN),
        (b"100664", PLAIN),
        (b"100755", RUNNABLE),
        (b"100744", RUNNABLE),
        (b"120000", LINK),
        (b"40000", TREE),
        (b"040000", TREE),
        (b"160000", SUBMODULE),
        (b"10000", SUBMODULE),
    ],
)
def test_any_mode_is_taken_for_one_of_five(mode: bytes, taken_for: bytes) -> None:
    assert plain_mode(mode) == taken_for


@pytest.mark.parametrize(
    "tree",
    [
        raw((b"100664", b"a", OID), (b"040000", b"d", OTHER)),
        raw((b"40000", b"d", OTHER), (b"100644", b"a", OID)),
        raw((b"100644", b"a", OID), (b"120000", b"d", OID), (b"40000", b"d", OTHER)),
        raw((b"100644", b"a", OID), (b"100644", b".git", OID), (b"40000", b"d", OTHER)),
    ],
)
def test_an_odd_tree_that_shows_the_same_hides_nothing(tree: bytes) -> None:
    assert hidden(b"x", directory(a=file(), d=directory(OTHER)), tree, nothing) == []


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        (raw((b"100644", b"a", OTHER)), b"x/a"),
        (raw((b"100755", b"a", OID)), b"x/a"),
        (raw(), b"x/a"),
        (raw((b"100644", b"a", OID), (b"100644", b"b", OID)), b"x/b"),
    ],
)
def test_a_tree_that_shows_something_else_is_named(tree: bytes, path: bytes) -> None:
    with pytest.raises(TreeMismatchError) as caught:
        hidden(b"x", directory(a=file()), tree, nothing)
    assert caught.value.path == path


def test_trees_in_which_nothing_shows_are_returned() -> None:
    inner = raw((b"100644", b".GIT", OID), (b"40000", b"deep", EMPTY))
    trees = {tree_id(inner): inner, EMPTY: b""}
    found: list[RawTree] = hidden(
        b"", Directory({}), raw((b"40000", b"d", tree_id(inner))), lambda _, oid: trees[oid]
    )
    assert found == [(b"d", inner), (b"d/deep", b"")]


def test_a_tree_in_which_a_file_shows_is_not_hidden() -> None:
    inner = raw((b"100644", b"seen", OID))
    with pytest.raises(TreeMismatchError) as caught:
        hidden(b"", Directory({}), raw((b"40000", b"d", OID)), lambda *_: inner)
    assert caught.value.path == b"d/seen"


def test_reopened_directories_are_anew_and_the_rest_is_shared() -> None:
    inner, other = directory(OID, f=file()), directory(OTHER, f=file())
    root = directory(OID, d=inner, e=other)
    found = reopened(root, [b"", b"d"])
    assert [path for path, _ in unmarked(found)] == [b"", b"d"]
    assert found.entries[b"e"] is other
    assert (root.mark, inner.mark) == (OID, OID)
    assert root.entries[b"d"] is inner


def test_what_a_raw_tree_hides_is_found_to_its_last_blob() -> None:
    inner = raw((b"100644", b"config", b"\x33" * 20), (b"160000", b"sub", b"\x44" * 20))
    top = raw(
        (b"100644", b"a", OID),
        (b"100644", b"a", OTHER),
        (b"40000", b".git", tree_id(inner)),
        (b"40000", b"d", EMPTY),
    )
    found = unshown(
        directory(a=file(), d=directory(EMPTY)), top, {tree_id(inner): inner}.__getitem__
    )
    assert found == {OTHER, b"\x33" * 20}
