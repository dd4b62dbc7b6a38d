import io
import os
import shutil
import stat
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from oxy.actions.archive import (
    InConflictError,
    PrefixError,
    Request,
    UnzippableNameError,
    archive,
)
from oxy.actions.commit import Request as Commit
from oxy.actions.commit import commit
from oxy.actions.init import init
from oxy.actions.tree import NoPathError
from oxy.model.change import Moment
from oxy.model.operation import KIND_BINARY
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.worktree.workcopy import working_copy
from tests.builders.history import History, Made
from tests.builders.tree import File, Tree, make

FILES: Tree = {
    "a": File(b"one\ntwo"),
    "d/run": File(b"go\n", executable=True),
    "d/ä" + "long" * 40: File(b"x\n"),
    "d/empty": File(b""),
    "big": File(b"\0" * 3_000_000),
    "link": File(b"d/run", is_link=True),
}
TIME = Moment(1_700_000_000_000_000, 60)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    make(tmp_path, FILES)
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Commit(author=b"Ada <a@x>", time=TIME), lambda _: b"base")
    return tmp_path


def made(root: Path, kind: str, prefix: bytes = b"", *paths: bytes) -> bytes:
    with working_copy(bytes(root)) as copy:
        request = Request(copy.base.state, paths, prefix)
        return b"".join(archive(copy.repository, request, kind))


def in_tar(data: bytes) -> Tree:
    found: Tree = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:
        for member in opened:
            if member.issym():
                found[member.name] = File(os.fsencode(member.linkname), is_link=True)
            elif member.isfile():
                file = opened.extractfile(member)
                assert file is not None
                found[member.name] = File(file.read(), bool(member.mode & 0o100))
    return found


def in_zip(data: bytes) -> Tree:
    found: Tree = {}
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        assert opened.testzip() is None
        for info in opened.infolist():
            mode = info.external_attr >> 16
            is_link = stat.S_ISLNK(mode)
            executable = bool(mode & 0o100) and not is_link
            found[info.filename] = File(opened.read(info), executable, is_link)
    return found


def test_an_archive_holds_what_git_s_does(root: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    tree = subprocess.run(["git", "write-tree"], cwd=root, check=True, capture_output=True)
    command = ["git", "archive", "--prefix=p/", tree.stdout.decode().strip()]
    theirs = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout
    wanted = in_tar(theirs)
    assert wanted == {"p/" + name: file for name, file in FILES.items()}
    assert in_tar(made(root, "tar", b"p/")) == wanted
    assert in_tar(made(root, "tar.gz", b"p/")) == wanted
    assert in_zip(made(root, "zip", b"p/")) == wanted


@pytest.mark.parametrize("kind", ["tar", "tar.gz", "zip"])
def test_the_same_state_gives_the_same_bytes(root: Path, kind: str) -> None:
    first = made(root, kind)
    os.utime(root / "a")
    shutil.rmtree(root / ".oxy/cache")
    assert made(root, kind) == first


def test_files_are_of_nobody_and_of_the_time_of_the_newest_change(root: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(made(root, "tar"))) as opened:
        members = opened.getmembers()
    assert [member.name for member in members] == sorted(FILES, key=os.fsencode)
    assert {(m.uid, m.gid, m.uname, m.gname, m.mtime) for m in members} == {
        (0, 0, "", "", 1_700_000_000)
    }


def test_paths_narrow_it(root: Path) -> None:
    assert in_tar(made(root, "tar", b"", b"d/run")) == {"d/run": FILES["d/run"]}
    with pytest.raises(NoPathError):
        made(root, "tar", b"", b"none")


@pytest.mark.parametrize("prefix", [b"../", b"/tmp/", b"a//", b".git/"])
def test_a_prefix_that_leads_elsewhere_is_refused(root: Path, prefix: bytes) -> None:
    with pytest.raises(PrefixError):
        made(root, "tar", prefix)


def test_a_name_that_is_not_utf_8_goes_into_a_tar_alone(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path))
    try:
        change = History(repository).commit(
            {b"\xff": b"x\n", b"b": Made(b"\0", kind=KIND_BINARY)}
        )
        request = Request(Name((change,)))
        data = b"".join(archive(repository, request, "tar"))
        assert in_tar(data) == {"\udcff": File(b"x\n"), "b": File(b"\0")}
        with pytest.raises(UnzippableNameError):
            archive(repository, request, "zip")
    finally:
        repository.close()


def test_a_state_in_conflict_is_refused_with_what_is(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path))
    try:
        history = History(repository)
        base = history.commit({b"f": b"a\n", b"g": b"x\n"})
        sides = [history.commit({b"f": text}, base) for text in (b"b\n", b"c\n")]
        state = repository.states.join(tuple(map(repository.states.name_of_change, sides)))
        with pytest.raises(InConflictError) as caught:
            archive(repository, Request(state), "tar")
        assert caught.value.paths == (b"f",)
        assert in_tar(b"".join(archive(repository, Request(state, (b"g",)), "tar"))) == {
            "g": File(b"x\n")
        }
    finally:
        repository.close()
