import pytest

from oxy.diff import reading
from oxy.diff.literal import encoded
from oxy.diff.reading import FilePatch, HunkText, PatchError, read

EDIT = b"@@ -1 +1 @@\n-a\n+b\n"
HUNK = HunkText(1, (b"a\n",), (b"b\n",), 0, 0)


def test_a_patch_of_git_tells_of_each_file() -> None:
    patch = (
        b"Hello\n\ndiff --git a/d/f b/d/f\nold mode 100644\nnew mode 100755\n"
        b"index 12..34\n--- a/d/f\n+++ b/d/f\n" + EDIT + b"diff --git a/x y b/x y\n"
        b"new file mode 100644\nindex 0000..e69d\n"
        b'diff --git "a/q\\"" "b/q\\""\ndeleted file mode 100644\n'
        b'--- "a/q\\""\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n'
        b"\\ No newline at end of file\n-- \n2.3\n"
    )
    assert read(patch) == [
        FilePatch(3, b"d/f", b"d/f", 0o100644, 0o100755, hunks=(HUNK,)),
        FilePatch(12, None, b"x y", None, 0o100644),
        FilePatch(15, b'q"', None, 0o100644, None, hunks=(HunkText(1, (b"a",), (), 0, 0),)),
    ]


def test_renames_and_copies_are_told_by_their_lines() -> None:
    patch = (
        b"diff --git a/old name b/new\nsimilarity index 100%\nrename from old name\n"
        b'rename to new\ndiff --git a/new "b/\\303\\244"\ncopy from new\ncopy to "\\303\\244"\n'
    )
    assert read(patch) == [
        FilePatch(1, b"old name", b"new"),
        FilePatch(5, b"new", "ä".encode(), is_copy=True),
    ]


def test_a_plain_diff_names_the_file_by_its_new_name() -> None:
    patch = b"--- a/f.orig\t2020-01-01\n+++ b/f\t2020-01-02\n" + EDIT
    assert read(patch) == [FilePatch(1, b"f", b"f", hunks=(HUNK,))]


@pytest.mark.parametrize(
    ("names", "strip", "path"),
    [
        ((b"f", b"f"), 0, b"f"),
        ((b"x/y/d/f", b"x/y/d/f"), 2, b"d/f"),
        ((b"/dev/null", b"d/f"), 0, b"d/f"),
    ],
)
def test_as_many_components_of_names_are_left_away_as_is_said(
    names: tuple[bytes, bytes], strip: int, path: bytes
) -> None:
    (file,) = read(b"--- %b\n+++ %b\n" % names + EDIT, strip=strip)
    assert file.new_path == path


def test_names_of_renames_have_one_component_less_to_lose() -> None:
    patch = b"diff --git a/x/old a/x/new\nrename from x/old\nrename to x/new\n"
    for strip, start in ((0, b"x/"), (1, b"x/"), (2, b"")):
        (file,) = read(patch, strip=strip)
        assert (file.old_path, file.new_path) == (start + b"old", start + b"new")


def test_an_empty_line_is_one_that_lost_its_space() -> None:
    (file,) = read(b"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n\n-a\n+b\n")
    assert file.hunks == (HunkText(1, (b"\n", b"a\n"), (b"\n", b"b\n"), 1, 0),)


def test_what_is_no_patch_is_passed_over() -> None:
    assert read(b"--- a\n+++ b\nno hunk\n@@ -1 +1 @@\n") == []


@pytest.mark.parametrize(
    ("patch", "line", "rule"),
    [
        (b"diff --git a/../f b/../f\nnew file mode 100644\n", 1, "is . or .."),
        (b"--- a//etc/f\n+++ b//etc/f\n" + EDIT, 1, "is empty"),
        (b"--- a/.oxy/x\n+++ b/.oxy/x\n" + EDIT, 1, "spelling of .oxy"),
        (b"--- a/d/.GIT/x\n+++ b/d/.GIT/x\n" + EDIT, 1, "spelling of .oxy"),
        (b'--- "a/x\\n"\n+++ "b/x\\n"\n' + EDIT, 1, "control byte"),
        (b"--- f\n+++ f\n" + EDIT, 1, "no 1 components"),
        (b'--- "a/f\n+++ b/f\n' + EDIT, 1, "badly quoted"),
        (b"diff --git a/f b/f\n--- a/f\n@@ -1 +1 @@\n", 3, "new name is missing"),
        (b"diff --git a/f b/g\n", 1, "names no file"),
        (b"--- a/f\n+++ b/f\n@@ -1,999999999 +1 @@\n-a\n", 5, "cut short"),
        (b"--- a/f\n+++ b/f\n@@ -1 +1,9 @@\n-a\nx\n", 5, "neither a space nor"),
        (b"--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n-a\n", 5, "more lines than it says"),
        (b"--- a/f\n+++ b/f\n" + EDIT + b"@@ -x @@\n", 6, "head of a hunk"),
        (b"diff --git a/f b/f\nBinary files a/f and b/f differ\n", 2, "does not hold them"),
        (b"diff --git a/f b/f\nGIT binary patch\nx\n", 3, "neither literal nor delta"),
        (b"diff --git a/f b/f\nGIT binary patch\nliteral 5\nA00000\n\n", 4, "inflate"),
    ],
)
def test_a_patch_that_breaks_a_rule_is_refused_by_its_line(
    patch: bytes, line: int, rule: str
) -> None:
    with pytest.raises(PatchError, match=rule) as caught:
        read(patch)
    assert caught.value.line == line


def test_all_content_of_a_patch_together_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    head = b"diff --git a/f b/f\nnew file mode 100644\nGIT binary patch\n"
    file = head + b"".join(line + b"\n" for line in encoded(100, [bytes(100)]))
    monkeypatch.setattr(reading, "LIMIT", 150)
    assert len(read(file)) == 1
    with pytest.raises(PatchError, match="more than 50 bytes"):
        read(file + file)
