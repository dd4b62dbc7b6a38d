"""A little packing after a command that wrote (spec: store, ST63)."""

from __future__ import annotations

from contextlib import suppress

from oxy.errors import OxyError
from oxy.repo.collecting.loose import is_loose
from oxy.repo.place import home


def tidy(root: bytes) -> None:
    """Pack what the repository of a directory has gathered, if it is much and may be packed.

    What keeps it from that is no concern of the command: it is for the next one.
    Cost: a look at the segments, as a rule.
    """
    with suppress(OxyError, OSError):
        control = home(root).control
        if is_loose(control) and _is_wanted(control):
            from oxy.cli.watching import Silent
            from oxy.repo.collecting.run import collect_some
            from oxy.repo.repository import opened

            with opened(root) as repository:
                collect_some(repository, Silent())


def _is_wanted(control: bytes) -> bool:
    from oxy.actions.config import text

    return text(control, "gc.auto") != "false"
