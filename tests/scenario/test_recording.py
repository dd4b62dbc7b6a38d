"""Recording and its listing, through the real command line, compared to the letter."""

import json
import os
import socket
from pathlib import Path

import pytest

from tests.builders.desk import AUTHOR, Desk


@pytest.fixture
def desk(
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "root").mkdir()
    desk = Desk(tmp_path / "root", capfdbinary)
    desk.says("init")
    return desk


def test_a_day_of_work(desk: Desk) -> None:
    desk.write("src/poem", "one\ntwo\nthree\nfour\nfive\n")
    desk.write("notes", "a\n")
    tool = desk.write("tool", "#!/bin/sh\n")
    assert desk.says() == "on main\nA notes\nA src/poem\nA tool\n"
    assert desk.says("commit", "-m", "First") == "recorded ID First\n"
    assert desk.says("status") == "on main\nnothing changed\n"
    desk.write("src/poem", "one\nTWO\nthree\nfour\nfive\n")
    os.rename(desk.root / "src/poem", desk.root / "src/verse")
    tool.chmod(0o755)
    (desk.root / "notes").unlink()
    (desk.root / "notes").symlink_to("tool")
    desk.write("src/more", "x\n")
    assert desk.says() == ("on main\nT notes\nA src/more\nR src/poem -> src/verse\nX tool\n")
    assert desk.says("commit", "-m", "Second", "-m", "With more.") == (
        "R src/poem -> src/verse\nrecorded ID Second\n"
    )
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.run("commit", "-m", "Nothing") == 1
    assert desk.out == "nothing to record\n"
    assert desk.says("log", "--oneline") == "ID [main] Second\nID First\n"


def test_json_of_a_status_has_the_stated_form(desk: Desk) -> None:
    clean = {"bookmark": "main", "changes": [], "conflicts": [], "left_out": []}
    assert desk.record("status") == clean
    text = "a line that is long enough to be known again\n"
    desk.write("old", text)
    desk.write("edited", "a\n")
    desk.commit("First")
    assert desk.record("status") == clean
    os.rename(desk.root / "old", desk.root / "new")
    desk.write("edited", "b\n")
    assert desk.record("status")["changes"] == [
        {"path": "edited", "kind": "modified"},
        {"path": "new", "kind": "renamed", "from": "old"},
    ]


