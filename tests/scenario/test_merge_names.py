"""The merge cases of names and kinds, in repositories that pull from each other."""

from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR
from tests.builders.family import Family, moving, removing, writing
from tests.builders.tree import File

TEXT = b"one\ntwo\nthree\nfour\n"
OTHER = b"five\nsix\nseven\neight\n"
EDITED = TEXT.replace(b"two", b"TWO")


@pytest.fixture
def family(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Family:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    return Family(tmp_path, capfdbinary)


@pytest.mark.parametrize("take", ["left", "right"])
def test_two_names_of_one_file_are_one_file_until_one_is_taken(
    family: Family, take: str
) -> None:
    tree = family.part(writing({"f": TEXT}), moving("f", "p"), moving("f", "q"))
    (name,) = tree
    assert name in {"p", "q"}
    assert tree == {name: File(TEXT)}
    assert family.kinds() == {name: ["place"]}
    assert family.settle(take, name) == {"p" if take == "left" else "q": File(TEXT)}


def test_two_files_of_one_name_are_both_kept(family: Family) -> None:
    base = writing({"f": TEXT, "g": OTHER})
    tree = family.part(base, moving("f", "n"), moving("g", "n"))
    assert sorted(file.data for file in tree.values()) == sorted([TEXT, OTHER])
    assert_beside(family, tree, "n")


def test_two_files_added_under_one_name_are_both_kept(family: Family) -> None:
    base = writing({"f": TEXT})
    tree = family.part(base, writing({"a": b"1\n"}), writing({"a": b"2\n"}))
    assert sorted(file.data for name, file in tree.items() if name != "f") == [b"1\n", b"2\n"]
    del tree["f"]
    assert_beside(family, tree, "a")


def assert_beside(family: Family, tree: dict[str, File], name: str) -> None:
    """Check that two files claim a name, and settle that by moving the second."""
    loser = max(tree, key=len)
    assert set(tree) == {name, loser}
    digits = loser.removeprefix(name + ".~")
    assert len(digits) == 8
    assert any(change.startswith(digits) for change in family.ids.values())
    assert all("path" in kinds for kinds in family.kinds().values())
    (family.a.root / loser).rename(family.a.root / "second")
    family.a.commit("Another name")
    settled = family.settled()
    assert settled[name] == tree[name]
    assert settled["second"] == tree[loser]


def test_the_same_file_added_twice_is_one(family: Family) -> None:
    same = writing({"a": b"1\n2\n"})
    assert family.part(writing({"f": TEXT}), same, same) == {
        "a": File(b"1\n2\n"),
        "f": File(TEXT),
    }
    assert family.kinds() == {}
    writing({"a": b"1\n3\n"})(family.a.root)
    family.a.commit("Edited")
    assert family.settled()["a"] == File(b"1\n3\n")


@pytest.mark.parametrize("take", ["left", "right"])
def test_a_deleted_file_that_was_edited_stays_until_a_side_is_taken(
    family: Family, take: str
) -> None:
    tree = family.part(writing({"f": TEXT}), writing({"f": EDITED}), removing("f"))
    assert family.kinds()["f"][-1:] == ["deleted"]
    assert b"TWO" in tree["f"].data
    settled = family.settle(take, "f")
    assert settled == ({"f": File(EDITED)} if take == "left" else {})


def test_a_renamed_file_is_edited_under_its_new_name(family: Family) -> None:
    tree = family.part(writing({"f": TEXT}), moving("f", "d/p"), writing({"f": EDITED}))
    assert tree == {"d/p": File(EDITED)}
    assert family.kinds() == {}


def test_a_file_added_to_a_directory_that_was_emptied_is_there(family: Family) -> None:
    base = writing({"d/a": TEXT, "d/b": OTHER})
    tree = family.part(base, removing("d/a", "d/b"), writing({"d/new": b"new\n"}))
    assert tree == {"d/new": File(b"new\n")}
    assert family.kinds() == {}


def test_a_file_made_executable_and_edited_is_both(family: Family) -> None:
    def executable(root: Path) -> None:
        (root / "f").chmod(0o755)

    tree = family.part(writing({"f": TEXT}), executable, writing({"f": EDITED}))
    assert tree == {"f": File(EDITED, executable=True)}
    assert family.kinds() == {}


@pytest.mark.parametrize("take", ["left", "right"])
def test_a_file_made_a_symlink_and_edited_can_be_either(family: Family, take: str) -> None:
    base = writing({"f": TEXT, "g": OTHER})
    tree = family.part(base, writing({"f": "g"}), writing({"f": EDITED}))
    assert set(tree) == {"f", "g"}
    assert "kind" in family.kinds()["f"]
    found = family.settle(take, "f")["f"]
    assert found == (File(b"g", is_link=True) if take == "left" else File(EDITED))


def test_a_file_replaced_by_a_directory_comes_back_byte_for_byte(family: Family) -> None:
    writing({"f": TEXT})(family.a.root)
    family.a.commit("Base")
    removing("f")(family.a.root)
    writing({"f/one": OTHER, "f/two": b"2\n"})(family.a.root)
    change = family.a.commit("A directory")
    family.a.says("unrecord", change)
    family.a.is_quiet()
    assert family.meet() == {"f": File(TEXT)}
    family.a.says("pick", change)
    assert family.meet() == {"f/one": File(OTHER), "f/two": File(b"2\n")}


def test_a_rename_of_case_alone_works_and_reverses(family: Family) -> None:
    writing({"file": TEXT})(family.a.root)
    family.a.commit("Base")
    moving("file", "File")(family.a.root)
    change = family.a.commit("Case")
    assert family.meet() == {"File": File(TEXT)}
    family.a.says("revert", change)
    assert family.meet() == {"file": File(TEXT)}


@pytest.mark.parametrize("take", ["left", "right"])
def test_both_versions_of_a_binary_can_be_written_out(family: Family, take: str) -> None:
    one, other = b"\0one\n", b"\0other\n"
    family.part(writing({"f": b"\0\n"}), writing({"f": one}), writing({"f": other}))
    assert family.kinds() == {"f": ["content"]}
    found = family.settle(take, "f")["f"]
    assert found == File(one if take == "left" else other)


def test_two_files_that_swap_names_swap_back(family: Family) -> None:
    def swap(root: Path) -> None:
        for old, new in (("a", "c"), ("b", "a"), ("c", "b")):
            (root / old).rename(root / new)

    writing({"a": TEXT, "b": OTHER})(family.a.root)
    family.a.commit("Base")
    swap(family.a.root)
    change = family.a.commit("Swapped")
    assert family.meet() == {"a": File(OTHER), "b": File(TEXT)}
    family.a.says("revert", change)
    assert family.meet() == {"a": File(TEXT), "b": File(OTHER)}


def test_what_is_added_to_a_directory_that_was_renamed_follows_it(family: Family) -> None:
    base = writing({"d/old": TEXT, "d/more": OTHER})
    theirs = writing({"d/old": EDITED, "d/new": b"new\n"})
    tree = family.part(base, moving("d", "e"), theirs)
    assert tree == {"e/old": File(EDITED), "e/more": File(OTHER), "e/new": File(b"new\n")}
    assert family.kinds() == {}


def test_directories_moved_into_each_other_are_a_conflict_and_nothing_is_lost(
    family: Family,
) -> None:
    base = writing({"x/one": TEXT, "y/two": OTHER})
    tree = family.part(base, moving("x", "y/x"), moving("y", "x/y"))
    assert sorted(file.data for file in tree.values()) == sorted([TEXT, OTHER])
    assert family.kinds()
    for name, file in tree.items():
        target = "x/one" if file.data == TEXT else "y/two"
        moving(name, target)(family.a.root)
    family.a.commit("As they were")
    assert family.settled() == {"x/one": File(TEXT), "y/two": File(OTHER)}
