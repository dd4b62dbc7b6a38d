"""Many who push to one bucket, of whom some are killed (spec: sync, SY23, SY26, SY93)."""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy.sync.bucket.bucket import Bucket
from oxy.sync.bucket.directory import Directory
from tests.builders.bucket import brought
from tests.builders.desk import AUTHOR, Desk

WRITERS = int(os.environ.get("OXY_WRITERS", "4"))
PUSHES = int(os.environ.get("OXY_PUSHES", "3"))
SHARE = max(2, WRITERS // 4)
"""Writers that push to one bookmark; each other has one of its own."""
ROOT = Path(__file__).resolve().parents[2]


class Writer:
    """Somebody who pushes, in a process that may be killed and begun anew."""

    def __init__(self, desk: Desk, at: int) -> None:
        root = desk.root
        self.name = f"w{at}"
        self.bookmark = "main" if at < SHARE else f"b{at}"
        desk.says("init", self.name)
        desk.says("remote", "add", "team", f"file://{root}/disk", where=self.name)
        if self.bookmark != "main":
            desk.says("bookmark", self.bookmark, where=self.name)
            desk.says("switch", self.bookmark, where=self.name)
        (root / f"{self.name}.done").touch()
        self._done = root / f"{self.name}.done"
        self._words = [sys.executable, "-m", "tests.builders.writer", str(root / self.name)]
        self._words += [self.name, str(PUSHES), self.bookmark]
        self._said = root / f"{self.name}.said"
        self.lives = 0
        self.begin()

    def begin(self) -> None:
        self.lives += 1
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OXY_AUTHOR": AUTHOR}
        with self._said.open("ab") as said:
            self.process = subprocess.Popen(
                self._words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=said
            )

    def done(self) -> list[str]:
        return self._done.read_text().split()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.begin()


def seen(root: Path) -> int:
    """Read what the bucket holds now: of each push all or nothing; return how many changes."""
    reader = Repository.in_memory()
    brought(Bucket(Directory(os.fsencode(root / "disk")), None), reader)
    everything = list(range(1, reader.store.count(CHANGE) + 1))
    counts = Counter(
        header.message.decode().rstrip("ab\n") for _, header in reader.headers(everything)
    )
    assert set(counts.values()) <= {2}, counts
    return len(everything)


def test_all_that_was_acknowledged_is_there_once_whoever_was_killed(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    (tmp_path / "disk").mkdir()
    desk = Desk(tmp_path, capfdbinary)
    writers = [Writer(desk, at) for at in range(WRITERS)]
    chance = random.Random(7)  # noqa: S311 -- no secret
    kills, before = 0, 0
    while alive := [writer for writer in writers if writer.process.poll() is None]:
        # The first dies early, so that one does however fast they are.
        if kills < WRITERS:
            chance.choice(alive).kill()
            kills += 1
        now = seen(tmp_path)
        assert now >= before
        before = now
        time.sleep(chance.uniform(0.1, 0.4))
    assert [writer.process.returncode for writer in writers] == [0] * WRITERS
    assert kills
    desk.says("clone", f"file://{tmp_path}/disk", "reader")
    everything = [f"{bookmark}@origin" for bookmark in {each.bookmark for each in writers}]
    messages: Counter[str] = Counter()
    ids = set()
    for state in everything:
        desk.says("log", state, "--json", where="reader")
        for line in desk.out.splitlines():
            record = json.loads(line)
            if record["id"] not in ids:
                ids.add(record["id"])
                messages[record["message"].strip()] += 1
    wanted = [f"{name}{part}" for each in writers for name in each.done() for part in "ab"]
    assert len(wanted) == WRITERS * PUSHES * 2
    assert messages == Counter(wanted)
    desk.says("fsck", where="reader")