def test_paths_are_those_from_where_the_user_stands(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.write("src/b", "1\n")
    assert desk.says("status", where="src") == "on main\nA ../a\nA b\n"
    assert desk.says("commit", "-m", "One of two", "b", where="src") == (
        "recorded ID One of two\n"
    )
    assert desk.says(where="src") == "on main\nA ../a\n"


def test_only_what_is_named_is_recorded(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.write("d/b", "1\n")
    desk.write("d/c", "1\n")
    desk.commit("All")
    for name in ("a", "d/b", "d/c"):
        desk.write(name, "2\n")
    desk.commit("Directory", "d")
    assert desk.says() == "on main\nM a\n"
    (desk.root / "a").unlink()
    desk.commit("Deletion by name", "a")
    assert desk.says("files") == "d/b\nd/c\n"


def test_a_path_that_is_nowhere_is_refused(desk: Desk) -> None:
    assert desk.refuses("commit", "-m", "x", "nope", code=2) == (
        "oxy: there is no 'nope', neither on disk nor recorded\n"
    )


def test_what_is_left_out_is_said(desk: Desk) -> None:
    os.mkfifo(desk.root / "pipe")
    os.chdir(desk.root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
        with (desk.root / "huge").open("wb") as file:
            file.truncate((10 << 20) + 1)
        desk.write("nested/.git/HEAD", "")
        desk.write("nested/inside", "")
        desk.write("bad\nname", "")
        desk.write("good", "")
        assert desk.says() == (
            "on main\n"
            "A good\n"
            "left out: bad\\x0aname contains a control byte\n"
            "left out: nested is a repository of its own\n"
            "left out: pipe is a FIFO\n"
            "left out: sock is a socket\n"
            "left out: huge is new and has 10485761 bytes: name it to record it\n"
        )
        desk.commit("Named", "huge", "good")
        assert desk.says("files") == "good\nhuge\n"


def test_what_is_tracked_stays_so_when_it_comes_to_be_ignored(desk: Desk) -> None:
    desk.write("log", "1\n")
    desk.commit("First")
    desk.write(".gitignore", "log\nother\n")
    desk.write("log", "2\n")
    desk.write("other", "")
    assert desk.says() == "on main\nA .gitignore\nM log\n"


def test_names_that_are_not_utf_8_survive(desk: Desk) -> None:
    name = b"caf\xe9"
    (Path(os.fsdecode(bytes(desk.root) + b"/" + name))).write_bytes(b"x\n")
    assert desk.says() == "on main\nA caf\\xe9\n"
    change = desk.commit("First")
    os.unlink(bytes(desk.root) + b"/" + name)
    desk.commit("Gone")
    desk.says("switch", change)
    assert name in os.listdir(bytes(desk.root))


def test_the_editor_is_shown_what_is_recorded(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk.write("a", "1\n")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\ncp "$1" "$0.seen"\n{ echo Typed; cat "$0.seen"; } > "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("OXY_EDITOR", str(editor))
    assert desk.says("commit") == "recorded ID Typed\n"
    assert (tmp_path / "editor.seen").read_text() == (
        "\n"
        "# ------------------------ >8 ------------------------\n"
        "# The message stands above this line. Nothing below it is recorded.\n"
        "# An empty message records nothing.\n"
        "#\n"
        "# A a\n"
        "#\n"
        "# diff --git a/a b/a\n"
        "# new file mode 100644\n"
        "# --- /dev/null\n"
        "# +++ b/a\n"
        "# @@ -0,0 +1 @@\n"
        "# +1\n"
    )
    assert json.loads(_log(desk)[0])["message"] == "Typed"


def _log(desk: Desk) -> list[str]:
    assert desk.run("log", "--json") == 0
    return desk.out.splitlines()


def test_an_empty_message_records_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("a", "1\n")
    monkeypatch.setenv("OXY_EDITOR", "true")
    assert desk.refuses("commit", code=2) == (
        "oxy: the message is empty, and nothing was recorded\nhint: give one with -m\n"
    )
    monkeypatch.setenv("OXY_EDITOR", "false")
    assert desk.refuses("commit", code=3) == (
        "oxy: editor 'false' ended with 1: nothing was recorded\n"
    )
    assert desk.says() == "on main\nA a\n"


def test_author_and_date_are_as_given(desk: Desk) -> None:
    desk.write("a", "1\n")
    desk.says(
        "commit",
        "-m",
        "x",
        "--author",
        "Eve <eve@example.org>",
        "--date",
        "2024-05-31T13:45:00+02:00",
    )
    entry = json.loads(_log(desk)[0])
    assert entry["author"] == "Eve <eve@example.org>"
    assert entry["date"] == "2024-05-31T13:45:00+02:00"


def test_a_message_from_a_file(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "message").write_text("From a file\n\nMore.\n")
    desk.write("a", "1\n")
    desk.says("commit", "-F", str(tmp_path / "message"))
    assert json.loads(_log(desk)[0])["message"] == "From a file\n\nMore."


def test_without_a_repository_or_an_author_it_is_said_what_to_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    desk.write("a", "1\n")
    monkeypatch.delenv("OXY_AUTHOR")
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    assert desk.refuses("commit", "-m", "x", code=3) == (
        "oxy: no author is known for what is to be recorded\n"
        "hint: set user.name and user.email with `oxy config set`, "
        "or OXY_AUTHOR='Name <address>'\n"
    )
    (tmp_path / "oxy").mkdir()
    (tmp_path / "oxy/config.toml").write_text('[user]\nname = "Bo"\nemail = "bo@example.org"\n')
    desk.says("commit", "-m", "x")
    assert json.loads(_log(desk)[0])["author"] == "Bo <bo@example.org>"
    outside = Desk(tmp_path / "elsewhere", desk._capture)  # noqa: SLF001 - a second desk
    outside.root.mkdir()
    assert outside.refuses(code=3) == (
        "oxy: no repository at or above ROOT\nhint: start one with `oxy init`\n"
    )


def test_a_difference_is_a_patch(desk: Desk) -> None:
    desk.write("a", "1\n2\n")
    desk.write("same", "1\n")
    first = desk.commit("First")
    desk.write("a", "1\nTWO")
    patch = (
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+TWO\n"
        "\\ No newline at end of file\n"
    )
    assert desk.says("diff") == patch
    assert desk.says("diff", "same") == ""
    assert desk.run("diff", "--exit-code") == 1
    desk.commit("Second")
    assert desk.says("diff", "--exit-code") == ""
    assert desk.says("diff", "--from", first) == patch
    assert desk.says("diff", "--from", first, "--to", "main", "a") == patch
    assert desk.says("diff", "--from", first, "--to", "main", "same") == ""


def test_a_repository_is_made_once(desk: Desk) -> None:
    assert desk.refuses("init", code=3) == "oxy: there is a repository already at ROOT\n"
    assert desk.says("init", "new/one").endswith("new/one\n")
    assert desk.says("status", where="new/one") == "on main\nnothing changed\n"
    assert desk.says() == (
        "on main\nleft out: new/one is a repository of its own: `oxy subrepo add` pins it\n"
        "nothing changed\n"
    )


def test_a_large_file_that_moved_need_not_be_named_again(desk: Desk) -> None:
    with (desk.root / "huge").open("wb") as file:
        file.truncate((10 << 20) + 1)
    desk.write("small", "1\n")
    desk.commit("First", "huge")
    os.rename(desk.root / "huge", desk.root / "moved")
    with (desk.root / "other").open("wb") as file:
        file.truncate((10 << 20) + 2)
    assert desk.says() == (
        "on main\n"
        "R huge -> moved\n"
        "A small\n"
        "left out: other is new and has 10485762 bytes: name it to record it\n"
    )
    desk.commit("Second")
    assert desk.says("files") == "moved\nsmall\n"


def test_an_executable_file_that_became_a_symlink_is_executable_no_more(desk: Desk) -> None:
    tool = desk.write("tool", "#!/bin/sh\n")
    tool.chmod(0o755)
    desk.commit("A tool")
    tool.unlink()
    tool.symlink_to("other")
    desk.commit("Elsewhere")
    assert desk.says() == "on main\nnothing changed\n"
    assert desk.says("fsck") == "nothing is wrong\n"
    tool.unlink()
    desk.write("tool", "#!/bin/sh\n")
    assert desk.says() == "on main\nT tool\n"
    desk.commit("Here again")
    assert desk.says("files", "--json").endswith('"mode": "100644"}\n')
