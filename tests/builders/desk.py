"""The real command line in a directory, and what it says."""

import io
import json
import re
from pathlib import Path

import pytest

from oxy.cli.main import main

AUTHOR = "Ada Lovelace <ada@example.org>"
ID = re.compile(r"\b[0-9a-f]{12}\b")


class Terminal(io.StringIO):
    """What somebody types."""

    def isatty(self) -> bool:
        return True


class Desk:
    """A directory in which commands run; ids in what they say are shown as ID."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.root = root
        self._capture = capture
        self.out = ""
        self.err = ""

    def run(self, *words: str, where: str = ".") -> int:
        self._capture.readouterr()
        code = main(["-C", str(self.root / where), *words])
        out, err = self._capture.readouterr()
        self.out, self.err = out.decode(), err.decode()
        return code

    def says(self, *words: str, where: str = ".") -> str:
        assert self.run(*words, where=where) == 0, self.err
        return ID.sub("ID", self.out)

    def writes(self, *words: str) -> bytes:
        """Run, and return what was written, byte for byte."""
        self._capture.readouterr()
        assert main(["-C", str(self.root), *words]) == 0
        out: bytes = self._capture.readouterr()[0]
        return out

    def refuses(self, *words: str, code: int) -> str:
        assert self.run(*words) == code, self.err
        return self.err.replace(str(self.root), "ROOT")

    def record(self, *words: str) -> dict[str, object]:
        assert self.run(*words, "--json") == 0, self.err
        found: dict[str, object] = json.loads(self.out)
        return found

    def commit(self, message: str, *paths: str) -> str:
        """Record, and return the id."""
        return str(self.record("commit", "-m", message, *paths)["id"])

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path
