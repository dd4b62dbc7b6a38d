"""Care for a bucket (spec: sync, SY25, SY95)."""

import os
from oxy.typed import Final

from oxy.actions.gc import DaysError
from oxy.actions.remotes import located, meant
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.repository import opened
from oxy.sync import limits
from oxy.sync.address import Store, is_far, parse
from oxy.sync.bucket.collecting import Collected, collect
from oxy.sync.bucket.place import objects_at

_DAY: Final = 86_400
_GRACE: Final = "--grace"
_DAYS: Final = 4
"""Digits of a number of days."""


class NotBucketAddressError(RequestError):
    """What is meant is another kind of repository."""

    def __init__(self, address: bytes) -> None:
        super().__init__(f"{os.fsdecode(address)} is no bucket")
        self.address = address


def gc(given: bytes, days: str | None, progress: Progress, *, dry_run: bool) -> Collected:
    """Drop what no name of a bucket reaches, and make one of many small objects.

    Args:
        given: its address, or the remote of the repository here that has it.
        days: how long what no state names stays; None is two.
        progress: told of each object.
        dry_run: only tell.

    Raises:
        NotBucketAddressError, AddressError, NoRepositoryError: it is none.
        DaysError: the days are no number of days.
        NoBucketError, DeniedError, NoClientError, LostError: it cannot be used.
        PushedMeanwhileError: others were faster.
    """
    where = _bucket(given)
    grace = limits.GRACE if days is None else _seconds(days)
    return collect(objects_at(where), grace, progress, dry_run=dry_run)


def _bucket(given: bytes) -> Store:
    address = located(given)
    if not is_far(given):
        with opened(os.getcwdb()) as repository:
            address = meant(repository, given).address
    where = parse(address) if is_far(address) else None
    if not isinstance(where, Store):
        raise NotBucketAddressError(address)
    return where


def _seconds(days: str) -> int:
    if not days.isascii() or not days.isdigit() or len(days) > _DAYS:
        raise DaysError(_GRACE, days)
    return int(days) * _DAY
