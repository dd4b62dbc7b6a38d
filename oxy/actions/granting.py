"""Give rights over a served repository, and take them (spec: sync, SY84; command-line, L83)."""

import os
from oxy.typed import TYPE_CHECKING, Final, NamedTuple

from oxy.actions.access import (
    ANYONE,
    TOKEN_SIZE,
    NoUserError,
    Patterns,
    Rights,
    UserExistsError,
    UserNameError,
    digest_of,
    loaded,
    near,
)
from oxy.actions.configuring import replace_file

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Table

_PRIVATE: Final = 0o600
_SIGNS: Final = frozenset("._-")


class Granted(NamedTuple):
    """A user that was made or has another token now; it is told once, and kept nowhere."""

    user: str
    token: str


def grant(path: bytes, rights: Rights) -> Granted:
    """Let somebody in, with a token of their own.

    Raises:
        UserExistsError, UserNameError: the name cannot be had.
        ConfigError: the file is not of its form.
    """
    user = rights.user
    if user == ANYONE or not _is_name(user):
        raise UserNameError(user)
    document = _document(path)
    users = _users(document)
    if user in users:
        raise UserExistsError(user)
    token = _token()
    users[user] = _row(rights, token)
    _write(path, document)
    return Granted(user, token)


def grant_anyone(path: bytes, read: Patterns) -> None:
    """Let everybody read some bookmarks, without a token; none is nothing.

    Raises:
        ConfigError: the file is not of its form.
    """
    document = _document(path)
    if not read:
        document.pop(ANYONE, None)
    else:
        import tomlkit

        table = tomlkit.table()
        table["read"] = list(read)
        document[ANYONE] = table
    _write(path, document)


def renew(path: bytes, user: str) -> Granted:
    """Give a user another token; the one before is nobody's from then on.

    Raises:
        NoUserError: there is none.
        NoAccessFileError, ConfigError: see `loaded`.
    """
    document = _document(path)
    row = _existing(path, document, user)
    token = _token()
    row["token"] = digest_of(token)
    _write(path, document)
    return Granted(user, token)


def revoke(path: bytes, user: str) -> None:
    """Let a user do nothing any more.

    Raises:
        NoUserError: there is none.
        NoAccessFileError, ConfigError: see `loaded`.
    """
    document = _document(path)
    _existing(path, document, user)
    del _users(document)[user]
    _write(path, document)


def granted(path: bytes) -> list[Rights]:
    """Return who may do what, by name; what anyone may do is last.

    Raises:
        NoAccessFileError, ConfigError: see `loaded`.
    """
    access = loaded(path)
    users = sorted(access.users.values())
    return [*users, *([access.anyone] if access.anyone is not None else [])]


def _is_name(user: str) -> bool:
    return bool(user) and all(sign.isalnum() or sign in _SIGNS for sign in user)


def _token() -> str:
    from secrets import token_urlsafe

    return token_urlsafe(TOKEN_SIZE)


def _document(path: bytes) -> "TOMLDocument":
    """Return the file as it is, comments and order kept; an empty one where there is none."""
    import tomlkit

    if not os.path.exists(path):
        return tomlkit.document()
    loaded(path)
    with open(path, encoding="utf-8", newline="") as file:
        return tomlkit.parse(file.read())


def _users(document: "TOMLDocument") -> dict[str, object]:
    import tomlkit

    found = document.setdefault("user", tomlkit.table(is_super_table=True))
    assert isinstance(found, dict)  # noqa: S101 -- it was read as one
    return found


def _existing(path: bytes, document: "TOMLDocument", user: str) -> dict[str, object]:
    users = _users(document)
    row = users.get(user)
    if not isinstance(row, dict):
        known = [rights.user for rights in loaded(path).users.values()]
        raise NoUserError(user, near(known, user))
    return row


def _row(rights: Rights, token: str) -> "Table":
    import tomlkit

    row = tomlkit.table()
    row["token"] = digest_of(token)
    for name, patterns in zip(Rights._fields[1:], rights[1:], strict=True):
        if patterns:
            row[name] = list(patterns)
    return row


def _write(path: bytes, document: "TOMLDocument") -> None:
    import tomlkit

    if not os.path.exists(path):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    replace_file(path, tomlkit.dumps(document))
