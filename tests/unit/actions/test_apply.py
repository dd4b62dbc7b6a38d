import os
from pathlib import Path

import pytest

from oxy.actions.apply import NoMailError, NoPatchError, apply, check, record
from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.actions.mailbox import letters
from oxy.actions.patching import DoesNotApplyError, Off
from oxy.actions.restoring import EditedError
from oxy.actions.status import examined
from oxy.errors import OxyError
from oxy.model.change import Moment
from oxy.worktree.checkout import WouldOverwriteError
from oxy.worktree.workcopy import working_copy
from tests.builders.tree import File, Tree, held, make

TEN = b"".join(b"%d\n" % number for number in range(1, 11))
BASE: Tree = {
    "a": File(TEN),
    "d/b": File(b"b\n"),
    "link": File(b"d", is_link=True),
    "bin": File(b"\0one"),
}
EDIT = b"@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    init(bytes(tmp_path))
    make(tmp_path, BASE)
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <a@x>"), lambda _: b"base")
    return tmp_path


def applied(root: Path, patch: bytes) -> Tree:
    """Apply, and return what then differs from the base."""
    with working_copy(bytes(root)) as copy:
        apply(copy, letters(patch))
    return {name: file for name, file in held(root).items() if BASE.get(name) != file}


def kinds(root: Path) -> list[tuple[bytes, str, bytes | None]]:
    with working_copy(bytes(root)) as copy:
        return [(c.path, c.kind, c.source) for c in examined(copy).changes]


def git(old: str, new: str, *lines: bytes) -> bytes:
    head = f"diff --git a/{old} b/{new}\n".encode()
    return head + b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines)


def names(old: str, new: str) -> bytes:
    return f"--- {old}\n+++ {new}\n".encode()


def test_an_edit_and_a_mode_are_made(root: Path) -> None:
    patch = git("a", "a", b"old mode 100644", b"new mode 100755", names("a/a", "b/a"), EDIT)
    assert applied(root, patch) == {"a": File(TEN.replace(b"5", b"five"), executable=True)}


def test_files_change_names_and_that_is_a_move(root: Path) -> None:
    patch = git("a", "d/b", b"rename from a", b"rename to d/b") + git(
        "d/b", "a", b"rename from d/b", b"rename to a"
    )
    assert applied(root, patch) == {"a": File(b"b\n"), "d/b": File(TEN)}
    assert kinds(root) == [(b"a", "renamed", b"d/b"), (b"d/b", "renamed", b"a")]


def test_a_file_becomes_a_directory(root: Path) -> None:
    patch = git("d/b", "d", b"rename from d/b", b"rename to d") + git(
        "a", "a/x", b"rename from a", b"rename to a/x", names("a/a", "b/a/x"), EDIT
    )
    assert applied(root, patch) == {
        "d": File(b"b\n"),
        "a/x": File(TEN.replace(b"5", b"five")),
    }


def test_a_copy_leaves_its_source(root: Path) -> None:
    assert applied(root, git("a", "e", b"copy from a", b"copy to e")) == {"e": File(TEN)}


def test_a_symlink_becomes_a_file(root: Path) -> None:
    patch = git(
        "link",
        "link",
        b"deleted file mode 120000",
        names("a/link", "/dev/null"),
        b"@@ -1 +0,0 @@\n-d\n\\ No newline at end of file",
    ) + git(
        "link",
        "link",
        b"new file mode 100644",
        names("/dev/null", "b/link"),
        b"@@ -0,0 +1 @@\n+x",
    )
    assert applied(root, patch) == {"link": File(b"x\n")}


def test_hunks_that_are_off_are_told(root: Path) -> None:
    (root / "a").write_bytes(b"0\n" + TEN)
    with working_copy(bytes(root)) as copy:
        (done,) = apply(copy, letters(names("a/a", "b/a") + EDIT))
    assert done.files == ((b"a", True),)
    assert done.off == (Off(b"a", 1, 1),)


NEW = names("/dev/null", "b/{}") + b"@@ -0,0 +1 @@\n+x\n"
TOUCH = names("a/{}", "b/{}") + b"@@ -1 +1 @@\n-b\n+c\n"
GOOD = names("a/d/b", "b/d/b") + b"@@ -1 +1 @@\n-b\n+c\n"


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (names("a/a", "b/a") + EDIT.replace(b"-5", b"-x"), "of a, hunk 1, of line 4, fits"),
        (TOUCH.replace(b"{}", b"none"), "there is no none"),
        (NEW.replace(b"{}", b"a"), "a is there already"),
        (git("a", "d/b", b"rename from a", b"rename to d/b"), "d/b is there already"),
        (
            git("a", "a", b"deleted file mode 100644", names("a/a", "/dev/null"), EDIT),
            "a holds more than what is deleted",
        ),
        (git("a", "a", b"old mode 120000", b"new mode 120000"), "a is of another type"),
        (git("a", "a", b"old mode 100644", b"new mode 120000"), "a would be of another type"),
        (git("x", "x", b"new file mode 160000"), "x is a subrepo"),
        (git("x", "x", b"new file mode 104644"), "x would have mode 104644"),
        (
            NEW.replace(b"{}", b"x") + NEW.replace(b"{}", b"x/y"),
            "x would be a file and a directory",
        ),
        (
            git("bin", "bin", b"GIT binary patch", b"delta 2", b"Jc$_0000", b""),
            "(bin|binary content)",
        ),
    ],
)
def test_what_does_not_apply_is_named_and_nothing_is_done(
    root: Path, patch: bytes, why: str
) -> None:
    before = held(root)
    for action in (check, apply):
        with working_copy(bytes(root)) as copy, pytest.raises(OxyError, match=why):
            action(copy, letters(GOOD + patch))
    assert held(root) == before


