"""What a bookmark or a tag may be called (spec: states, S19)."""

import os
from collections.abc import Iterable
from oxy.typed import Final

from oxy.errors import RequestError
from oxy.model.pathrule import fold, path_refusal

_RESERVED: Final = frozenset(b" ~^:?*[\\|")
_PAIRS: Final = (b"..", b"@{")


class RefNameError(RequestError):
    """A name breaks the rule for names."""

    def __init__(self, name: bytes, rule: str) -> None:
        super().__init__(f"'{os.fsdecode(name)}' is no name for a bookmark or tag: it {rule}")
        self.name = name
        self.rule = rule


class NameFoldsError(RequestError):
    """Two names that some file system takes for one."""

    def __init__(self, name: bytes, other: bytes) -> None:
        names = f"'{os.fsdecode(name)}' and '{os.fsdecode(other)}'"
        super().__init__(f"{names} would be one name on some file systems")
        self.name = name
        self.other = other


def refusal(name: bytes) -> str | None:
    """Return why this may not be the name of a bookmark or tag, or None if it may."""
    if name.startswith(b"-"):
        return "begins with -"
    if name == b"@":
        return "is @, which means the working copy's state"
    if _RESERVED & set(name):
        return "holds a space or one of ~ ^ : ? * [ \\ |"
    if any(pair in name for pair in _PAIRS):
        return "holds .. or @{"
    return path_refusal(name)


def check(name: bytes, others: Iterable[bytes]) -> None:
    """Prove that a name may be given beside others of its kind.

    Cost: a fold of each.

    Raises:
        RefNameError: it breaks the rule.
        NameFoldsError: it folds to the same as another.
    """
    rule = refusal(name)
    if rule is not None:
        raise RefNameError(name, rule)
    key = fold(name)
    for other in others:
        if other != name and fold(other) == key:
            raise NameFoldsError(name, other)
