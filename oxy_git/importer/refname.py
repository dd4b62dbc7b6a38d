"""Names of refs that bookmarks cannot have, written so that they can (spec: GB20). Pure."""

from collections.abc import Collection, Iterable
from typing import Final

from oxy.model.pathrule import fold
from oxy.repo.refname import refusal

_AWKWARD: Final = frozenset(b"%|") | frozenset(range(0x21)) | {0x7F}
_FOLDING: Final = frozenset(range(0x41, 0x5B)) | frozenset(range(0x80, 0x100))
_LETTERS: Final = _FOLDING | frozenset(range(0x61, 0x7B))


def mapped(name: bytes) -> bytes | None:
    """Return a ref's name as that of a bookmark or tag; None if it cannot have one.

    A byte that is in the way becomes `%` and two hex digits, as does `%` itself, so what was
    can be told from what is.
    """
    safe = _written(name, _AWKWARD)
    if refusal(safe) is not None:
        # A dash in front, a lone @ or a spelling of .git: it does not matter which.
        safe = b"/".join(b"%%%02X" % part[0] + part[1:] for part in safe.split(b"/") if part)
    return safe if refusal(safe) is None else None


def told_apart(names: Iterable[bytes], held: Collection[bytes]) -> dict[bytes, bytes]:
    """Return what refs are called here where some of their names fold alike (S19).

    Args:
        names: refs by their names as `mapped` gives them, in order.
        held: the names of bookmarks, or of tags, that there are; one that is held is kept.

    Of names that fold alike one stays; the others have hex digits in place of capitals and of
    bytes beyond ASCII, or of all letters. What is no name even so is left out.
    """
    taken = {fold(name): name for name in held}
    called: dict[bytes, bytes] = {}
    for name in names:
        for wanted in (name, _written(name, _FOLDING), _written(name, _LETTERS)):
            if taken.setdefault(fold(wanted), wanted) == wanted and refusal(wanted) is None:
                called[name] = wanted
                break
    return called


def _written(name: bytes, awkward: frozenset[int]) -> bytes:
    return b"".join(b"%%%02X" % byte if byte in awkward else bytes([byte]) for byte in name)
