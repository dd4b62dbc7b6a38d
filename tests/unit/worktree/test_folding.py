import os
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.switch import switch
from oxy.worktree import checkout
from oxy.worktree.folding import NamesFoldError, folds, refuse_folding
from oxy.worktree.workcopy import working_copy


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ([b"a", b"A"], (b"A", b"a")),
        ([b"Dir/x", b"dir/y"], (b"dir", b"Dir")),
        (["caf\u00e9".encode(), "cafe\u0301".encode()], None),
    ],
)
def test_two_names_that_fold_together_are_refused(
    paths: list[bytes], found: tuple[bytes, bytes] | None
) -> None:
    with pytest.raises(NamesFoldError) as caught:
        refuse_folding(paths)
    assert found in {None, (caught.value.path, caught.value.other)}


def test_names_that_differ_otherwise_may_stand_beside_each_other() -> None:
    refuse_folding([b"a", b"b", b"d/a", b"d/b", b"a"])


def test_a_file_system_that_tells_case_apart_does_not_fold(tmp_path: Path) -> None:
    (tmp_path / ".oxy").mkdir()
    fd = os.open(tmp_path, os.O_RDONLY)
    assert not folds(fd)
    (tmp_path / ".OXY").symlink_to(".oxy")
    assert not folds(fd)
    (tmp_path / ".OXY").unlink()
    os.close(fd)


def test_nothing_is_written_where_names_would_fold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init(bytes(tmp_path))
    (tmp_path / "a").write_text("1\n")
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")
        switch(copy, b"@", b"topic")
    (tmp_path / "A").write_text("2\n")
    (tmp_path / "c").write_text("3\n")
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"x")
        switch(copy, b"main")
    monkeypatch.setattr(checkout, "folds", lambda _: True)
    with working_copy(bytes(tmp_path)) as copy, pytest.raises(NamesFoldError):
        switch(copy, b"topic")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".oxy", "a"]
