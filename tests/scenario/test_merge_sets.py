"""The merge cases of sets of changes, in repositories that pull from each other."""

import json
from itertools import permutations
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR
from tests.builders.family import Family, writing
from tests.builders.tree import Tree, held
from tests.cases.desks import Clone

BASE = {"f": b"1\n2\n3\n4\n5\n", "g": b"a\nb\nc\n"}


@pytest.fixture
def family(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Family:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    return Family(tmp_path, capfdbinary)


def recorded(clone: Clone, message: str, **files: bytes) -> str:
    writing(dict(files))(clone.root)
    return clone.commit(message)


def blame(clone: Clone, path: str) -> list[str]:
    assert clone.run("blame", path, "--json") == 0, clone.err
    return [json.loads(line)["change"] for line in clone.out.splitlines()]


def test_a_picked_change_is_there_once_after_a_merge(family: Family) -> None:
    a = family.a
    recorded(a, "Base", **BASE)
    a.says("switch", "-c", "topic")
    recorded(a, "Aside", g=b"a\nB\nc\n")
    wanted = recorded(a, "Wanted", f=b"1\n2\nthree\n4\n5\n")
    a.says("switch", "main")
    recorded(a, "Ours", f=b"one\n2\n3\n4\n5\n")
    a.says("pick", wanted)
    assert blame(a, "f")[2] == wanted
    a.says("merge", "topic")
    assert family.log(a).count("Wanted") == 1
    assert wanted in a.changes()
    assert a.conflicts() == []
    assert (a.root / "f").read_bytes() == b"one\n2\nthree\n4\n5\n"
    assert (a.root / "g").read_bytes() == b"a\nB\nc\n"
    assert family.meet() == held(a.root)


def test_merges_in_any_order_are_the_same_byte_for_byte(family: Family) -> None:
    a = family.a
    recorded(a, "Base", **BASE)
    for name, files in {
        "x": {"f": b"1\n2\nX\n4\n5\n", "new": b"x\n"},
        "y": {"f": b"1\n2\nY\n4\n5\n", "g": b"a\nb\nc\nd\n"},
        "z": {"f": b"1\n5\n", "new": b"z\n"},
    }.items():
        a.says("switch", "-c", name)
        recorded(a, name, **files)
        a.says("switch", "main")
    found = []
    for order in permutations("xyz"):
        a.says("switch", "-c", "".join(order))
        for name in order:
            a.says("merge", name)
            a.is_quiet()
        found.append((held(a.root), a.conflicts()))
        a.says("switch", "main")
    a.says("switch", "y")
    a.says("merge", "z")
    a.says("switch", "x")
    a.says("merge", "y")
    found.append((held(a.root), a.conflicts()))
    assert found[0][1]
    assert found[1:] == found[:1] * 6


def test_unrecording_what_others_depend_on_names_them_and_does_nothing(
    family: Family,
) -> None:
    a = family.a
    recorded(a, "Base", **BASE)
    first = recorded(a, "First", f=b"1\n2\n3\nfour\n5\n")
    other = recorded(a, "Other", g=b"a\n")
    second = recorded(a, "Second", f=b"1\n2\n3\nFOUR\n5\n")
    before, changes = held(a.root), a.changes()
    assert a.run("unrecord", first) == 2
    assert second[:12] in a.err
    assert other[:12] not in a.err
    assert (held(a.root), a.changes()) == (before, changes)
    a.says("unrecord", first, "--with-dependents")
    assert a.changes() == changes - {first, second}
    assert family.meet()["f"].data == BASE["f"]


@pytest.mark.parametrize("how", ["amend", "split", "fold"])
def test_what_is_rewritten_under_others_is_followed_by_whoever_had_it(
    family: Family, how: str
) -> None:
    a, b = family.a, family.b
    recorded(a, "Base", **BASE)
    old = recorded(a, "Old", f=b"1\n2\nthree\n4\n5\n", g=b"a\nB\nc\n")
    later = recorded(a, "Later", f=b"1\n2\nthree\nfour\n5\n")
    b.pull(a)
    if how == "amend":
        writing({"f": b"one\n2\nthree\nfour\n5\n"})(a.root)
        a.says("amend", old, "f")
    elif how == "split":
        a.says("split", old, "g", "-m", "Its first part")
    else:
        a.says("fold", old, later)
    tree = held(a.root)
    a.is_quiet()
    replaced = b.record("pull", str(a.root))["replaced"]
    assert isinstance(replaced, list)
    assert old in {one["old"] for one in replaced}
    assert held(b.root) == tree
    b.is_quiet()
    assert old not in b.changes()
    assert b.changes() == a.changes()
    for path in ("f", "g"):
        assert blame(a, path) == blame(b, path)
        assert len(set(blame(a, path))) > 1
    assert b.record("show", old)["replaced_by"]
    assert family.meet() == tree


def test_switching_between_states_and_back_leaves_every_byte(family: Family) -> None:
    a = family.a
    trees: dict[str, Tree] = {}
    recorded(a, "Base", **BASE)
    recorded(a, "Ours", f=b"1\n2\nX\n4\n5\n")
    a.says("switch", "-c", "theirs", "main")
    trees["main"] = held(a.root)
    (a.root / "g").unlink()
    recorded(a, "Theirs", f=b"1\n2\nY\n4\n5", new=b"\0\n")
    trees["theirs"] = held(a.root)
    a.says("switch", "-c", "apart", "main")
    (a.root / "f").chmod(0o755)
    writing({"d/deep": b"1\n", "link": "f"})(a.root)
    a.commit("Apart")
    trees["apart"] = held(a.root)
    for one, other in permutations(trees, 2):
        a.says("switch", one)
        a.says("switch", other)
        assert held(a.root) == trees[other]
        a.says("switch", one)
        assert held(a.root) == trees[one]
        a.is_quiet()
