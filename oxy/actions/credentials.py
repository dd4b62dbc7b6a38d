"""What tells a server who asks (spec: sync, SY18, SY72).

Each credential is for one host that its owner named with it, so that no address, of a subrepo
say, can have it sent elsewhere. None is sent where others can read along.
"""

import os
from base64 import b64encode
from oxy.typed import Final

from oxy.errors import RequestError
from oxy.sync.address import Web

_HERE: Final = frozenset({b"localhost", b"[::1]"})


class TokensError(RequestError):
    """OXY_TOKENS is not what it is to be; it is not repeated."""

    def __init__(self) -> None:
        super().__init__("OXY_TOKENS is not HOST=TOKEN, or several with blanks between them")


def authorization(where: Web) -> bytes | None:
    """Return the header that tells a server who asks, or None.

    OXY_TOKENS has it, or the file that NETRC names, else ~/.netrc.

    Raises:
        TokensError: that is no list of tokens.
    """
    if not where.is_secure and not _is_here(where.host):
        return None
    token = _tokens().get(where.authority.decode())
    if token is not None:
        return b"Bearer " + token.encode()
    return _basic(where)


def _is_here(host: bytes) -> bool:
    """Tell whether what is sent to a host stays on this machine."""
    is_numbers = host.replace(b".", b"").isdigit()
    return host.lower() in _HERE or (is_numbers and host.startswith(b"127."))


def _tokens() -> dict[str, str]:
    found = {}
    for word in os.environ.get("OXY_TOKENS", "").split():
        host, equals, token = word.partition("=")
        if not equals or not token.isascii() or not token.isprintable():
            raise TokensError
        found[host] = token
    return found


def _basic(where: Web) -> bytes | None:
    """Return what a netrc file says of a host, unless another of its users is meant."""
    path = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    if not os.path.exists(path):
        return None
    from netrc import NetrcParseError, netrc

    try:
        found = netrc(path).hosts.get(where.host.strip(b"[]").decode())
    except (NetrcParseError, OSError, UnicodeDecodeError):
        # It is another program's file: what it says of other hosts is none of ours.
        return None
    if found is None or (where.user is not None and where.user != os.fsencode(found[0])):
        return None
    login, _, password = found
    if not password:
        return None
    return b"Basic " + b64encode(f"{login}:{password}".encode())
