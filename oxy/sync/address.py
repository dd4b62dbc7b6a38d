"""Where another repository is, as a user writes it (spec: sync, SY16, SY17, SY52, SY70).

    ssh://[user@]host[:port]/path      path from the root of that machine; /~/path from home
    [user@]host:path                   path from home, or from the root if it begins with /
    http[s]://[user@]host[:port]/path  what answers there, or below it
    s3://bucket[/path]                 a place in a bucket; az://container[/path] likewise
    file:///path                       a directory on this machine that is used as a bucket
    anything else                      a directory on this machine

Pure: nothing is looked up. What could become an option, a word of a shell or a line of its own
somewhere is refused before any process starts.
"""

import os
from oxy.typed import Final, NamedTuple, TypeVar

from oxy.errors import RequestError

_SCHEME: Final = rb"([A-Za-z][A-Za-z0-9+.-]*)://"
_HELPER: Final = rb"[A-Za-z0-9+.-]+::"
_HOST: Final = rb"[A-Za-z0-9_][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+(?:%[A-Za-z0-9_.-]+)?\]"
_PASSWORD: Final = rb"[^/:]*@[^/:]+:"
"""What stands behind `user:` where somebody writes `user:password@host:path`."""

_BRACKET: Final = rb"(?:[^/:@]*@)?\["
_USER: Final = rb"[A-Za-z0-9_][A-Za-z0-9_.+@-]*"
_CONTROL: Final = rb"[\x00-\x1f\x7f]"
_PORTS: Final = range(1, 1 << 16)
_PATH: Final = rb"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*"
_FORMS: Final = (
    "there are ssh://HOST/PATH, HOST:PATH, http[s]://HOST/PATH, s3://BUCKET/PATH, "
    "az://CONTAINER/PATH, file:///PATH and directories"
)
_STORES: Final = frozenset((b"s3", b"az", b"file"))
_BUCKET: Final = rb"[A-Za-z0-9][A-Za-z0-9._-]{0,254}"


class AddressError(RequestError):
    """An address is refused. A password that it holds is not repeated."""

    def __init__(self, address: bytes, why: str) -> None:
        super().__init__(f"the address {os.fsdecode(_shown(address))} is refused: {why}")
        self.why = why


class Ssh(NamedTuple):
    """A directory on another machine; ssh's configuration tells a user or port that is None."""

    user: bytes | None
    host: bytes
    port: int | None
    path: bytes


class Web(NamedTuple):
    """Where a server of HTTP answers for a repository; `path` is escaped, with no / at its end.

    `user` tells whose credentials are meant, where somebody has several.
    """

    is_secure: bool
    user: bytes | None
    host: bytes
    port: int
    path: bytes

    @property
    def origin(self) -> tuple[bool, bytes, int]:
        """Whom one speaks with: credentials for one are for no other."""
        return self.is_secure, self.host.lower(), self.port

    @property
    def authority(self) -> bytes:
        """The host, and the port where it is not the usual one."""
        usual = 443 if self.is_secure else 80
        return self.host if self.port == usual else b"%s:%d" % (self.host, self.port)

    def __str__(self) -> str:
        """Return the address, without the user."""
        scheme = b"https://" if self.is_secure else b"http://"
        return (scheme + self.authority + self.path).decode()


class Store(NamedTuple):
    """A place in a store of objects; `path` has no % in it, and no / at either end.

    Attributes:
        scheme: `s3`, `az` or `file`.
        bucket: the bucket or container; empty for `file`.
        path: what all names of objects begin with; of `file` the directory, from /.
    """

    scheme: str
    bucket: bytes
    path: bytes


Where = TypeVar("Where", Ssh, Web)


def is_far(given: bytes) -> bool:
    """Tell whether what was given is an address, not a directory of this machine.

    A directory whose name has a colon before any slash is written with ./ in front.
    """
    colon, slash = given.find(b":"), given.find(b"/")
    return colon >= 0 and (slash < 0 or colon < slash)


def parse(given: bytes) -> Ssh | Web | Store:
    """Return what an address says; call it for what `is_far`.

    Raises:
        AddressError: it is of an unknown scheme, empty in a part, or could be taken for
            something else by what it is handed to.
    """
    import re

    if re.search(_CONTROL, given):
        why = "it has a control character or a line break in it"
        raise AddressError(given, why)
    if re.match(_HELPER, given):
        why = f"no program is run for it; {_FORMS}"
        raise AddressError(given, why)
    scheme = re.match(_SCHEME, given)
    if scheme is None:
        return _short(given)
    kind, rest = scheme[1].lower(), given[scheme.end() :]
    if kind in {b"http", b"https"}:
        return _web(given, rest, is_secure=kind == b"https")
    if kind in _STORES:
        return _store(given, kind, rest)
    if kind == b"ssh":
        return _ssh(given, rest)
    raise AddressError(given, _FORMS)


def _ssh(given: bytes, rest: bytes) -> Ssh:
    """Return what an address of a machine with ssh says, behind its scheme."""
    who, slash, path = rest.partition(b"/")
    user, host = _who(given, who)
    host, port = _port(given, host)
    if path.startswith(b"~/"):
        return _checked(given, Ssh(user, host, port, path[2:] or b"."))
    if not slash or not path:
        why = "it names no directory"
        raise AddressError(given, why)
    return _checked(given, Ssh(user, host, port, b"/" + path))


