"""Ways to another machine: a stand-in for ssh, and a real server of ssh on the loopback."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TRIES = 200


def program(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def oxy(root: Path) -> Path:
    """Make a program that is this oxy, in whatever environment it is run."""
    start = f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -m oxy \"$@\"\n"
    return program(root, "far-oxy", start)


class StandIn(NamedTuple):
    """A program that takes the arguments of ssh and runs the command on this machine."""

    program: Path
    log: Path

    def words(self) -> list[list[str]]:
        """Return the arguments that it was given, each time."""
        text = self.log.read_text() if self.log.exists() else ""
        return [each.split("\0")[:-1] for each in text.split("\n")[:-1]]


def stand_in(root: Path, ends: str = 'exec sh -c "$last"') -> StandIn:
    """Make one; `ends` is what its shell does with the last argument."""
    log = root / "ssh.log"
    text = (
        "#!/bin/sh\n"
        f"printf '%s\\0' \"$@\" >> '{log}'\n"
        f"echo >> '{log}'\n"
        'for last in "$@"; do :; done\n'
        f"cd '{root}'\n"
        f"{ends}\n"
    )
    return StandIn(program(root, "stand-in", text), log)


CUTTER = """
import os, subprocess, sys
child = subprocess.Popen(["sh", "-c", sys.argv[2]], stdout=subprocess.PIPE)
left = int(sys.argv[1])
while left and (data := os.read(child.stdout.fileno(), left)):
    os.write(1, data)
    left -= len(data)
child.kill()
"""


def cutting(root: Path, after: int) -> StandIn:
    """Make a stand-in whose connection is cut after so many bytes came through it."""
    (root / "cut.py").write_text(CUTTER)
    return stand_in(root, f"exec '{sys.executable}' cut.py {after} \"$last\"")


SWALLOWER = """
import os, subprocess, sys
child = subprocess.Popen(["sh", "-c", sys.argv[2]], stdin=subprocess.PIPE, bufsize=0)
left = int(sys.argv[1])
while left and (data := os.read(0, left)):
    child.stdin.write(data)
    left -= len(data)
child.stdin.close()
child.wait()
"""


def swallowing(root: Path, after: int) -> StandIn:
    """Make a stand-in that takes no more than so many bytes."""
    (root / "swallow.py").write_text(SWALLOWER)
    return stand_in(root, f"exec '{sys.executable}' swallow.py {after} \"$last\"")


class Server(NamedTuple):
    """A server of ssh that runs, and a program that reaches it with a key of its own."""

    address: str
    command: tuple[str, ...]


@contextmanager
def sshd(root: Path) -> Iterator[Server]:
    """Run a server of ssh on the loopback, as an ordinary process with keys of its own."""
    for name in ("host", "user"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(root / name)]
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
    shutil.copy(root / "user.pub", root / "authorized")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = (
        f"ListenAddress 127.0.0.1:{port}\nHostKey {root}/host\nPidFile none\nUsePAM no\n"
        f"AuthorizedKeysFile {root}/authorized\nStrictModes no\nPasswordAuthentication no\n"
        "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n"
    )
    (root / "settings").write_text(settings)
    path = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert path is not None, "openssh-server is not installed"
    if os.geteuid() == 0:
        # Where sshd separates its privileges when root runs it.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    server = subprocess.Popen(
        [path, "-D", "-f", str(root / "settings")],
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port, server)
        user = pwd.getpwuid(os.geteuid()).pw_name
        command = (
            *("ssh", "-F", "none", "-i", str(root / "user"), "-o", "BatchMode=yes"),
            *("-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={root}/known"),
            *("-o", "IdentitiesOnly=yes"),
        )
        yield Server(f"ssh://{user}@127.0.0.1:{port}", command)
    finally:
        server.terminate()
        server.wait()


def _wait(port: int, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(TRIES):
        assert server.poll() is None, "sshd has ended"
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    message = "sshd does not answer"
    raise AssertionError(message)
