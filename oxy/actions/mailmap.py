"""Authors as `.mailmap` has them (spec: command-line, L50).

The forms and the rules are Git's. A line names whom it is for by address, and maybe by name;
ASCII letters are alike in either case. It says which name and address are to be shown.
"""

import os
import stat
from oxy.typed import Final, NamedTuple

from oxy.repo.place import CONTROL

NAME: Final = b".mailmap"

AUTHORS: Final = b"authors"
"""The file beside the store that says how authors of an import are shown."""

MOST: Final = 16 << 20
"""Bytes of a mailmap that is read."""

_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_SPACE: Final = b" \t\n\r"


class Proper(NamedTuple):
    """What is shown of an author; None is what the change says."""

    name: bytes | None = None
    address: bytes | None = None


class Mailmap:
    """What lines of a mailmap say; later ones win."""

    __slots__ = ("_known", "_named", "_plain")

    def __init__(self, text: bytes) -> None:
        self._plain: dict[bytes, Proper] = {}
        self._named: dict[bytes, dict[bytes, Proper]] = {}
        self._known: dict[bytes, bytes] = {}
        for line in text.split(b"\n"):
            if not line.startswith(b"#"):
                self._add(line)

    def _add(self, line: bytes) -> None:
        first = _parted(line)
        if first is None or not first[1]:
            return
        name, address, rest = first
        second = _parted(rest)
        if second is None:
            key, proper, for_name = address, Proper(name or None), b""
        else:
            for_name, key, _ = second
            proper = Proper(name or None, address)
        if for_name:
            self._named.setdefault(key.lower(), {})[for_name.lower()] = proper
        else:
            old = self._plain.get(key.lower(), Proper())
            self._plain[key.lower()] = Proper(proper[0] or old[0], proper[1] or old[1])

    def author(self, recorded: bytes) -> bytes:
        """Return an author, `Name <address>`, as it is to be shown; remembered."""
        found = self._known.get(recorded)
        if found is None:
            found = self._known[recorded] = self._mapped(recorded)
        return found

    def _mapped(self, recorded: bytes) -> bytes:
        parted = _parted(recorded)
        if parted is None:
            return recorded
        name, address, _ = parted
        proper = self._named.get(address.lower(), {}).get(name.lower())
        if proper is None:
            proper = self._plain.get(address.lower())
        if proper is None or proper == Proper():
            return recorded
        name = proper.name or name
        address = address if proper.address is None else proper.address
        return (name + b" <" + address + b">").lstrip()


def places(root: bytes) -> tuple[bytes, bytes]:
    """Return where a working copy's mailmap is, and what an import was told of authors."""
    return os.path.join(root, NAME), os.path.join(root, CONTROL, AUTHORS)


def read(root: bytes) -> Mailmap | None:
    """Return the mailmap at the top of a working copy, or None where there is none.

    What an import was told of authors comes after it, and wins. As in Git a symlink is not
    followed. What is no regular file, or over `MOST`, is none.
    """
    found = [text for text in map(_text, places(root)) if text is not None]
    return Mailmap(b"\n".join(found)) if found else None


def _text(path: bytes) -> bytes | None:
    try:
        with open(os.open(path, _FLAGS), "rb") as file:
            held = os.fstat(file.fileno())
            if not stat.S_ISREG(held.st_mode) or held.st_size > MOST:
                return None
            return file.read(MOST)
    except OSError:
        return None


def _parted(line: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Return the name, the address and what follows it; None where there is no address."""
    name, less, rest = line.partition(b"<")
    address, more, rest = rest.partition(b">")
    return (name.strip(_SPACE), address, rest) if less and more else None
