"""Who may do what with a repository that is served over HTTP (spec: sync, SY30, SY84, SY85).

A file of the operator's says it. It holds digests of tokens and no token: these are 32 random
bytes, so one digest of them is as good as any slow one, and looking it up tells nothing by the
time that it takes.
"""

import os
from collections.abc import Sequence
from fnmatch import fnmatchcase
from oxy.typed import Final, NamedTuple, TypeAlias

from blake3 import blake3

from oxy.errors import RequestError, StateError
from oxy.repo.refs import TAG
from oxy.repo.userfile import ConfigError, Table, read

FILE: Final = b"access.toml"
ANYONE: Final = "anyone"
"""The table of what may be done without a token."""

OF_TAGS: Final = "tag:"
"""How a pattern begins that is one of tags."""

EVERYTHING: Final = "*"

TOKEN_SIZE: Final = 32
_DOMAIN: Final = b"oxy token v1"

Patterns: TypeAlias = tuple[str, ...]


class UserExistsError(RequestError):
    """There is a user of this name."""

    def __init__(self, user: str) -> None:
        super().__init__(f"there is a user '{user}' already")
        self.user = user


class NoUserError(RequestError):
    """There is no user of this name; `near` are those that look like it."""

    def __init__(self, user: str, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no user '{user}'")
        self.user = user
        self.near = near


class UserNameError(RequestError):
    """A user cannot be called so."""

    def __init__(self, user: str) -> None:
        super().__init__(f"'{user}' is no name of a user: letters, digits, `.`, `-` and `_`")
        self.user = user


class NoAccessFileError(StateError):
    """Nobody may do anything: there is no file that says so."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"there is no {os.fsdecode(path)}: nobody may do anything")
        self.path = path


class Rights(NamedTuple):
    """What somebody may do: patterns of the bookmarks, and behind `tag:` of the tags.

    `*` alone is all of both.
    """

    user: str
    read: Patterns = ()
    push: Patterns = ()
    delete: Patterns = ()

    @property
    def reads_all(self) -> bool:
        """Whether nothing is hidden."""
        return EVERYTHING in self.seen

    @property
    def seen(self) -> Patterns:
        """What is shown and sent: what may be read, and what may be pushed to."""
        return (*self.read, *self.push)

    @property
    def writes(self) -> bool:
        """Whether anything may be pushed or deleted."""
        return bool(self.push or self.delete)


class Access(NamedTuple):
    """What a file says.

    Attributes:
        users: the rights of each user, by the digest of the token.
        anyone: what may be done without one; None is nothing.
        per_minute: how often a user, or an address, may ask in a minute; None is unlimited.
        most: bytes that may be pushed at once; None is what there is room for.
    """

    users: dict[str, Rights]
    anyone: Rights | None
    per_minute: int | None = None
    most: int | None = None


def fits(patterns: Sequence[str], kind: int, name: bytes) -> bool:
    """Tell whether a pattern fits a bookmark or a tag."""
    is_tag = kind == TAG
    called = (OF_TAGS if is_tag else "") + os.fsdecode(name)
    fitting = (each for each in patterns if each.startswith(OF_TAGS) == is_tag)
    return EVERYTHING in patterns or any(fnmatchcase(called, each) for each in fitting)


def digest_of(token: str) -> str:
    """Return what stands in the file for a token."""
    return blake3(_DOMAIN + os.fsencode(token)).hexdigest()


def loaded(path: bytes) -> Access:
    """Return what a file says.

    Raises:
        NoAccessFileError: there is none.
        ConfigError: it is not TOML, or not of this form.
    """
    if not os.path.exists(path):
        raise NoAccessFileError(path)
    table = read(path)
    unknown = sorted(table.keys() - {"user", ANYONE, "limits"})
    if unknown:
        raise ConfigError(path, f"nothing is called '{unknown[0]}' there")
    users = {
        _digest(path, name, held): _rights(path, name, held)
        for name, held in _tables(path, table).items()
    }
    anyone = table.get(ANYONE)
    limits = _table(path, "limits", table.get("limits", {}))
    return Access(
        users,
        None if anyone is None else _rights(path, ANYONE, _table(path, ANYONE, anyone)),
        _number(path, limits, "per_minute"),
        _number(path, limits, "bytes"),
    )


def rights_of(access: Access, token: str | None) -> Rights | None:
    """Return what somebody may do who has this token, or none; None for a wrong one."""
    if token is None:
        return access.anyone
    return access.users.get(digest_of(token))


def _tables(path: bytes, table: Table) -> dict[str, Table]:
    held = _table(path, "user", table.get("user", {}))
    return {name: _table(path, f"user.{name}", each) for name, each in held.items()}


def _table(path: bytes, name: str, held: object) -> Table:
    if not isinstance(held, dict):
        raise ConfigError(path, f"{name} is no table")
    return held


def _digest(path: bytes, name: str, held: Table) -> str:
    found = held.get("token")
    if not isinstance(found, str) or len(found) != 2 * blake3.digest_size:
        raise ConfigError(path, f"user.{name}.token is no digest of a token")
    return found


def _rights(path: bytes, name: str, held: Table) -> Rights:
    unknown = sorted(held.keys() - {"token", "read", "push", "delete"})
    if unknown:
        raise ConfigError(path, f"{name} has nothing called '{unknown[0]}'")
    return Rights(
        name,
        *(_patterns(path, f"{name}.{each}", held.get(each, [])) for each in Rights._fields[1:]),
    )


def _patterns(path: bytes, name: str, held: object) -> Patterns:
    if not isinstance(held, list) or not all(isinstance(each, str) and each for each in held):
        raise ConfigError(path, f"{name} is no list of patterns")
    return tuple(map(str, held))


def _number(path: bytes, held: Table, name: str) -> int | None:
    found = held.get(name)
    if found is None:
        return None
    if not isinstance(found, int) or isinstance(found, bool) or found <= 0:
        raise ConfigError(path, f"limits.{name} is no number above 0")
    return found


def near(known: Sequence[str], user: str) -> tuple[str, ...]:
    """Return the users whose names look like one that is none."""
    from difflib import get_close_matches

    return tuple(get_close_matches(user, known))
