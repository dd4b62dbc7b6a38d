"""A command whose output is a terminal, as a process of its own."""

import os
import pty
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUN = "import sys; from oxy.cli.main import main; sys.exit(main())"


def on_terminal(where: Path, *words: str, **environment: str) -> tuple[int, str]:
    """Run one; return its exit code and what the terminal was sent, with LF for CR LF."""
    controller, terminal = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", RUN, *words],
        cwd=where,
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    shown = bytearray()
    while True:
        try:
            part = os.read(controller, 1 << 16)
        except OSError:
            # Linux says that the other side is gone.
            break
        if not part:
            break
        shown += part
    os.close(controller)
    return child.wait(), shown.decode().replace("\r\n", "\n")
