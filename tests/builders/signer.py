"""Keys of ssh that tests sign with, and a file of allowed signers."""

import os
import subprocess
from pathlib import Path

import pytest


class Signer:
    """A user with a key, which the file of allowed signers knows under an address."""

    def __init__(self, place: Path, address: str = "ada@example.org") -> None:
        self.address = address
        self.key = place / f"key-{address}"
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(self.key)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        self.public = Path(f"{self.key}.pub").read_text()

    def allow(self, path: Path, options: str = "") -> Path:
        """Add the key to a file of allowed signers; return it."""
        with path.open("a") as file:
            file.write(f"{self.address} {options} {self.public}".replace("  ", " "))
        return path


def alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of the user's configuration count, nor an agent."""
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
