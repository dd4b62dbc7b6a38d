"""Which bookmarks take only what certain people signed (spec: sync, SY82)."""

import os
from oxy.typed import Final

from pyroaring import BitMap

from oxy.actions.config import names_in, words
from oxy.errors import StateError
from oxy.model.digest import short
from oxy.repo.repository import Repository
from oxy.sync.wish import NOT_SIGNED

ANYONE: Final = "*"
"""Stands for every allowed signer."""

SHOWN: Final = 3
"""Most changes that an error names."""


class NotSignedError(StateError):
    """A bookmark is to take what nobody signed of those who have to; nothing is kept."""

    def __init__(self, bookmark: bytes, changes: tuple[bytes, ...]) -> None:
        told = ", ".join(map(short, changes[:SHOWN]))
        rest = f" and {len(changes) - SHOWN} more" if len(changes) > SHOWN else ""
        what = f"bookmark '{os.fsdecode(bookmark)}' takes only what its signers signed"
        super().__init__(f"{what}, and nobody of them did: {told}{rest}")
        self.bookmark = bookmark
        self.changes = changes


def signers_of(bookmark: bytes) -> frozenset[str] | None:
    """Return who has to have signed what comes to a bookmark; None if nobody has to.

    Where several patterns fit, whoever one of them names may.

    Raises:
        ConfigError: the user's file is wrong.
    """
    patterns = names_in("signers")
    if not patterns:
        return None
    from fnmatch import fnmatchcase

    fitting = [each for each in patterns if fnmatchcase(bookmark, os.fsencode(each))]
    named = [words(None, f"signers.{each}") for each in fitting]
    return frozenset(name for each in named for name in each) if named else None


def unsigned(repository: Repository, bookmark: bytes, changes: BitMap) -> tuple[bytes, ...]:
    """Return the ids of those changes that a bookmark may not take.

    Cost: where nobody has to sign, a look at the user's configuration; else runs of
    `ssh-keygen` for each change.

    Raises:
        NoSignersError, KeygenError: signatures cannot be checked.
        ConfigError: the user's file is wrong.
    """
    wanted = signers_of(bookmark)
    if wanted is None:
        return ()
    from oxy.actions.signing import judged
    from oxy.actions.sshkeys import allowed_file

    return tuple(
        each.id
        for each in judged(repository, changes, allowed_file())
        if not (each.is_good if ANYONE in wanted else each.signers & wanted)
    )


def why_not_signed(repository: Repository, bookmark: bytes, changes: BitMap) -> int | None:
    """Return why a bookmark may not take changes that it has not, or None; see `unsigned`."""
    return NOT_SIGNED if unsigned(repository, bookmark, changes) else None


def require_signed(repository: Repository, bookmark: bytes, changes: BitMap) -> None:
    """Refuse what a bookmark may not take.

    Raises:
        NotSignedError: some are not signed by whoever has to; or as `unsigned`.
    """
    found = unsigned(repository, bookmark, changes)
    if found:
        raise NotSignedError(bookmark, found)
