"""What a command may load: start-up is part of the product."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FRAME = {
    "__future__",
    "errno",
    "oxy",
    "oxy.cli",
    "oxy.cli.commands",
    "oxy.cli.escape",
    "oxy.cli.front",
    "oxy.cli.main",
    "oxy.cli.output",
    "oxy.cli.verbs",
    "oxy.errors",
    "oxy.phase",
}
ALLOWED = {"version": FRAME | {"oxy.cli.verbs.version"}}


def loaded(code: str) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    table = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in table}


@pytest.mark.parametrize("verb", ALLOWED)
def test_a_command_loads_exactly_what_it_may(verb: str) -> None:
    run = f"import sys\nfrom oxy.cli.main import main\nsys.exit(main(['{verb}']))"
    assert loaded(run) - loaded("pass") == ALLOWED[verb] - loaded("pass")


def test_what_a_command_must_not_load_is_not_loaded_by_a_bare_start() -> None:
    # Else the test above could not see it.
    costly = {"argparse", "json", "re", "sqlite3", "typing", "enum", "collections", "pathlib"}
    assert not loaded("pass") & costly
