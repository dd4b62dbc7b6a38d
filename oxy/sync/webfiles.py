"""Files of a published repository from a web server (spec: sync, SY18, SY19, SY56).

Loaded only where an address is used. Nothing but GET is asked, credentials follow no redirect,
and that is followed to http and https alone, never from https to http.
"""

import time
from http.client import HTTPException
from oxy.typed import TYPE_CHECKING, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from oxy.sync import limits
from oxy.sync.errors import LostError, RefusedTransferError
from oxy.sync.shelf import File

if TYPE_CHECKING:
    from http.client import HTTPMessage, HTTPResponse
    from typing import IO

_ABSENT: Final = frozenset((403, 404, 410))
"""What a server says where there is no file; object stores say 403 to who may not list."""


class WebFiles:
    """A place of a web server, below which files are read."""

    __slots__ = ("_authorization", "_base", "_limit", "_opener")

    def __init__(
        self,
        address: str,
        limit: float = limits.SILENCE,
        authorization: bytes | None = None,
    ) -> None:
        """Begin to use a place.

        Args:
            address: its address, with or without a slash at its end.
            limit: seconds in which what is wanted must have come.
            authorization: what says there who asks; it goes nowhere else.
        """
        self._authorization = authorization
        self._base = address.rstrip("/") + "/"
        self._limit = limit
        self._opener: OpenerDirector = build_opener(_Redirects)

    def get(self, name: str) -> File | None:
        """Open a file; None where there is none.

        Raises:
            LostError: the server is not reached, or does not hand it out.
            RefusedTransferError: it leads somewhere where nothing is read.
        """
        request = Request(self._base + name, headers={"User-Agent": "oxy"})  # noqa: S310 -- the scheme was checked with the address
        if self._authorization is not None:
            request.add_unredirected_header("Authorization", self._authorization.decode())
        try:
            return _Coming(self._opener.open(request, timeout=self._limit), self._limit)
        except HTTPError as error:
            error.close()
            if error.code in _ABSENT:
                return None
            why = f"the web server says {error.code} {error.reason}"
            raise LostError(why) from error
        except (URLError, HTTPException, OSError) as error:
            raise _lost(error) from error


class _Coming:
    """A file on its way."""

    __slots__ = ("_limit", "_response")

    def __init__(self, response: "HTTPResponse", limit: float) -> None:
        self._response = response
        self._limit = limit

    def read(self, size: int) -> bytes:
        """Return so many bytes, less only at the end; they come in time, or are lost."""
        end = time.monotonic() + self._limit
        pieces = []
        left = min(size, limits.PIECE)
        try:
            # One call of `read` waits for all of it, however slowly that drips.
            while left and (data := self._response.read1(left)):
                pieces.append(data)
                left -= len(data)
                if time.monotonic() > end:
                    why = f"too little came for {self._limit:g} seconds"
                    raise LostError(why)
        except (HTTPException, OSError) as error:
            raise _lost(error) from error
        if left and self._response.length:
            why = f"the web server ended {self._response.length} bytes early"
            raise LostError(why)
        return b"".join(pieces)

    def close(self) -> None:
        """Read no more of it."""
        self._response.close()


class _Redirects(HTTPRedirectHandler):
    """Follows a redirect to http and https only, never to less than it came by."""

    max_redirections = limits.REDIRECTS
    max_repeats = limits.REDIRECTS

    def redirect_request(
        self,
        req: Request,
        fp: "IO[bytes]",
        code: int,
        msg: str,
        headers: "HTTPMessage",
        newurl: str,
    ) -> Request | None:
        """See HTTPRedirectHandler."""
        target = urlsplit(urljoin(req.full_url, newurl)).scheme
        if target not in ("http", "https") or (req.type == "https" and target != "https"):
            rule = f"the web server leads to {target}, where nothing is read"
            raise RefusedTransferError(rule)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _lost(error: Exception) -> LostError:
    reason = error.reason if isinstance(error, URLError) else error
    words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return LostError(words)
