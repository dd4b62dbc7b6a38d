import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.near import alike, recorded_alike, tracked_alike
from oxy.repo.trees import tree_of
from oxy.worktree.workcopy import working_copy


def test_names_that_look_alike_are_found() -> None:
    assert alike(b"mian", [b"main", b"topic", b"\xff"]) == ("main",)
    assert alike(b"\xff\xfe\xfd", [b"\xff\xfe", b"x"]) == (os.fsdecode(b"\xff\xfe"),)
    assert alike(b"x", []) == ()


def test_paths_beside_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXY_AUTHOR", "Ada <a@x>")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/reading").write_text("1\n")
    init(bytes(tmp_path))
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(), lambda _: b"x")
    (tmp_path / "d/reading").unlink()
    (tmp_path / "d/readme").write_text("1\n")
    with working_copy(bytes(tmp_path)) as copy:
        copy.look()
        root = tree_of(copy.repository, copy.base.state)
        assert set(tracked_alike(copy, b"d/readin")) == {"d/reading", "d/readme"}
        assert recorded_alike(root, b"d/readin") == ("d/reading",)
        assert tracked_alike(copy, b"e/readin") == recorded_alike(root, b"e/readin") == ()
        assert recorded_alike(root, b"d/reading/x") == ()
        assert tracked_alike(copy, b"dd") == ("d",)