def _short(given: bytes) -> Ssh:
    """Return what an address without a scheme says."""
    import re

    at = given.find(b"]:") + 1 if re.match(_BRACKET, given) else given.find(b":")
    user, host = _who(given, given[:at])
    if re.match(_PASSWORD, given[at + 1 :]):
        why = "a password is not kept in an address"
        raise AddressError(given, why)
    return _checked(given, Ssh(user, host, None, given[at + 1 :].removeprefix(b"~/") or b"."))


def _web(given: bytes, rest: bytes, *, is_secure: bool) -> Web:
    """Return what an address of a server of HTTP says, behind its scheme."""
    import re

    who, slash, path = rest.partition(b"/")
    user, host = _who(given, who)
    host, port = _port(given, host)
    if b"?" in rest or b"#" in rest:
        why = "a repository has no ? and no # behind it"
        raise AddressError(given, why)
    path = (slash + path).rstrip(b"/")
    if not re.fullmatch(_PATH, path):
        why = "its path has a character that is to be written as % and two digits"
        raise AddressError(given, why)
    if port is None:
        port = 443 if is_secure else 80
    return _checked(given, Web(is_secure, user, host, port, path))


def _store(given: bytes, scheme: bytes, rest: bytes) -> Store:
    """Return what an address of a store of objects says, behind its scheme."""
    import re
    from urllib.parse import unquote_to_bytes

    bucket, slash, path = rest.partition(b"/")
    if b"?" in rest or b"#" in rest or not re.fullmatch(_PATH, slash + path):
        why = "its path has a character that is to be written as % and two digits"
        raise AddressError(given, why)
    path = unquote_to_bytes(path).strip(b"/")
    if scheme == b"file":
        is_plain = path and not re.search(_CONTROL, path) and b".." not in path.split(b"/")
        if bucket not in {b"", b"localhost"} or not is_plain:
            why = "it names no directory of this machine: file:///PATH"
            raise AddressError(given, why)
        return Store("file", b"", b"/" + path)
    if not re.fullmatch(_BUCKET, bucket):
        why = "its bucket is none; who asks, the environment says"
        raise AddressError(given, why)
    is_odd = path and {b"", b".", b".."}.intersection(path.split(b"/"))
    if is_odd or re.search(_CONTROL, path) or not _is_text(path):
        why = "its path has an empty part, . or .., or a control character, or is not UTF-8"
        raise AddressError(given, why)
    return Store(scheme.decode(), bucket, path)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _who(given: bytes, who: bytes) -> tuple[bytes | None, bytes]:
    user, at, host = who.rpartition(b"@")
    if b":" in user:
        why = "a password has no place in it"
        raise AddressError(given, why)
    return (user if at else None), host


def _port(given: bytes, host: bytes) -> tuple[bytes, int | None]:
    """Return a host and the port behind it."""
    name, colon, digits = host.rpartition(b":")
    if not colon or host.endswith(b"]"):
        return host, None
    if not digits.isdigit() or int(digits[:9]) not in _PORTS or len(digits) > len("65535"):
        why = "its port is none"
        raise AddressError(given, why)
    return name, int(digits)


def _checked(given: bytes, found: Where) -> Where:
    import re

    if not re.fullmatch(_HOST, found.host):
        why = "its host is none"
        raise AddressError(given, why)
    if found.user is not None and not re.fullmatch(_USER, found.user):
        why = "its user is none"
        raise AddressError(given, why)
    if found.path.startswith(b"-"):
        why = "its path begins with -"
        raise AddressError(given, why)
    return found


def _shown(address: bytes) -> bytes:
    """Return an address without what stands between a colon and the @ before its host."""
    import re

    return re.sub(rb"(?s)^((?:[^/@:]+://)?[^/@:]*):.*@", rb"\1:***@", address)


def command(address: Ssh, program: bytes) -> list[bytes]:
    """Return the words behind `ssh` that run oxy where an address says.

    Args:
        address: where; it has been checked.
        program: what oxy is called there, one word of the shell there.
    """
    host = address.host.strip(b"[]")
    who = host if address.user is None else address.user + b"@" + host
    port = [] if address.port is None else [b"-p", b"%d" % address.port]
    there = b" ".join((quoted(program), b"serve", b"--stdio", b"--", quoted(address.path)))
    return [*port, b"--", who, there]


def quoted(word: bytes) -> bytes:
    """Return one word as a POSIX shell takes it for itself."""
    return b"'" + word.replace(b"'", b"'\\''") + b"'"


def without_secrets(address: bytes) -> bytes:
    """Return an address as it may be shown and logged (SY18).

    One that is kept has no password (SY17); but who is meant to a web server may be a token.
    """
    import re

    return re.sub(rb"(?i)^(https?://)[^/]*@", rb"\1", address)


def below(address: bytes, path: bytes) -> bytes:
    """Return the address of a directory below another's; `path` obeys the path rule (N22)."""
    if not is_far(address):
        return os.path.join(address, path)
    if not isinstance(parse(address), Ssh):
        from urllib.parse import quote

        path = quote(path).encode()
    joint = b"" if address.endswith((b"/", b":")) else b"/"
    return address + joint + path
