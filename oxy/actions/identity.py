"""Who records (spec: command-line, L21, L22)."""

import os

from oxy.actions.config import text
from oxy.codec.limits import AUTHOR
from oxy.errors import RequestError, StateError


class NoIdentityError(StateError):
    """Nobody said who records."""

    def __init__(self) -> None:
        super().__init__("no author is known for what is to be recorded")


class AuthorError(RequestError):
    """What is given is no author."""

    def __init__(self, given: bytes, rule: str) -> None:
        super().__init__(f"'{os.fsdecode(given)}' is no author: {rule}")
        self.given = given
        self.rule = rule


def author_of(given: bytes) -> bytes:
    """Return an author as given, once it is known to be one.

    Raises:
        AuthorError: it breaks a rule of the model.
    """
    author = given.strip()
    if not author.endswith(b">") or b"<" not in author:
        raise AuthorError(given, "it has the form Name <address>")
    if {0, 10, 13} & set(author):
        raise AuthorError(given, "it may not hold CR, LF or NUL")
    if len(author) > AUTHOR:
        raise AuthorError(given[:80], f"it is over {AUTHOR} bytes")
    return author


def identity(control: bytes | None) -> bytes:
    """Return the author of what is recorded: OXY_AUTHOR, else what is configured.

    Args:
        control: the `.oxy` directory, whose configuration comes first.

    Cost: where only Git knows, a run of it.

    Raises:
        NoIdentityError: nobody said.
        AuthorError: OXY_AUTHOR is none.
    """
    given = os.environb.get(b"OXY_AUTHOR")
    if given:
        return author_of(given)
    name, address = text(control, "user.name"), text(control, "user.email")
    if not name or not address:
        known = _of_git(control)
        name = name or known.get("user.name")
        address = address or known.get("user.email")
    if not name or not address:
        raise NoIdentityError
    return author_of(f"{name} <{address}>".encode("utf-8", "surrogateescape"))


def operator() -> bytes:
    """Return who works, for the operation log: OXY_AUTHOR, else the name of the account."""
    given = os.environb.get(b"OXY_AUTHOR")
    if given:
        return given[:AUTHOR]
    import pwd

    try:
        return os.fsencode(pwd.getpwuid(os.getuid()).pw_name)
    except KeyError:
        return b"%d" % os.getuid()


def _of_git(control: bytes | None) -> dict[str, str]:
    """Return what the user's own Git configuration says of the user, the last value of each."""
    import subprocess

    where = os.path.dirname(control) if control else None
    command = ["git", "config", "-z", "--get-regexp", r"^user\.(name|email)$"]
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, check=False)
    except OSError:
        return {}
    rows = [row.partition(b"\n") for row in done.stdout.split(b"\0") if row]
    return {os.fsdecode(key): os.fsdecode(value) for key, _, value in rows}
