"""Signing what a command records, where the user wants that (spec: command-line, L82)."""

from __future__ import annotations

import os

from oxy.actions.config import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from oxy.cli.output import Output

NOT_SIGNED = 3
"""The exit code of a command that did its work, and whose changes could not be signed."""


def signed(work: Callable[[], int | None], out: Output) -> int | None:
    """Run a command, and sign what it recorded if `signing.when` says so.

    What was recorded stays where it cannot be signed; this is told, and is no success.
    """
    if text(None, "signing.when") != "always":
        return work()
    from oxy.repo.repository import opened
    from oxy.store.protocol import CHANGE

    with opened(os.getcwdb()) as repository:
        before = repository.store.count(CHANGE)
    code = work()
    out.flush()
    return sign_since(before, out) or code


def sign_since(before: int, out: Output) -> int:
    """Sign the changes that came after a number of them; return an exit code."""
    from oxy.actions.signing import sign
    from oxy.actions.sshkeys import key_of
    from oxy.cli.clock import stamp
    from oxy.errors import StateError
    from oxy.repo.repository import opened
    from oxy.store.protocol import CHANGE

    with opened(os.getcwdb()) as repository:
        new = range(before + 1, repository.store.count(CHANGE) + 1)
        if not new:
            return 0
        try:
            sign(repository, new, key_of(None), stamp("sign"))
        except StateError as error:
            out.warning(f"recorded, and not signed: {error}")
            return NOT_SIGNED
    return 0
