"""Whose repository it is, and whether one of another user may be worked in.

Spec: threat-model, T14. What is worked in counts, not what is pulled from.
"""

import os
from oxy.typed import Final

from oxy.errors import StateError
from oxy.repo.userfile import ConfigError, read, user_file

ALL: Final = b"*"
"""Stands for every directory."""


class ForeignOwnerError(StateError):
    """The repository belongs to another user, and nobody said that it may be worked in."""

    def __init__(self, root: bytes, owner: int) -> None:
        super().__init__(
            f"the repository in {os.fsdecode(root)} belongs to {_name(owner)}, not to you"
        )
        self.root = root
        self.owner = owner


def refuse_foreign(root: bytes, owner: int) -> None:
    """Refuse a repository of another user, unless the user's own file trusts its directory.

    Who works as the superuser by `sudo` is also who called that.

    Raises:
        ForeignOwnerError: see above.
        ConfigError: the user's file cannot be read.
    """
    is_called = os.geteuid() == 0 and os.environ.get("SUDO_UID") == str(owner)
    if not is_called and not _is_trusted(os.path.realpath(root)):
        raise ForeignOwnerError(root, owner)


def _is_trusted(root: bytes) -> bool:
    path = user_file()
    section = read(path).get("safe")
    words = section.get("directory", []) if isinstance(section, dict) else []
    if not isinstance(words, list):
        raise ConfigError(path, "safe.directory is no list of words")
    trusted = [os.fsencode(str(word)) for word in words]
    return ALL in trusted or root in map(os.path.realpath, map(os.path.expanduser, trusted))


def _name(owner: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return f"user {owner}"
