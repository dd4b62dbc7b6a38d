"""Targets for what people write: patterns, names, addresses, patches, mail, settings."""

from collections.abc import Iterable
from typing import Final

from oxy.actions.ago import before
from oxy.actions.clock import moment_of
from oxy.actions.grammar import parse as parse_state
from oxy.actions.grammar import unparse
from oxy.actions.mailbox import letters
from oxy.actions.mailmap import Mailmap
from oxy.cli.escape import escape
from oxy.cli.hunkediting import sides
from oxy.cli.ranges import parted, resolved
from oxy.cli.template import read as read_template
from oxy.diff.reading import read as read_patch
from oxy.model.change import Moment
from oxy.model.hidden import is_hidden
from oxy.model.pathrule import path_refusal
from oxy.repo.refname import refusal
from oxy.repo.userfile import parsed
from oxy.sync.address import Ssh, command, is_far
from oxy.sync.address import parse as parse_address
from oxy.worktree.ignore import Ignore
from oxy_git.remote.address import addressed, shown
from tests.fuzz.received import try_each
from tests.fuzz.target import Target

_TAB: Final = 9


def _ignore(data: bytes) -> None:
    patterns, _, path = data.rpartition(b"\0")
    names = [name for name in path.split(b"/") if name][:8]
    ignore = Ignore(lambda _: patterns)
    ignore.enter(b"", (b".gitignore",))
    at = b""
    for name in names:
        ignore.ignored(name, is_directory=True)
        at = at + b"/" + name if at else name
        ignore.enter(at, ())
    ignore.ignored(b"last", is_directory=False)


def _state(data: bytes) -> None:
    known = {b"main", b"a-b", b"x"}
    tree = parse_state(data, lambda name, *_: name in known)
    again = unparse(tree)
    if unparse(parse_state(again, lambda *_: True)) != again:
        what = f"{data!r} is written as {again!r}, which reads otherwise"
        raise AssertionError(what)


def _name(data: bytes) -> None:
    refusal(data)
    path_refusal(data)
    if any(is_hidden(ord(each)) and ord(each) != _TAB for each in escape(data)):
        what = f"{data!r} is not escaped"
        raise AssertionError(what)


def _address(data: bytes) -> None:
    shown(data)
    try_each(addressed, data)
    if is_far(data):
        address = parse_address(data)
        words = command(address, b"oxy") if isinstance(address, Ssh) else []
        if any(b"\n" in word or not word for word in words):
            what = f"{data!r} gives {words!r}"
            raise AssertionError(what)


def _mail(data: bytes) -> None:
    for letter in letters(data):
        read_patch(letter.patch, letter.line)


def _mail_seeds() -> Iterable[bytes]:
    patch = _patches()[0]
    yield (
        b"From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
        b"From: =?utf-8?q?Ad=C3=A9?= <a@b>\nDate: Mon, 6 Nov 2023 10:00:00 +0100\n"
        b"Subject: [PATCH 1/2] words\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"body=20\n---\n" + patch + b"-- \n2.40\n"
    )


def _patches() -> tuple[bytes, ...]:
    renamed = (
        b"diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n"
        b"--- a/f\n+++ b/g\n@@ -1,2 +1,2 @@ in\n-a\n+b\n c\n\\ No newline at end of file\n"
    )
    binary = (
        b'diff --git "a/\\303\\251" b/h\nnew file mode 100755\nindex 0..1\n'
        b"GIT binary patch\nliteral 5\nMc$_x$$%W0u%qmGt00000\n\nliteral 0\nHc$@<O00001\n\n"
    )
    plain = b"--- a/f\t2020-01-01\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"
    return renamed, binary, plain


def _worded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _date(data: bytes) -> None:
    text = _worded(data)
    before(text, Moment(1_700_000_000_000_000, 60))
    moment_of(text)


def _range(data: bytes) -> None:
    lines = [b"one\n", b"def f():\n", b"  x\n"]
    given, _ = parted(_worded(data))
    resolved(given, lines)


def _template(data: bytes) -> None:
    read_template(_worded(data))


TARGETS: Final = {
    "ignore": Target(
        _ignore,
        lambda: (b"*.o\n!/keep\n**/a/**/b\n[a-z]?*\n\\#x\ndir/\n\0a/b/c", b"a*a*a*b\0aaaaaaa"),
    ),
    "state": Target(_state, lambda: (b"(main | a-b & x)~2 - main@{2 days ago}", b"main~")),
    "name": Target(_name, lambda: (b"feature/x", b".OXY ", "\u202ex\u200b".encode())),
    "address": Target(
        _address,
        lambda: (b"ssh://user@host:22/~/path", b"host:path", b"https://u:p@host/x", b"ext::sh"),
    ),
    "patch": Target(read_patch, _patches),
    "mail": Target(_mail, _mail_seeds),
    "mailmap": Target(
        lambda data: Mailmap(data).author(b"Ada <a@b>"),
        lambda: (b"Ada L <l@c> Ada <a@b>\n# x\nB <b@c> <a@b>\n",),
    ),
    "settings": Target(
        lambda data: parsed(b"config.toml", data),
        lambda: (b'[a.b]\nc = ["x", 1]\nd = 1979-05-27T07:32:00Z\ne = {f = 0x1F}\n',),
    ),
    "date": Target(_date, lambda: (b"2 hours ago", b"2023-11-06T10:00:00+01:00", b"@5 +0100")),
    "range": Target(_range, lambda: (b"2,+1:f", b"/def/,+1:f", b"1,-3:x")),
    "template": Target(_template, lambda: (b"{prefix} {subject}\\n{author}", b"{time}\\{")),
    "hunk": Target(sides, lambda: (b"# x\n-a\n+b\n c\n",)),
}
