"""Who records (spec: command-line, L21, L22)."""

import os

from oxy.actions.config import setting
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

    Cost: where only Git knows, two runs of it.

    Raises:
        NoIdentityError: nobody said.
        AuthorError: OXY_AUTHOR is none.
    """
    given = os.environb.get(b"OXY_AUTHOR")
    if given:
        return author_of(given)
    name, address = (
        setting(control, "user", key) or _of_git(control, key) for key in ("name", "email")
    )
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


def _of_git(control: bytes | None, key: str) -> str | None:
    """Return what the user's own Git configuration says.

    Not that of a repository around the working copy, unless Git finds it there by itself.
    """
    import subprocess

    where = os.path.dirname(control) if control else None
    command = ["git", "config", "--get", f"user.{key}"]
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, check=False)
    except OSError:
        return None
    return os.fsdecode(done.stdout.rstrip(b"\n")) or None
