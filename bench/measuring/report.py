"""Tables in Markdown, and the facts about the machine that belong under each."""

import os
import platform
import subprocess
from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; every column but the first is of numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def machine() -> str:
    """Return what one has to know of the machine to read a figure."""
    said = subprocess.run(["git", "version"], capture_output=True, check=True, text=True).stdout
    words = (f"{os.cpu_count()} cores", f"{platform.system()} {platform.machine()}")
    return ", ".join([*words, f"Python {platform.python_version()}", said.strip()])
