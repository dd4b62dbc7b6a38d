"""What a repository is kept in step with beside its own commands (spec: git-bridge, GB60).

The file `companion` in `.oxy` names it. It is loaded by its name, as a verb is, so that nothing
here knows it.
"""

from __future__ import annotations

import os
import sys

from oxy.errors import StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from oxy.cli.output import Output

    Keeping: TypeAlias = Callable[[bytes, Output], None]
    """Brings a repository, whose directory is told, into step."""

COMPANIONS = {b"git": "oxy_git.verb.companion"}
"""What may be named, and the module whose `before` and `after` are called."""

APART = frozenset({"version", "completion", "init", "clone", "config edit", "git colocate"})
"""Commands that look at no state, or see to it themselves."""

_NOTE = b"/.oxy/companion"


class UnknownCompanionError(StateError):
    """The repository is to be kept in step with something that this oxy does not know."""

    def __init__(self, root: bytes, name: bytes) -> None:
        super().__init__(
            f"{os.fsdecode(root + _NOTE)} names '{os.fsdecode(name)}', "
            "with which this oxy cannot keep in step"
        )
        self.root = root
        self.name = name


def beside(root: bytes, name: str, work: Callable[[], int | None], out: Output) -> int | None:
    """Run a command of a repository that has a companion.

    Raises:
        UnknownCompanionError: it has one that is not known.
    """
    if name in APART:
        return work()
    before, after = _loaded(root)
    before(root, out)
    code = work()
    after(root, out)
    return code


def _loaded(root: bytes) -> tuple[Keeping, Keeping]:
    with open(root + _NOTE, "rb") as file:
        name = file.read().strip()
    if name not in COMPANIONS:
        raise UnknownCompanionError(root, name)
    module = COMPANIONS[name]
    __import__(module)
    companion = sys.modules[module]
    return companion.before, companion.after
