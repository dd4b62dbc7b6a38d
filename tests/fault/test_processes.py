"""Many processes work in one repository at once, and some are killed while they do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oxy.cli.main import main
from oxy.repo.repository import opened
from oxy.store.protocol import CHANGE
from tests.builders.crashcases import surroundings

WORK = """
import sys
from oxy.cli.main import main
root, name, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
for at in range(times):
    with open(f"{root}/{name}", "a") as file:
        file.write(f"{name} {at}\\n")
    for _ in range(1000):
        if not main(["-C", root, "commit", "-m", f"{name} {at}", f"{root}/{name}"]):
            break
    else:
        sys.exit(1)
"""
LOOK = """
import sys
from oxy.cli.main import main
for _ in range(int(sys.argv[2])):
    for words in (["status"], ["log"]):
        if main(["-C", sys.argv[1], *words]):
            sys.exit(1)
"""


def started(program: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", program, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def messages(root: Path) -> list[str]:
    with opened(os.fsencode(root)) as repository:
        store = repository.store
        numbers = range(1, store.count(CHANGE) + 1)
        return [repository.header(number).message.decode() for number in numbers]


def recorded(root: Path, monkeypatch: pytest.MonkeyPatch, processes: int, times: int) -> None:
    surroundings(monkeypatch.setenv)
    assert main(["init", str(root)]) == 0
    recorders = [started(WORK, str(root), f"f{n}", str(times)) for n in range(processes)]
    victim = started(WORK, str(root), "victim", "100000")
    reader = started(LOOK, str(root), str(times))
    assert reader.wait() == 0
    victim.kill()
    for each in (*recorders, victim):
        each.communicate()
    reader.communicate()
    assert [each.returncode for each in recorders] == [0] * processes
    said = {f"f{n} {at}" for n in range(processes) for at in range(times)}
    assert said <= set(messages(root))
    assert main(["-C", str(root), "fsck"]) == 0


def test_what_many_record_at_once_is_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path / "r", monkeypatch, 3, 4)


@pytest.mark.slow
def test_what_32_processes_record_at_once_is_all_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path / "r", monkeypatch, 32, 100)
