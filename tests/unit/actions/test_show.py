from pathlib import Path

import pytest

from oxy.actions.patch import lines_of
from oxy.actions.show import show
from oxy.diff.literal import encoded
from oxy.model.operation import KIND_BINARY, KIND_SUBREPO, KIND_SYMLINK
from oxy.repo.repository import Repository
from tests.builders.history import History, Made


@pytest.fixture
def history() -> History:
    return History(Repository.in_memory())


def patch(history: History, change: int) -> bytes:
    return b"".join(
        line + b"\n" for diff in show(history.repository, change) for line in lines_of(diff)
    )


def test_a_first_change_adds_its_files_in_order_of_paths(history: History) -> None:
    change = history.commit(
        {
            b"b": b"x\ny",
            b"a/run": Made(b"go\n", mode=1),
            b"bin": Made(b"\0", kind=KIND_BINARY),
            b"link": Made(b"b", kind=KIND_SYMLINK),
            b"sub": Made(b"\x12" * 20, kind=KIND_SUBREPO),
        }
    )
    assert patch(history, change) == (
        b"diff --git a/a/run b/a/run\nnew file mode 100755\n"
        b"--- /dev/null\n+++ b/a/run\n@@ -0,0 +1 @@\n+go\n"
        b"diff --git a/b b/b\nnew file mode 100644\n"
        b"--- /dev/null\n+++ b/b\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"
        b"diff --git a/bin b/bin\nnew file mode 100644\n"
        b"index 0000000000000000000000000000000000000000"
        b"..f76dd238ade08917e6712764a16a22005a50573d\nGIT binary patch\n"
        + b"".join(line + b"\n" for line in (*encoded(1, [b"\0"]), *encoded(0, [])))
        + b"diff --git a/link b/link\nnew file mode 120000\n"
        b"--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n"
        b"diff --git a/sub b/sub\nnew file mode 160000\n"
        b"--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit " + b"12" * 20 + b"\n"
    )


def test_an_edit_that_moves_a_file_is_a_rename_with_a_hunk(history: History) -> None:
    first = history.commit({b"old": b"a\nb\nc\n"})
    second = history.commit({b"new": Made(b"a\nX\nc\n", moved_from=b"old")}, first)
    assert patch(history, second) == (
        b"diff --git a/old b/new\nrename from old\nrename to new\n"
        b"--- a/old\n+++ b/new\n@@ -1,3 +1,3 @@\n a\n-b\n+X\n c\n"
    )


def test_a_deletion_shows_what_was_there(history: History) -> None:
    first = history.commit({b"f": b"a\n", b"g": b"x\n"})
    second = history.commit({b"f": None}, first)
    assert patch(history, second) == (
        b"diff --git a/f b/f\ndeleted file mode 100644\n"
        b"--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )


def test_a_change_is_shown_against_what_it_was_recorded_on(history: History) -> None:
    first = history.commit({b"f": b"a\nb\nc\nd\ne\n"})
    history.commit({b"f": b"a\nB\nc\nd\ne\n"}, first)
    other = history.commit({b"f": b"a\nb\nc\nd\nE\n"}, first)
    assert b"-e\n+E\n" in patch(history, other)
    assert b"B" not in patch(history, other)


def test_a_repository_on_disk_shows_the_same(tmp_path: Path) -> None:
    repository = Repository.create(bytes(tmp_path))
    try:
        change = History(repository).commit({b"f": b"a\n"})
        assert len(list(show(repository, change))) == 1
    finally:
        repository.close()
