import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.status import examined
from oxy.worktree.hunks import (
    TEXT,
    FileHunks,
    NoHunkError,
    Pick,
    hunks_of,
    selected,
)
from oxy.worktree.row import UNKNOWN
from oxy.worktree.snapshot import Snapshot
from oxy.worktree.workcopy import working_copy

TEN = "".join(f"{number}\n" for number in range(10))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    (tmp_path / "f").write_text(TEN)
    (tmp_path / "b").write_bytes(b"\0")
    (tmp_path / "gone").write_text("gone\n")
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")
    return tmp_path


def found(root: Path) -> list[FileHunks]:
    with working_copy(bytes(root)) as copy:
        return list(hunks_of(copy, examined(copy).changes))


def kinds(root: Path) -> list[tuple[bytes, int, str]]:
    return [(file.change.path, h.number, h.kind) for file in found(root) for h in file.hunks]


def chosen(root: Path, *picks: Pick) -> Snapshot:
    with working_copy(bytes(root)) as copy:
        return selected(copy, examined(copy), picks)


def test_what_is_no_edit_of_a_text_is_one_hunk(root: Path) -> None:
    (root / "f").write_bytes(b"\0" + TEN.encode())
    (root / "b").write_text("text\n")
    (root / "b").chmod(0o755)
    (root / "gone").unlink()
    (root / "link").symlink_to("f")
    assert kinds(root) == [
        (b"b", 1, "modified"),
        (b"f", 2, "modified"),
        (b"gone", 3, "deleted"),
        (b"link", 4, "added"),
    ]
    (root / "f").unlink()
    (root / "f").symlink_to("b")
    assert (b"f", 2, "kind") in kinds(root)


def test_a_move_a_mode_and_edits_of_a_text_are_hunks_of_their_own(root: Path) -> None:
    os.rename(root / "f", root / "g")
    (root / "g").write_text("first\n" + TEN + "last\n")
    (root / "g").chmod(0o755)
    assert kinds(root) == [
        (b"g", 1, "renamed"),
        (b"g", 2, "mode"),
        (b"g", 3, TEXT),
        (b"g", 4, TEXT),
    ]


def test_a_hunk_is_split_where_unchanged_lines_part_it(root: Path) -> None:
    (root / "f").write_text("0\none\n2\nthree\n" + TEN[8:])
    (file,) = found(root)
    (hunk,) = file.hunks
    assert file.shown(hunk).header() == b"@@ -1,7 +1,7 @@"
    first, second = file.parts(hunk)
    assert first.lines == [b" 0", b"-1", b"+one", b" 2"]
    assert second.lines == [b" 2", b"-3", b"+three", b" 4", b" 5", b" 6"]


def test_a_file_of_which_all_is_chosen_is_as_it_is_on_disk(root: Path) -> None:
    (root / "f").write_text("0\none\n2\nthree\n" + TEN[8:])
    (root / "b").write_bytes(b"\0b")
    both = chosen(root, Pick(2, 1), Pick(2, 2))
    assert [change.path for change in both.changes] == [b"f"]
    assert both.changes[0].record != UNKNOWN
    assert both.partly == ()
    assert both == chosen(root, Pick(2))


def test_of_a_file_of_which_a_part_is_chosen_nothing_on_disk_is_vouched_for(root: Path) -> None:
    (root / "f").write_text("0\none\n2\nthree\n" + TEN[8:])
    some = chosen(root, Pick(1, 2))
    ((path, loaded),) = some.partly
    assert (path, loaded.data) == (b"f", TEN.replace("3", "three").encode())
    assert [change.record for change in some.changes] == [UNKNOWN]


def test_nothing_is_chosen_where_nothing_is_picked(root: Path) -> None:
    (root / "f").write_text("edited\n")
    assert chosen(root).changes == ()
    with pytest.raises(NoHunkError) as caught:
        chosen(root, Pick(1), Pick(3))
    assert caught.value.hunk == 3
