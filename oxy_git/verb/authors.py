"""How the authors of an import are shown (spec: git-bridge, GB72; command-line, L50)."""

from __future__ import annotations

import os

from oxy.actions.mailmap import AUTHORS, MOST
from oxy.errors import RequestError
from oxy.repo.place import CONTROL


class AuthorsError(RequestError):
    """A line of a file of authors says nothing that can be understood."""

    def __init__(self, path: bytes, line: int) -> None:
        super().__init__(f"'{os.fsdecode(path)}', line {line}: it names no author to show")
        self.path = path
        self.line = line


def read_authors(path: bytes) -> bytes:
    """Return what a file of authors says, in the form of a mailmap.

    Its lines are those of a mailmap, or `OLD = NAME <ADDRESS>`, where OLD is an address or
    `NAME <ADDRESS>`.

    Raises:
        AuthorsError: a line is neither.
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        lines = file.read(MOST).splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        old, equals, new = line.partition(b" = ")
        if equals:
            old = old.strip() if b"<" in old else b"<" + old.strip() + b">"
            line = new.strip() + b" " + old  # noqa: PLW2901 - the same line in the other form
        is_said = line.strip() and not line.lstrip().startswith(b"#")
        if is_said and not (b"<" in line and b">" in line):
            raise AuthorsError(path, number)
        found.append(line + b"\n")
    return b"".join(found)


def keep_authors(root: bytes, text: bytes) -> None:
    """Keep how authors are shown with a repository, in place of what was kept before."""
    place = os.path.join(root, CONTROL, AUTHORS)
    with open(place + b".new", "wb") as file:
        file.write(text)
    os.replace(place + b".new", place)
