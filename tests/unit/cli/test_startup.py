"""What a command may load: start-up is part of the product."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oxy.actions.commit import Request, commit
from oxy.actions.init import init
from oxy.worktree.workcopy import working_copy

ROOT = Path(__file__).resolve().parents[3]
FRAME = {
    "__future__",
    "errno",
    "gc",
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
    "oxy.repo",
    "oxy.repo.lacking",
}
# What Python itself loads beneath collections, contextlib and struct is no choice of ours.
GIVEN = {
    "_collections",
    "_functools",
    "_operator",
    "_struct",
    "_typing",
    "collections",
    "collections.abc",
    "contextlib",
    "functools",
    "itertools",
    "keyword",
    "operator",
    "reprlib",
    "struct",
    "types",
    "zlib",
}
STATUS = {
    "oxy.actions",
    "oxy.actions.paths",
    "oxy.actions.status",
    "oxy.cli.listing",
    "oxy.cli.verbs.status",
    "oxy.model",
    "oxy.model.pathrule",
    "oxy.repo",
    "oxy.repo.place",
    "oxy.typed",
    "oxy.worktree",
    "oxy.worktree.descent",
    "oxy.worktree.here",
    "oxy.worktree.ignore",
    "oxy.worktree.item",
    "oxy.worktree.listing",
    "oxy.worktree.looking",
    "oxy.worktree.manifest",
    "oxy.worktree.parallel",
    "oxy.worktree.reader",
    "oxy.worktree.row",
    "oxy.worktree.snapshot",
    "oxy.worktree.span",
    "oxy.worktree.tracking",
    "oxy.worktree.switching",
    "oxy.worktree.tracked",
    "oxy.worktree.walk",
    "oxy.worktree.wildmatch",
    "oxy.worktree.workcopy",
}
ALLOWED = {
    "version": FRAME | {"oxy.cli.verbs.version"},
    "status": FRAME | GIVEN | STATUS,
}


def loaded(code: str, where: Path = ROOT) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-c", code]
    search = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=where, env=search, capture_output=True, text=True, check=True
    )
    table = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in table}


@pytest.mark.parametrize("verb", ALLOWED)
def test_a_command_loads_exactly_what_it_may(verb: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1\n")
    init(bytes(tmp_path))
    with working_copy(bytes(tmp_path)) as copy:
        commit(copy, Request(author=b"Ada <ada@example.org>"), lambda _: b"x")
    run = f"import sys\nfrom oxy.cli.main import main\nsys.exit(main(['{verb}']))"
    assert loaded(run, tmp_path) - loaded("pass") == ALLOWED[verb] - loaded("pass")


def test_what_a_command_must_not_load_is_not_loaded_by_a_bare_start() -> None:
    # Else the test above could not see it.
    costly = {"argparse", "json", "re", "sqlite3", "typing", "enum", "collections", "pathlib"}
    assert not loaded("pass") & costly


def test_a_day_of_well_formed_commands_loads_no_argparse(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("1\n")
    day = [
        ["init", "."],
        ["commit", "--author", "Ada <ada@example.org>", "-m", "one", "file"],
        ["status", "-s", "."],
        ["log", "-n5", "--oneline"],
        ["show", "--json"],
        ["blame", "file"],
        ["switch", "-c", "work"],
        ["bookmark", "--move", "main", "work"],
    ]
    code = (
        "import sys\nfrom oxy.cli.main import main\n"
        f"codes = [main(words) for words in {day}]\n"
        "sys.exit(any(codes) or 'argparse' in sys.modules)"
    )
    search = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=search, capture_output=True, check=False
    )
    assert done.returncode == 0, done


def test_a_directory_is_reached_without_what_other_machines_need(tmp_path: Path) -> None:
    for name in ("one", "two"):
        init(bytes(tmp_path / name))
    run = "import sys\nfrom oxy.cli.main import main\nsys.exit(main(['pull', '../one']))"
    far = {
        "oxy.sync.pipes",
        "oxy.sync.ssh",
        "oxy.sync.wire",
        "select",
        "subprocess",
        "threading",
    }
    assert not loaded(run, tmp_path / "two") & far
