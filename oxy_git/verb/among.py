"""The words that say which commits are verified, and by how many (spec: git-bridge, GB58)."""

from __future__ import annotations

import re

from oxy.actions.naming import resolve
from oxy.actions.words import HERE_NAME, UnknownStateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

    from pyroaring import BitMap

    from oxy.repo.repository import Repository

BETWEEN = b".."
JOBS = 64
"""Processes that may be asked for."""

_OID = re.compile(rb"[0-9a-f]{4,40}")
_PERCENT = 100
_DIGITS = 18


def among(repository: Repository, called: bytes) -> BitMap:
    """Return the changes of a state, or for `A..B` those of B that are not in A.

    Each is called as every state is, or by the id of a Git commit; one that is left out is that
    of the working copy.

    Raises:
        RequestError: nothing is called so, or more than one thing.
    """
    base, between, tip = called.partition(BETWEEN)
    if not between:
        return _members(repository, called)
    return _members(repository, tip) - _members(repository, base)


def _members(repository: Repository, called: bytes) -> BitMap:
    try:
        return resolve(repository, called or HERE_NAME).members(repository)
    except UnknownStateError:
        if _OID.fullmatch(called) is None:
            raise
        return resolve(repository, b"git:" + called).members(repository)


def fraction(text: str) -> int | Fraction:
    """Return how many a sample has, or which part.

    Raises:
        ArgumentTypeError: it is neither.
    """
    number = text.removesuffix("%")
    if number != text and _is_number(number) and 1 <= int(number) <= _PERCENT:
        from fractions import Fraction

        return Fraction(int(number), _PERCENT)
    if number != text or not _is_number(text) or not int(text):
        _refuse(f"'{text}' is no number of commits from 1 up, and no part from 1% to 100%")
    return int(text)


def jobs_of(text: str) -> int:
    """Return how many processes may work.

    Raises:
        ArgumentTypeError: it is no number of such.
    """
    if not _is_number(text) or not 1 <= int(text) <= JOBS:
        _refuse(f"'{text}' is no number of processes from 1 to {JOBS}")
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


def _refuse(message: str) -> None:
    from argparse import ArgumentTypeError

    raise ArgumentTypeError(message)
