"""Each import contract is broken once, in a copy, to prove that it bites."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINTER = Path(sys.executable).parent / "lint-imports"


def linted(tree: Path) -> str:
    command = [str(LINTER), "--no-cache"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    for package in ("oxy", "oxy_git"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


BREACHES = {
    "Layers: imports point down only": ("oxy/model/x.py", "import oxy.repo\n"),
    "Bridge: the core never sees git": ("oxy/repo/x.py", "import oxy_git\n"),
    "Layers of the bridge": ("oxy_git/reader/x.py", "import oxy_git.verify\n"),
    "Pure layers do no I/O and read no clock": ("oxy/graph/x.py", "import time\n"),
    "Verbs are independent": ("oxy/cli/verbs/x.py", "import oxy.cli.verbs.version\n"),
}


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_of_one_contract_breaks_that_contract(tree: Path, contract: str) -> None:
    path, line = BREACHES[contract]
    (tree / path).write_text(line)
    assert f"{contract} BROKEN" in linted(tree)


def test_a_cycle_of_two_modules_breaks_the_contract_on_cycles(tree: Path) -> None:
    (tree / "oxy/diff/x.py").write_text("import oxy.diff.y\n")
    (tree / "oxy/diff/y.py").write_text("import oxy.diff.x\n")
    assert "No cycles inside any package BROKEN" in linted(tree)


def test_a_package_without_a_layer_breaks_the_contract_on_layers(tree: Path) -> None:
    (tree / "oxy/extra.py").write_text("")
    assert "Layers: imports point down only BROKEN" in linted(tree)


def test_the_tree_as_it_is_breaks_none(tree: Path) -> None:
    assert ", 0 broken." in linted(tree)
