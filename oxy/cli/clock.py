"""The stamp of an operation that happens now (spec: states, S24)."""

from __future__ import annotations

import os

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.repo.writing import Stamp


def stamp(command: str) -> Stamp:
    """Return when, by whom and how an operation is done."""
    return Stamp(*now(), operator(), os.fsencode(command))
