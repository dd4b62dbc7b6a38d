import os
import subprocess
from pathlib import Path

from oxy.actions.patch import (
    EXECUTABLE,
    REGULAR,
    SUBREPO,
    SYMLINK,
    FileDiff,
    lines_of,
    parts,
    pinned,
)


def patch(*diffs: FileDiff) -> bytes:
    return b"".join(line + b"\n" for diff in diffs for line in lines_of(diff))


def changed(path: bytes, old: bytes, new: bytes) -> FileDiff:
    return FileDiff(path, path, REGULAR, REGULAR, old, new)


def test_an_edit_has_both_names_and_hunks() -> None:
    assert patch(changed(b"f", b"a\nb\n", b"a\nc\n")) == (
        b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    )


def test_a_new_file_comes_from_nowhere() -> None:
    assert patch(FileDiff(None, b"f", None, EXECUTABLE, None, b"a\n")) == (
        b"diff --git a/f b/f\nnew file mode 100755\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"
    )


def test_a_deleted_file_goes_nowhere() -> None:
    assert patch(FileDiff(b"f", None, REGULAR, None, b"a", None)) == (
        b"diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n"
        b"-a\n\\ No newline at end of file\n"
    )


def test_a_rename_alone_has_no_hunk() -> None:
    assert patch(FileDiff(b"f", b"d/g", REGULAR, EXECUTABLE, b"a\n", b"a\n")) == (
        b"diff --git a/f b/d/g\nold mode 100644\nnew mode 100755\nsimilarity index 100%\n"
        b"rename from f\nrename to d/g\n"
    )


def test_a_file_that_became_a_symlink_is_deleted_and_made() -> None:
    diff = FileDiff(b"f", b"f", REGULAR, SYMLINK, b"a\n", b"target")
    assert [(part.old_mode, part.new_mode) for part in parts(diff)] == [
        (REGULAR, None),
        (None, SYMLINK),
    ]


def test_binary_content_without_a_source_is_only_said_to_differ() -> None:
    assert patch(FileDiff(b"f", b"f", REGULAR, REGULAR, b"\0", b"\0\0", binary=True)) == (
        b"diff --git a/f b/f\nBinary files a/f and b/f differ\n"
    )


def test_a_pin_is_shown_as_git_shows_it() -> None:
    diff = FileDiff(None, b"s", None, SUBREPO, None, pinned(b"\x12" * 20))
    assert patch(diff).endswith(b"+Subproject commit " + b"12" * 20 + b"\n")


def test_git_takes_the_patch(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path)
    names = {
        b"edit me": b"1\r\n2\n3",
        b"gone": b"x\n",
        b"m\xffve": b"a\nb\nc\n",
        b"exec": b"e\n",
    }
    for name, data in names.items():
        with open(os.path.join(root, name), "wb") as file:
            file.write(data)
    made = patch(
        changed(b"edit me", b"1\r\n2\n3", b"1\r\nz\n3\n"),
        FileDiff(b"gone", None, REGULAR, None, b"x\n", None),
        FileDiff(None, b"new/f", None, REGULAR, None, b"\xe9\n"),
        FileDiff(None, b"empty", None, REGULAR, None, b""),
        FileDiff(None, b"link", None, SYMLINK, None, b"exec"),
        FileDiff(b"m\xffve", b"moved", REGULAR, REGULAR, b"a\nb\nc\n", b"a\nB\nc\n"),
        FileDiff(b"exec", b"exec", REGULAR, EXECUTABLE, b"e\n", b"e\n"),
    )
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "-"], input=made, cwd=tmp_path, check=True)
    found = {
        name: (tmp_path / name).read_bytes()
        for name in ("edit me", "new/f", "empty", "moved", "exec")
    }
    assert found == {
        "edit me": b"1\r\nz\n3\n",
        "new/f": b"\xe9\n",
        "empty": b"",
        "moved": b"a\nB\nc\n",
        "exec": b"e\n",
    }
    assert os.readlink(tmp_path / "link") == "exec"
    assert os.access(tmp_path / "exec", os.X_OK)
    assert not (tmp_path / "gone").exists()
