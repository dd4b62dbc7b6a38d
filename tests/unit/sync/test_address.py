"""Addresses of other repositories, and what is run for them."""

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oxy.sync.address import (
    AddressError,
    Ssh,
    Store,
    Web,
    below,
    command,
    is_far,
    parse,
    quoted,
    without_secrets,
)

WORDS = st.binary(min_size=1, max_size=20).filter(lambda word: b"\0" not in word)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        (b"host:path", Ssh(None, b"host", None, b"path")),
        (b"host:/path", Ssh(None, b"host", None, b"/path")),
        (b"host:", Ssh(None, b"host", None, b".")),
        (b"host:~/a b", Ssh(None, b"host", None, b"a b")),
        (b"me@host:a:b", Ssh(b"me", b"host", None, b"a:b")),
        (b"me@[::1]:a", Ssh(b"me", b"[::1]", None, b"a")),
        (b"host:a[1]:b", Ssh(None, b"host", None, b"a[1]:b")),
        (b"ssh://host/path", Ssh(None, b"host", None, b"/path")),
        (b"SSH://me@host:22/a/b", Ssh(b"me", b"host", 22, b"/a/b")),
        (b"ssh://host/~/path", Ssh(None, b"host", None, b"path")),
        (b"ssh://[fe80::1%eth0]:22/p", Ssh(None, b"[fe80::1%eth0]", 22, b"/p")),
        (b"ssh://me@corp@host/p", Ssh(b"me@corp", b"host", None, b"/p")),
    ],
)
def test_an_address_says_where(address: bytes, found: Ssh) -> None:
    assert is_far(address)
    assert parse(address) == found


def web(
    scheme: bytes, host: bytes, port: int, path: bytes = b"", user: bytes | None = None
) -> Web:
    return Web(scheme == b"https", user, host, port, path)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        (b"http://host", web(b"http", b"host", 80)),
        (b"https://host/", web(b"https", b"host", 443)),
        (b"HTTPS://me@host:8443/a/b//", web(b"https", b"host", 8443, b"/a/b", b"me")),
        (b"http://[::1]:80/%20~a@b:c", web(b"http", b"[::1]", 80, b"/%20~a@b:c")),
    ],
)
def test_an_address_of_a_server_says_where(address: bytes, found: Web) -> None:
    assert is_far(address)
    assert parse(address) == found


def test_an_address_of_a_server_is_told_without_the_user() -> None:
    for address, told in (
        (b"https://me@host:443/p/", "https://host/p"),
        (b"http://host:8417", "http://host:8417"),
    ):
        where = parse(address)
        assert isinstance(where, Web)
        assert str(where) == told


@pytest.mark.parametrize(
    "rest",
    [
        *(b"", b"/p", b"-h/p", b"h h/p", b"h:0/p", b"h:x/p", b"me:pw@h/p", b"h/p?q", b"h/p#f"),
        *(
            b"h/a b",
            b"h/%",
            b"h/%zz",
            b"h/\xc3\xa9",
            b"h/a\r\nx: y",
            b"h;x/p",
            b"[x]/p",
            b"-u@h/p",
        ),
    ],
)
def test_an_address_that_no_server_has_is_refused(rest: bytes) -> None:
    for scheme in (b"http://", b"https://"):
        with pytest.raises(AddressError, match="is refused") as caught:
            parse(scheme + rest)
        assert "pw" not in str(caught.value)


@pytest.mark.parametrize("path", [b"path", b"./host:path", b"/a:b", b"../x", b"", b"~/a:b"])
def test_what_has_no_colon_before_a_slash_is_a_directory(path: bytes) -> None:
    assert not is_far(path)


