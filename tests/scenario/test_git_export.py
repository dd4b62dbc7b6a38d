"""`oxy git export` through the real command line, to the letter."""

import re
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk
from tests.builders.gitrepo import GitRepo

HEX = re.compile(r"\b[0-9a-f]{7,40}\b")


@pytest.fixture
def desk(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "desk").mkdir()
    desk = Desk(tmp_path / "desk", capfdbinary)
    desk.says("init")
    desk.write("f", "a\nb\nc\n")
    desk.commit("One")
    desk.says("bookmark", "other")
    return desk


def out(desk: Desk) -> str:
    return str(desk.root.parent / "out")


def said(desk: Desk, *words: str) -> str:
    return desk.says("git", "export", *words).replace(str(desk.root.parent), "ROOT")


def subjects(desk: Desk, *words: str) -> list[str]:
    git = GitRepo.at(Path(out(desk)))
    return git.git("log", "--format=%s", *words).decode().splitlines()


def test_what_was_recorded_is_a_history_of_git(desk: Desk) -> None:
    desk.write("f", "a\nB\nc\n")
    desk.write("bin/run", "#!/bin/sh\n").chmod(0o755)
    (desk.root / "link").symlink_to("f")
    desk.commit("Two\n\nAnd why.")
    desk.says("tag", "v1")
    assert said(desk, out(desk)) == (
        "exported to ROOT/out\n2 commits; 9 objects sent\n3 refs moved\n"
    )
    git = GitRepo.at(Path(out(desk)))
    assert git.git("status", "--porcelain", "--branch") == b"## main\n"
    assert git.git("ls-tree", "-r", "--format=%(objectmode) %(path)", "v1").decode() == (
        "100755 bin/run\n100644 f\n120000 link\n"
    )
    raw = git.git("cat-file", "commit", "main").decode()
    assert HEX.sub("HEX", re.sub(r"> \d+", "> TIME", raw)) == (
        "tree HEX\nparent HEX\nauthor Ada Lovelace <ada@example.org> TIME +0000\n"
        "committer Ada Lovelace <ada@example.org> TIME +0000\n"
        f"oxy-change {'0' * 64}\n\nTwo\n\nAnd why.\n"
    ).replace("0" * 64, re.findall(r"oxy-change ([0-9a-f]{64})", raw)[0])
    git.git("fsck", "--strict")


def test_two_exports_are_the_same(desk: Desk) -> None:
    said(desk, out(desk))
    said(desk, out(desk) + "2", "--bare")
    one, two = (GitRepo.at(Path(out(desk) + end)) for end in ("", "2"))
    assert one.git("rev-parse", "main", "other") == two.git("rev-parse", "main", "other")
    assert said(desk, out(desk)) == (
        "exported to ROOT/out\n0 commits; 1 was there; 0 objects sent\n0 refs moved\n"
    )


def test_where_lines_of_work_meet_there_is_a_merge_commit(desk: Desk) -> None:
    desk.write("f", "a\nb\nC\n")
    desk.commit("Two")
    desk.says("switch", "other")
    desk.write("g", "g\n")
    desk.commit("Three")
    desk.says("merge", "main")
    assert said(desk, out(desk), "--dry-run") == (
        "a merge commit unites ID, ID\n4 commits, 2 refs; nothing is done\n"
    )
    assert not Path(out(desk)).exists()
    said(desk, out(desk))
    git = GitRepo.at(Path(out(desk)))
    assert len(git.git("rev-list", "--max-count=1", "--parents", "other").split()) == 3
    assert (Path(out(desk)) / "f").read_text() == "a\nb\nC\n"
    desk.write("g", "G\n")
    desk.commit("Four")
    git.git("checkout", "-q", "--detach")
    assert said(desk, out(desk)).endswith(
        "1 commit; 4 were there; 3 objects sent\n1 ref moved\n"
    )


def test_a_conflict_is_refused_with_its_files_and_folded_once_it_is_resolved(
    desk: Desk,
) -> None:
    desk.write("f", "a\nX\nc\n")
    desk.commit("Two")
    desk.says("switch", "other")
    desk.write("f", "a\nY\nc\n")
    desk.write("g", "g\n")
    desk.commit("Three")
    desk.run("merge", "main")
    assert desk.refuses("git", "export", out(desk), code=2) == (
        "oxy: Git has no conflicts in its trees; resolve first: 'f' (other)\n"
    )
    assert not Path(out(desk)).exists()
    desk.write("g", "G\n")
    desk.commit("Not yet", "g")
    desk.write("f", "a\nXY\nc\n")
    desk.commit("Resolved")
    assert said(desk, out(desk)) == (
        "1 change is part of the commit after it, as there was a conflict\n"
        "in its state, or a state has it without what it builds on:\n"
        "  ID Not yet\n"
        "exported to ROOT/out\n4 commits; 14 objects sent\n2 refs moved\n"
    )
    assert sorted(subjects(desk, "--all")) == ["One", "Resolved", "Three", "Two"]
    assert subjects(desk, "--merges", "--all") == ["Resolved"]


def test_a_state_without_a_change_that_others_were_recorded_on(desk: Desk) -> None:
    desk.write("g", "g\n")
    middle = desk.commit("Middle")
    desk.write("f", "a\nB\nc\n")
    desk.commit("Last")
    desk.says("unrecord", middle)
    desk.says("bookmark", "-d", "other")
    text = said(desk, out(desk))
    assert text.startswith("a merge commit unites ID\n1 change is part of the commit after")
    git = GitRepo.at(Path(out(desk)))
    assert git.git("ls-tree", "--name-only", "main") == b"f\n"
    assert git.git("show", "main:f") == b"a\nB\nc\n"
    assert len(subjects(desk, "main")) == 2


def test_something_else_is_in_the_way(desk: Desk) -> None:
    (desk.root.parent / "out").mkdir()
    (desk.root.parent / "out/file").touch()
    where = out(desk)
    assert desk.refuses("git", "export", where, code=2).replace(where, "OUT") == (
        "oxy: 'OUT' is neither empty nor a Git repository\n"
    )
    assert desk.refuses("git", "export", where + "2", "none", code=2) == (
        "oxy: there is no bookmark or tag 'none'\n"
    )


def test_the_branch_that_is_checked_out_there_stays(desk: Desk) -> None:
    said(desk, out(desk))
    desk.write("f", "a\n")
    desk.commit("Two")
    assert desk.run("git", "export", out(desk)) == 1
    assert desk.out.endswith(
        "0 refs moved\nnot moved: refs/heads/main: it is checked out there\n"
    )


def test_what_is_exported_as_records(desk: Desk) -> None:
    found = desk.record("git", "export", out(desk))
    del found["path"]
    assert found == {
        "commits": 1,
        "added": 1,
        "objects": 3,
        "refs": ["refs/heads/main", "refs/heads/other"],
        "refused": [],
    }
