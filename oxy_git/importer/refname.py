"""Names of refs that bookmarks cannot have, written so that they can (spec: GB20). Pure."""

from typing import Final

from oxy.repo.refname import refusal

_AWKWARD: Final = frozenset(b"%|") | frozenset(range(0x21)) | {0x7F}


def mapped(name: bytes) -> bytes | None:
    """Return a ref's name as that of a bookmark or tag; None if it cannot have one.

    A byte that is in the way becomes `%` and two hex digits, as does `%` itself, so what was
    can be told from what is.
    """
    safe = b"".join(b"%%%02X" % byte if byte in _AWKWARD else bytes([byte]) for byte in name)
    if refusal(safe) is not None:
        # A dash in front, a lone @ or a spelling of .git: it does not matter which.
        safe = b"/".join(b"%%%02X" % part[0] + part[1:] for part in safe.split(b"/") if part)
    return safe if refusal(safe) is None else None
