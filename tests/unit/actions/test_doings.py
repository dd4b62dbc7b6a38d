from pathlib import Path

from oxy.actions.doings import doings
from oxy.actions.merge import merge
from tests.builders.row import name
from tests.builders.workshop import Workshop

LINES = "".join(f"{number}\n" for number in range(20))


def told(shop: Workshop, change: int, *paths: bytes) -> list[tuple[bytes, int, str, int]]:
    """Return what a change did: paths, and their hunks with how many edits these have."""
    with shop.repository() as repository:
        return [
            (doing.file.change.path, hunk.number, hunk.kind, len(hunk.edits))
            for doing in doings(repository, change, paths)
            for hunk in doing.file.hunks
        ]


def test_edits_of_a_text_are_hunks_and_all_else_is_one(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    shop.commit("a", b="b\n", f=LINES, gone="gone\n", m="m\n")
    (tmp_path / "m").chmod(0o755)
    shop.write("gone", None)
    shop.write("f", None)
    moved = LINES.replace("2\n", "two\n", 1).replace("4\n", "four\n", 1)
    shop.commit("b", g=moved.replace("15", "fifteen"), b="\0")
    every = [
        (b"b", 1, "modified", 0),
        (b"g", 2, "renamed", 0),
        (b"g", 3, "text", 2),
        (b"g", 4, "text", 1),
        (b"gone", 5, "deleted", 0),
        (b"m", 6, "mode", 0),
    ]
    assert told(shop, 2) == every
    assert told(shop, 2, b"f") == [(p, n - 1, k, e) for p, n, k, e in every[1:4]]
    assert [each[:3] for each in told(shop, 1)] == [
        (path, number, "added") for number, path in enumerate([b"b", b"f", b"gone", b"m"], 1)
    ]


def test_a_resolution_is_one_hunk(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    shop.commit("a", f=LINES)
    shop.switch("main", "topic")
    shop.commit("b", f=LINES.replace("2\n", "two\n", 1).replace("15", "fifteen"))
    shop.switch(name(shop, 1).decode(), "other")
    shop.commit("c", f=LINES.replace("2\n", "zwei\n", 1))
    with shop.copy() as copy:
        merge(copy, [b"topic"])
    shop.commit("d", f=LINES.replace("2\n", "both\n", 1))
    assert told(shop, 4) == [(b"f", 1, "modified", 0)]
