"""Why an exchange over HTTP comes to nothing (spec: sync, SY72, SY73)."""

from oxy.errors import RequestError, StateError


class UnreachableError(StateError):
    """No connection to a server, or to the proxy before it, can be made."""

    def __init__(self, server: str, why: str) -> None:
        super().__init__(f"{server} cannot be reached: {why}")
        self.server = server


class CertificateError(StateError):
    """A server does not prove that it is who it is meant to be; nothing was sent to it."""

    def __init__(self, server: str, why: str) -> None:
        super().__init__(f"{server} does not prove who it is: {why}")
        self.server = server


class NotServedError(StateError):
    """What answers at an address is no server of a repository."""

    def __init__(self, address: str, status: int) -> None:
        super().__init__(f"no repository answers at {address} (status {status})")
        self.address = address
        self.status = status


class CredentialsError(StateError):
    """A server wants to know who asks; `was_given` tells whether it was told, in vain."""

    def __init__(self, address: str, *, was_given: bool) -> None:
        what = "does not take the credentials for it" if was_given else "wants credentials"
        super().__init__(f"{address} {what}")
        self.address = address
        self.was_given = was_given


class NotAllowedError(RequestError):
    """A server does not allow what was asked, whoever asked."""

    def __init__(self, address: str, doing: str) -> None:
        super().__init__(f"{address} does not let you {doing}")
        self.address = address
        self.doing = doing


class BusyError(StateError):
    """A server has too much to do, or too little room."""

    def __init__(self, address: str, status: int) -> None:
        super().__init__(f"{address} has too much to do, or too little room (status {status})")
        self.address = address
        self.status = status


class TooMuchError(RequestError):
    """A server does not take that much in one push."""

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} does not take that much at once")
        self.address = address


class RedirectedError(StateError):
    """A server sends elsewhere, where one does not go."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"{address} sends elsewhere, and that is not followed: {why}")
        self.address = address
        self.why = why
