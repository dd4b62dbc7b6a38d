import base64
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.log import Entry
from oxy.actions.mail import Place, dated, mail
from oxy.actions.mailbox import Letter, letters
from oxy.actions.patch import REGULAR, FileDiff
from oxy.diff.reading import PatchError
from oxy.model.change import Header, Moment

TIME = Moment(1_700_000_000_000_000, 90)
DIFF = FileDiff(b"f", b"f", REGULAR, REGULAR, b"a\n", b"b\n")
ALONE = Place(1, 1)
PATCH = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"


def sent(message: bytes, author: bytes = b"Ada <a@x>", place: Place = ALONE) -> bytes:
    entry = Entry(1, b"\x12" * 32, Header(author, TIME, message), (), None)
    return b"".join(line + b"\n" for line in mail(entry, lambda: [DIFF], place))


def read(data: bytes) -> Letter:
    (letter,) = letters(data)
    return letter


def test_a_mail_has_header_message_picture_and_patch() -> None:
    assert sent(b"Why\n\nBecause.\n", place=Place(2, 3)) == (
        b"From 1212121212121212121212121212121212121212121212121212121212121212"
        b" Mon Sep 17 00:00:00 2001\n"
        b"From: Ada <a@x>\n"
        b"Date: Tue, 14 Nov 2023 23:43:20 +0130\n"
        b"Subject: [PATCH 2/3] Why\n"
        b"X-Oxy-Change: 1212121212121212121212121212121212121212121212121212121212121212\n"
        b"\n"
        b"Because.\n"
        b"---\n"
        b" f | 2 +-\n"
        b" 1 file changed, 1 insertion(+), 1 deletion(-)\n"
        b"\n" + PATCH + b"-- \noxy 0.1.0\n\n"
    )


def test_a_mail_reads_back() -> None:
    letter = read(sent(b"Why\n\nBecause.\n"))
    assert letter[2:] == (b"Ada <a@x>", TIME, b"Why\n\nBecause.", b"\x12" * 32)
    assert letter.line == 8
    assert PATCH in letter.patch


lines = st.sampled_from(
    (
        "",
        "plain",
        "---",
        " ---",
        "--- x",
        "diff --git a/x b/x",
        "From: me",
        "From someone Mon Sep 17 00:00:00 2001",
        ">From x",
        "Subject: s",
        "[PATCH] y",
        "Index: z",
        "Grüße, и ещё",
        "  indented",
        "----------",
        "=?utf-8?q?no?=",
    )
)


@given(
    st.lists(lines, max_size=5), st.text(st.characters(codec="utf-8", categories=("L", "S")))
)
def test_any_message_reads_back(body: list[str], subject: str) -> None:
    rest = "\n".join(body).strip("\n")
    message = "\n\n".join(part for part in ("S" + subject, rest) if part).encode()
    assert read(sent(message)).message == message


@pytest.mark.parametrize("author", ["Ädä Löv <a@x>", 'B. "C" D <b@x>', "Ada, of it <a@x>"])
def test_any_author_reads_back(author: str) -> None:
    assert read(sent(b"m", author.encode())).author == author.encode()


def test_a_series_is_read_in_order() -> None:
    both = sent(b"One", place=Place(1, 2)) + sent(b"Two", place=Place(2, 2))
    assert [letter.message for letter in letters(both)] == [b"One", b"Two"]


def test_a_patch_alone_is_no_mail() -> None:
    assert read(PATCH) == Letter(PATCH, 1)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        (b"quoted-printable", b"Gr=C3=BC=C3=9Fe\n---\n" + PATCH.replace(b"=", b"=3D")),
        (
            b"base64",
            base64.encodebytes("Grüße\n---\n".encode() + PATCH),
        ),
    ],
)
def test_a_mail_is_read_however_it_was_sent(coding: bytes, body: bytes) -> None:
    header = b"Subject: Re: [PATCH v2] [x] Why\nContent-Transfer-Encoding: " + coding + b"\n\n"
    letter = read(header + body)
    assert letter.message == "Why\n\nGrüße".encode()
    assert letter.patch.endswith(PATCH)


@pytest.mark.parametrize(
    ("mail", "rule"),
    [
        (b"Subject: x\nDate: never\n\nb\n", "date of the mail"),
        (b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\nb\n", "several parts"),
        (b"Subject: x\n", "has no text"),
    ],
)
def test_a_mail_that_cannot_be_read_is_refused(mail: bytes, rule: str) -> None:
    with pytest.raises(PatchError, match=rule):
        read(mail)


def test_dates_beyond_the_calendar_are_clamped() -> None:
    assert dated(Moment(1 << 62, 0)) == b"Fri, 31 Dec 9999 23:59:59 +0000"
    assert dated(Moment(0, -90)) == b"Wed, 31 Dec 1969 22:30:00 -0130"


def test_git_am_takes_a_series(tmp_path: Path) -> None:
    def git(*words: str, given: bytes | None = None) -> bytes:
        who = ("-c", "user.name=n", "-c", "user.email=e@x")
        command = ["git", *who, *words]
        return subprocess.run(
            command, cwd=tmp_path, input=given, check=True, capture_output=True
        ).stdout

    git("init", "-q")
    (tmp_path / "f").write_text("a\n")
    git("add", ".")
    git("commit", "-qm", "One")
    git("am", "-q", given=sent("Größe\n\nSo ist es.\n".encode(), "Ädä <a@x>".encode()))
    shown = git("log", "-1", "--format=%an <%ae>%n%aI%n%B").decode()
    assert shown == "Ädä <a@x>\n2023-11-14T23:43:20+01:30\nGröße\n\nSo ist es.\n\n"
    assert (tmp_path / "f").read_text() == "b\n"