def test_all_files_that_do_not_fit_are_named(root: Path) -> None:
    patch = TOUCH.replace(b"{}", b"none") + NEW.replace(b"{}", b"a")
    with working_copy(bytes(root)) as copy, pytest.raises(DoesNotApplyError) as caught:
        apply(copy, letters(patch))
    assert caught.value.reasons == ("there is no none", "a is there already")


def test_nothing_is_read_or_written_through_a_symlink(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "b").write_text("b\n")
    (root / "out").symlink_to(outside)
    for name in (b"out/new", b"out/b"):
        kind = NEW if name.endswith(b"new") else TOUCH
        with working_copy(bytes(root)) as copy, pytest.raises(OxyError):
            apply(copy, letters(kind.replace(b"{}", name)))
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"b": "b\n"}


def test_what_stands_in_the_way_stays(root: Path) -> None:
    os.mkdir(root / "x")
    (root / "x/y").write_text("mine\n")
    with working_copy(bytes(root)) as copy, pytest.raises(WouldOverwriteError):
        apply(copy, letters(NEW.replace(b"{}", b"x")))
    assert (root / "x/y").read_text() == "mine\n"


def test_what_holds_no_patch_is_refused(root: Path) -> None:
    for nothing in (b"", b"Hello\n"):
        with working_copy(bytes(root)) as copy, pytest.raises(NoPatchError):
            apply(copy, letters(nothing))


MAIL = b"From: Eve <e@x>\nDate: Tue, 14 Nov 2023 23:43:20 +0130\nSubject: [PATCH] %b\n\n---\n"


def series() -> bytes:
    start = b"From x Mon Sep 17 00:00:00 2001\n"
    first = names("a/a", "b/a") + EDIT
    second = git("a", "z", b"rename from a", b"rename to z")
    return start + MAIL % b"One" + first + b"-- \n\n" + start + MAIL % b"Two" + second


def test_each_mail_becomes_a_change(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        done = record(copy, letters(series()))
        headers = [copy.repository.header(change) for change in (2, 3)]
    assert [each.message for each in done] == [b"One", b"Two"]
    assert [(h.author, h.message) for h in headers] == [
        (b"Eve <e@x>", b"One"),
        (b"Eve <e@x>", b"Two"),
    ]
    assert headers[0].time == Moment(1_700_000_000_000_000, 90)
    assert kinds(root) == []
    assert held(root)["z"] == File(TEN.replace(b"5", b"five"))


def test_a_series_of_which_one_does_not_apply_records_nothing(root: Path) -> None:
    broken = series().replace(b"rename from a", b"rename from b")
    before = held(root)
    with working_copy(bytes(root)) as copy:
        with pytest.raises(DoesNotApplyError):
            record(copy, letters(broken))
        assert copy.base.state.heads == (1,)
    assert held(root) == before


def test_edits_are_never_recorded_with_a_mail(root: Path) -> None:
    (root / "a").write_bytes(TEN + b"11\n")
    with working_copy(bytes(root)) as copy, pytest.raises(EditedError):
        record(copy, letters(series()))


def test_a_patch_without_a_mail_is_not_recorded(root: Path) -> None:
    with working_copy(bytes(root)) as copy, pytest.raises(NoMailError):
        record(copy, letters(GOOD))


@pytest.mark.parametrize("sender", [b"", b"From: \n", b"From: <>\n", b"From: Eve < >\n"])
def test_a_mail_that_does_not_say_of_whom_it_is_is_not_recorded(
    root: Path, sender: bytes
) -> None:
    mail = series().replace(b"From: Eve <e@x>\n", sender)
    assert mail != series()
    with working_copy(bytes(root)) as copy, pytest.raises(NoMailError):
        record(copy, letters(mail))


def test_a_change_that_is_here_already_is_passed_over(root: Path) -> None:
    with working_copy(bytes(root)) as copy:
        name = copy.repository.store.id_of(1, 1).hex().encode()
        mail = MAIL.replace(b"\n\n---", b"\nX-Oxy-Change: " + name + b"\n\n---") % b"Base"
        (done,) = record(copy, letters(mail + GOOD))
    assert (done.known, done.id) == (True, None)
