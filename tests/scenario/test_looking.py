"""Looking back, through the real command line, compared to the letter."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oxy.cli.main import main
from oxy.repo.refs import HERE, Target, pack_target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import REF
from oxy.repo.writing import writing
from tests.builders.history import History, Made

CURRENT = (
    "the working copy is on the bookmark 'main'\nhint: go elsewhere with `oxy switch` first"
)
EVE = b"Eve \x1b[31m <eve@example.org>"


class Desk:
    """A repository, and what commands say in it."""

    def __init__(
        self, root: Path, history: History, capture: pytest.CaptureFixture[bytes]
    ) -> None:
        self.root = root
        self.history = history
        self._capture = capture

    def says(self, *words: str, where: str = ".") -> str:
        assert self.run(*words, where=where) == 0, self.err
        return self.out

    def run(self, *words: str, where: str = ".") -> int:
        self._capture.readouterr()
        code = main(["-C", str(self.root / where), *words])
        out, err = self._capture.readouterr()
        self.out, self.err = out.decode(), err.decode()
        return code

    def records(self, *words: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.says(*words, "--json").splitlines()]

    def short(self, change: int) -> str:
        return self.history.id(change).hex()[:12]


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Desk]:
    monkeypatch.setenv("OXY_AUTHOR", "Ada Lovelace <ada@example.org>")
    repository = Repository.create(bytes(tmp_path))
    (tmp_path / "src").mkdir()
    yield Desk(tmp_path, History(repository), capfdbinary)
    repository.close()


def story(desk: Desk) -> list[int]:
    """Record a fork and its join; return the changes."""
    commit = desk.history.commit
    base = commit({b"src/poem": b"one\ntwo\nthree\n", b"run": Made(b"go\n", mode=1)})
    left = commit({b"src/poem": b"ONE\ntwo\nthree\n"}, base, message=b"Shout\n\nLoudly.\n")
    right = commit(
        {b"src/poem": b"one\ntwo\nthree\nfour"}, base, message=b"Go on\r\n", author=EVE
    )
    join = commit({}, left, right, message=b"Join")
    return [base, left, right, join]


def test_log_tells_the_newest_first(desk: Desk) -> None:
    base, left, right, join = map(desk.short, story(desk))
    assert desk.says("log") == (
        f"change {join} [main]\n"
        "author: Ada Lovelace <ada@example.org>\n"
        "date:   2023-11-15 03:13:20 +0100\n"
        "\n"
        "    Join\n"
        "\n"
        f"change {right}\n"
        "author: Eve \\x1b[31m <eve@example.org>\n"
        "date:   2023-11-15 02:13:20 +0100\n"
        "\n"
        "    Go on\n"
        "\n"
        f"change {left}\n"
        "author: Ada Lovelace <ada@example.org>\n"
        "date:   2023-11-15 01:13:20 +0100\n"
        "\n"
        "    Shout\n"
        "\n"
        "    Loudly.\n"
        "\n"
        f"change {base}\n"
        "author: Ada Lovelace <ada@example.org>\n"
        "date:   2023-11-15 00:13:20 +0100\n"
        "\n"
        "    change\n"
        "\n"
    )


def test_log_draws_forks_and_joins(desk: Desk) -> None:
    base, left, right, join = map(desk.short, story(desk))
    lines = [f"* {join} [main] Join", "|\\", f"| * {right} Go on", f"* | {left} Shout"]
    lines += ["|/", f"* {base} change", ""]
    assert desk.says("log", "--graph", "--oneline") == "\n".join(lines)


def test_log_as_json_has_an_object_a_line(desk: Desk) -> None:
    changes = story(desk)
    base, left, right, join = (desk.history.id(change).hex() for change in changes)
    found = desk.records("log", "main", "-n", "2")
    assert found[0] == {
        "id": join,
        "author": "Ada Lovelace <ada@example.org>",
        "date": "2023-11-15T03:13:20+01:00",
        "message": "Join",
        "context": sorted([left, right]),
        "deps": [],
    }
    assert [record["id"] for record in found] == [join, right]
    assert found[1]["deps"] == [base]


def test_an_unknown_state_is_answered_with_near_names(desk: Desk) -> None:
    story(desk)
    assert desk.run("log", "mian") == 2
    assert desk.err == (
        "oxy: no bookmark, tag or change is called 'mian'\nhint: did you mean main?\n"
    )


def test_show_is_a_header_and_a_patch(desk: Desk) -> None:
    left = story(desk)[1]
    assert desk.says("show", desk.short(left)) == (
        f"change {desk.short(left)}\n"
        "author: Ada Lovelace <ada@example.org>\n"
        "date:   2023-11-15 01:13:20 +0100\n"
        "\n"
        "    Shout\n"
        "\n"
        "    Loudly.\n"
        "\n"
        "diff --git a/src/poem b/src/poem\n"
        "--- a/src/poem\n"
        "+++ b/src/poem\n"
        "@@ -1,3 +1,3 @@\n"
        "-one\n"
        "+ONE\n"
        " two\n"
        " three\n"
    )


def added(path: str, mode: str, lines: str) -> dict[str, object]:
    count = lines.count("+")
    at = "1" if count == 1 else f"1,{count}"
    hunk = {"old_start": 0, "old_lines": 0, "new_start": 1, "new_lines": count, "lines": lines}
    return {
        "path": path,
        "kind": "added",
        "old_mode": None,
        "new_mode": mode,
        "binary": False,
        "added": count,
        "removed": 0,
        "patch": f"diff --git a/{path} b/{path}\nnew file mode {mode}\n"
        f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +{at} @@\n{lines}",
        "hunks": [hunk],
    }


def test_show_as_json_has_the_patch_of_each_file(desk: Desk) -> None:
    base = story(desk)[0]
    (record,) = desk.records("show", desk.short(base))
    assert record["files"] == [
        added("run", "100755", "+go\n"),
        added("src/poem", "100644", "+one\n+two\n+three\n"),
    ]


def test_blame_names_the_change_of_each_line_through_a_join(desk: Desk) -> None:
    base, left, right, _ = map(desk.short, story(desk))
    assert desk.says("blame", "poem", where="src") == (
        f"{left} Ada Lovelace 2023-11-15 01:13:20 +0100 1 ONE\n"
        f"{base} Ada Lovelace 2023-11-15 00:13:20 +0100 2 two\n"
        f"{base} Ada Lovelace 2023-11-15 00:13:20 +0100 3 three\n"
        f"{right} Eve \\x1b[31m 2023-11-15 02:13:20 +0100 4 four\n"
    )


def test_blame_as_json_has_an_object_for_each_line(desk: Desk) -> None:
    changes = story(desk)
    found = desk.records("blame", "src/poem", "--at", desk.short(changes[1]))
    assert [(record["line"], record["text"]) for record in found] == [
        (1, "ONE"),
        (2, "two"),
        (3, "three"),
    ]
    assert found[1] == {
        "line": 2,
        "text": "two",
        "change": desk.history.id(changes[0]).hex(),
        "author": "Ada Lovelace <ada@example.org>",
        "date": "2023-11-15T00:13:20+01:00",
    }


def test_cat_writes_a_file_of_any_state(desk: Desk) -> None:
    changes = story(desk)
    assert desk.says("cat", "src/poem") == "ONE\ntwo\nthree\nfour"
    assert desk.says("cat", "poem", "--at", desk.short(changes[0]), where="src") == (
        "one\ntwo\nthree\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("cat", "none"), "there is no file none in this state"),
        (("cat", "src"), "src is a directory in this state"),
        (("cat", "."), "the root is a directory in this state"),
        (("blame", "pixels"), "pixels is not a text: it has no lines"),
    ],
)
def test_what_cannot_be_looked_at_is_said(
    desk: Desk, *, words: tuple[str, ...], message: str
) -> None:
    desk.history.commit({b"src/poem": b"one\n", b"pixels": Made(b"\0", kind=2)})
    assert desk.run(*words) == 2
    assert desk.err == f"oxy: {message}\n"


def test_a_path_outside_is_refused(desk: Desk) -> None:
    story(desk)
    assert desk.run("blame", "../x") == 2
    assert desk.err == f"oxy: ../x is outside the working copy {desk.root}\n"


def test_files_are_listed_from_where_the_user_stands(desk: Desk) -> None:
    story(desk)
    assert desk.says("files") == "run\nsrc/poem\n"
    assert desk.says("files", where="src") == "../run\npoem\n"
    assert desk.says("files", "main", "-z") == "run\0src/poem\0"
    assert desk.records("files")[0] == {"path": "run", "kind": "text", "mode": "100755"}


def test_bookmarks_are_made_moved_renamed_and_deleted(desk: Desk) -> None:
    base, left, _, join = map(desk.short, story(desk))
    assert desk.says("bookmark", "try", base) == ""
    assert desk.says("bookmark") == (
        f"* main {join}  4 changes  Join\n  try  {base}  1 change   change\n"
    )
    assert desk.says("bookmark", "--move", "try", left) == ""
    assert desk.says("bookmark", "-m", "main", "trunk") == ""
    assert desk.says("bookmark") == (
        f"* trunk {join}  4 changes  Join\n  try   {left}  2 changes  Shout\n"
    )
    assert desk.says("bookmark", "-d", "try") == ""
    (record,) = desk.records("bookmark")
    assert record == {
        "name": "trunk",
        "state": [desk.history.id(4).hex()],
        "current": True,
        "changes": 4,
        "newest": desk.history.id(4).hex(),
        "message": "Join",
        "remotes": [],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bookmark", "main"), "there is a bookmark 'main' already"),
        (("bookmark", "Main"), "'Main' and 'main' would be one name on some file systems"),
        (("bookmark", "a..b"), "'a..b' is no name for a bookmark or tag: it holds .. or @{"),
        (("bookmark", "-d", "main"), CURRENT),
        (("bookmark", "--move", "main", "@"), CURRENT),
        (("bookmark", "-d", "zebra"), "there is no bookmark 'zebra'"),
        (("tag", "-d", "zebra"), "there is no tag 'zebra'"),
        (("op", "restore", "99"), "there is no operation 99: the newest is 4"),
    ],
)
def test_what_may_not_be_done_to_names_is_said(
    desk: Desk, *, words: tuple[str, ...], message: str
) -> None:
    story(desk)
    assert desk.run(*words) == 2
    assert desk.err == f"oxy: {message}\n"


def test_tags_are_made_and_deleted(desk: Desk) -> None:
    base, _, _, join = map(desk.short, story(desk))
    assert desk.says("tag", "v1", base, "-m", "First\nRelease") == ""
    assert desk.says("tag", "v2") == ""
    assert desk.says("tag") == f"v1 {base} First\nv2 {join}\n"
    assert desk.records("tag")[0]["message"] == "First\nRelease"
    assert desk.run("tag", "v1") == 2
    assert desk.err == "oxy: there is a tag 'v1' already\n"
    assert desk.says("tag", "-d", "v1") == ""
    assert desk.says("tag") == f"v2 {join}\n"


def test_the_operation_log_tells_what_moved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oxy.cli.clock.now", lambda: (1_700_100_000_000_000, 0))
    monkeypatch.setenv("OXY_AUTHOR", "eve")
    base, left, _, _ = map(desk.short, story(desk))
    desk.says("bookmark", "try", left)
    assert desk.says("op", "log", "-n", "1") == (
        f"5 2023-11-16 02:00:00 +0000 eve: bookmark try\n    bookmark try: nothing -> {left}\n"
    )
    assert desk.says("op", "log").endswith(
        "1 2023-11-15 00:13:20 +0100 ada: commit\n"
        f"    bookmark main: nothing -> {base}\n"
        f"    working copy: nothing -> {base} on main\n"
    )
    assert desk.records("op", "log", "-n", "1") == [
        {
            "operation": 5,
            "date": "2023-11-16T02:00:00+00:00",
            "user": "eve",
            "command": "bookmark try",
            "undoes": None,
            "moves": [
                {
                    "kind": "bookmark",
                    "name": "try",
                    "before": None,
                    "after": {"state": [desk.history.id(2).hex()]},
                }
            ],
        }
    ]


def test_names_go_back_to_what_they_were_after_an_operation(desk: Desk) -> None:
    base = desk.short(story(desk)[0])
    desk.says("tag", "v1")
    assert desk.says("op", "restore", "1") == "3 names moved\n"
    assert desk.says("bookmark") == f"* main {base}  1 change   change\n"
    assert desk.says("tag") == ""
    assert desk.says("op", "restore", "1") == "0 names moved\n"


def test_help_of_each_verb_has_an_example(desk: Desk) -> None:
    for words in ("log", "show", "blame", "cat", "files", "bookmark", "tag"):
        assert "example:\n  oxy " in desk.says(words, "-h")
    assert "example:\n  oxy op log" in desk.says("op", "log", "-h")


def test_a_checkpoint_keeps_a_tree_and_the_graphs_of_its_texts(desk: Desk) -> None:
    change = 0
    for n in range(6):
        change = desk.history.commit({b"a": b"%d\n" % n}, *([change] if change else []))
    assert desk.says("checkpoint") == "1 graphs kept anew\n"
    assert desk.records("checkpoint", "main") == [{"graphs": 0}]
    assert desk.says("fsck") == "nothing is wrong\n"


def test_fsck_tells_what_is_wrong_until_the_index_is_made_anew(desk: Desk) -> None:
    story(desk)
    with desk.history.repository.store.transaction() as transaction:
        transaction.put(REF, b"\x01main", pack_target(Target(Name((1,)))))
    assert desk.run("fsck") == 4
    assert desk.out == (
        "row: row 016d61696e of table 8 is not what it should be\n"
        "row: paths, lines and kept trees are read through rows, and were not checked\n"
        "2 things wrong\n"
    )
    assert desk.run("fsck", "--json") == 4
    assert json.loads(desk.out.splitlines()[0]) == {
        "area": "row",
        "what": "row 016d61696e of table 8 is not what it should be",
        "change": None,
        "path": None,
    }
    desk.history.repository.close()
    assert desk.says("fsck", "--rebuild") == "the index is made anew; nothing is damaged\n"
    assert desk.says("fsck") == "nothing is wrong\n"
    (record,) = desk.records("log", "main", "-n", "1")
    assert desk.says("show", str(record["id"])[:8]).startswith(f"change {record['id']}"[:19])


def test_blame_looks_past_what_it_is_told_to(desk: Desk) -> None:
    commit = desk.history.commit
    first = commit({b"f": b"one\ntwo\n"})
    second = commit({b"f": b"  one\ntwo\n"}, first)
    third = commit({b"f": b"  one\nTWO\n"}, second)

    def told(*words: str) -> list[object]:
        return [record["change"] for record in desk.records("blame", "f", *words)]

    ids = [desk.history.id(change).hex() for change in (first, second, third)]
    assert told() == ids[1:]
    assert told("-w") == [ids[0], ids[2]]
    assert told("--ignore-change", ids[2][:12]) == [ids[1], ids[0]]
    assert told("-w", "--ignore-change", "main") == [ids[0], ids[0]]
    assert desk.run("blame", "f", "--ignore-change", "nothing") == 2
    assert desk.err == "oxy: no bookmark, tag or change is called 'nothing'\n"


def test_blame_marks_the_sides_of_a_conflict(desk: Desk) -> None:
    commit = desk.history.commit
    base = commit({b"f": b"one\ntwo\n"})
    made = {text: commit({b"f": b"one\n%s\n" % text.encode()}, base) for text in "LR"}
    state = Name(tuple(made.values()))
    sides = sorted((desk.history.id(change).hex(), text) for text, change in made.items())
    with writing(desk.history.repository, desk.history.stamp()) as work:
        work.move(HERE, Target(state))
    (first, one), (second, other) = sides
    when = {"L": "01:13:20", "R": "02:13:20"}
    assert desk.says("blame", "f") == (
        f"{desk.short(base)} Ada Lovelace 2023-11-15 00:13:20 +0100 1     one\n"
        f"{first[:12]} Ada Lovelace 2023-11-15 {when[one]} +0100 2 1/2 {one}\n"
        f"{second[:12]} Ada Lovelace 2023-11-15 {when[other]} +0100 3 2/2 {other}\n"
    )
    assert [
        (record.get("conflict"), record.get("side"), record.get("sides"))
        for record in desk.records("blame", "f")
    ] == [(None, None, None), (1, 1, 2), (1, 2, 2)]
