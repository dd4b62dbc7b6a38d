"""Which proxy stands before a server, as the environment says (spec: sync, SY71).

`https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, as other programs read them; of
`http_proxy` only the spelling in small letters, for a server may set the other.
"""

import os
from base64 import b64encode

from oxy.errors import RequestError
from oxy.sync.address import Web
from oxy.sync.web.line import Proxy


class ProxyError(RequestError):
    """A proxy is named that cannot be one. What it is called may hold a password."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"{variable} does not name a proxy as http://HOST:PORT")
        self.variable = variable


def proxy_for(where: Web) -> Proxy | None:
    """Return the proxy to a server, if there is one. Cost: 20 ms where any is named.

    Raises:
        ProxyError: it is not one of HTTP.
    """
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return None
    from urllib.parse import unquote_to_bytes, urlsplit
    from urllib.request import getproxies_environment, proxy_bypass

    named = getproxies_environment()
    scheme = "https" if where.is_secure else "http"
    kind = next((each for each in (scheme, "all") if each in named), None)
    if kind is None or proxy_bypass(where.authority.decode()):
        return None
    given = named[kind]
    variable = f"{kind}_proxy"
    try:
        parts = urlsplit(given if "://" in given else f"http://{given}")
        host, port = parts.hostname, parts.port or 80
    except ValueError as error:
        raise ProxyError(variable) from error
    if parts.scheme != "http" or not host:
        raise ProxyError(variable)
    if parts.username is None:
        return Proxy(host, port)
    secret = b":".join(map(unquote_to_bytes, (parts.username, parts.password or "")))
    return Proxy(host, port, b"Basic " + b64encode(secret))