@pytest.mark.parametrize(
    "address",
    [
        *(b"-h:p", b"-l@h:p", b"h:-p", b":p", b"h h:p", b"h\n:p", b"h:p\n", b"h:\x1b[2J"),
        *(b"$(x):p", b"h;x:p", b"`x`:p", b"'h':p", b"%h:p", b"a|b:p", b"[::1:p", b"[x]:p"),
        *(b"ssh://h", b"ssh://h/", b"ssh:///p", b"ssh://-h/p", b"ssh://h:/p", b"ssh://h:x/p"),
        *(b"ssh://h:0/p", b"ssh://h:99999/p", b"ssh://h:1111111111/p", b"ssh://me:pw@h/p"),
        *(
            b"ext::sh",
            b"git://h/p",
            b"ftp://h/p",
            b"ssh+x://h/p",
            b"ssh://h/~/-p",
        ),
    ],
)
def test_what_could_be_taken_for_something_else_is_refused(address: bytes) -> None:
    assert is_far(address)
    with pytest.raises(AddressError, match="is refused"):
        parse(address)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        (b"s3://team", Store("s3", b"team", b"")),
        (b"S3://team/", Store("s3", b"team", b"")),
        (b"s3://team/a/b%20c/", Store("s3", b"team", b"a/b c")),
        (b"az://box/a", Store("az", b"box", b"a")),
        (b"file:///srv/team", Store("file", b"", b"/srv/team")),
        (b"file://localhost/srv/a%25b", Store("file", b"", b"/srv/a%b")),
    ],
)
def test_a_place_in_a_store_of_objects(address: bytes, found: Store) -> None:
    assert is_far(address)
    assert parse(address) == found


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (b"s3://", "its bucket is none"),
        (b"s3:///a", "its bucket is none"),
        (b"s3://key:secret@team/a", "its bucket is none"),
        (b"s3://-team/a", "its bucket is none"),
        (b"az://box/a/../b", "an empty part"),
        (b"az://box/a%2f..%2fb", "an empty part"),
        (b"s3://team/a//b", "an empty part"),
        (b"s3://team/a%0a", "a control character"),
        (b"s3://team/a%ff", "not UTF-8"),
        (b"s3://team/a?versionId=1", "a character that is to be written"),
        (b"file://host/a", "no directory of this machine"),
        (b"file:///", "no directory of this machine"),
        (b"file:///a%00", "no directory of this machine"),
        (b"file:///srv/../etc", "no directory of this machine"),
    ],
)
def test_what_is_no_place_in_a_store_is_refused(address: bytes, why: str) -> None:
    with pytest.raises(AddressError, match=why):
        parse(address)


def test_a_password_is_not_repeated() -> None:
    with pytest.raises(AddressError) as caught:
        parse(b"ssh://me:hunter2@host/path")
    assert str(caught.value) == (
        "the address ssh://me:***@host/path is refused: a password has no place in it"
    )


def test_each_part_is_a_word_of_its_own() -> None:
    words = command(Ssh(b"me", b"[::1]", 2222, b"a 'b"), b"oxy")
    there = b"'oxy' serve --stdio -- 'a '\\''b'"
    assert words == [b"-p", b"2222", b"--", b"me@::1", there]
    assert command(Ssh(None, b"h", None, b"p"), b"oxy")[:2] == [b"--", b"h"]


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_a_shell_takes_a_quoted_word_for_itself(words: list[bytes]) -> None:
    line = b"printf '%s\\0' " + b" ".join(map(quoted, words))
    done = subprocess.run([b"/bin/sh", b"-c", line], capture_output=True, check=True)
    assert done.stdout.split(b"\0")[:-1] == words


@given(st.binary(max_size=40))
def test_whatever_is_given_is_refused_or_makes_no_option(data: bytes) -> None:
    if not is_far(data):
        return
    try:
        found = parse(data)
    except AddressError:
        return
    if isinstance(found, Web):
        # What a request says of it stands in one line, and leads nowhere else.
        assert re.fullmatch(rb"[!-~]*", found.host + found.path)
        assert not re.search(rb"[?#]", found.path)
        return
    if isinstance(found, Store):
        assert not re.search(rb"[\x00-\x1f\x7f]|(?:^|/)\.\.?(?:/|$)", found.bucket + found.path)
        return
    *_, dashes, who, there = command(found, b"oxy")
    assert dashes == b"--"
    assert not who.startswith(b"-")
    assert not found.path.startswith(b"-")
    assert b"\n" not in who + there


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (b"https://token@example.org/p", b"https://example.org/p"),
        (b"HTTP://a:b@example.org:8/p@q", b"HTTP://example.org:8/p@q"),
        (b"https://example.org/p@q", b"https://example.org/p@q"),
        (b"ssh://grace@example.org/p", b"ssh://grace@example.org/p"),
        (b"grace@example.org:p", b"grace@example.org:p"),
        (b"/srv/a@b", b"/srv/a@b"),
    ],
)
def test_an_address_is_shown_without_secrets(address: bytes, shown: bytes) -> None:
    assert without_secrets(address) == shown


@pytest.mark.parametrize(
    ("address", "found"),
    [
        (b"/srv/p", b"/srv/p/a b/c"),
        (b"host:", b"host:a b/c"),
        (b"me@host:p", b"me@host:p/a b/c"),
        (b"ssh://host/p/", b"ssh://host/p/a b/c"),
        (b"https://host:8/p", b"https://host:8/p/a%20b/c"),
        (b"https://host", b"https://host/a%20b/c"),
    ],
)
def test_what_is_below_an_address_is_one(address: bytes, found: bytes) -> None:
    assert below(address, b"a b/c") == found
    if is_far(found):
        parse(found)
