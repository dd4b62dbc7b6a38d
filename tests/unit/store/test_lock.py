import subprocess
import sys
from pathlib import Path

import pytest

from oxy.store.errors import StoreIOError, StoreLockedError
from oxy.store.lock import WriterLock

HOLD = """
import sys
from oxy.store.lock import WriterLock
WriterLock(sys.argv[1].encode(), 0).acquire()
print("held", flush=True)
sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_who_holds_the_lock_is_named(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process:
        lock = WriterLock(bytes(tmp_path / "lock"), 0.05)
        with pytest.raises(StoreLockedError) as caught:
            lock.acquire()
        assert caught.value.holder == process.pid
        assert not lock.held
        process.communicate()
    with WriterLock(bytes(tmp_path / "lock"), 0):
        pass


def test_a_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    with holder(tmp_path / "lock") as process:
        process.kill()
        process.wait()
    with WriterLock(bytes(tmp_path / "lock"), 0):
        assert (tmp_path / "lock").read_bytes() != b"%d\n" % process.pid


def test_a_lock_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with holder(tmp_path / "lock") as process:
        monkeypatch.setattr("time.sleep", lambda _seconds: process.communicate())
        with WriterLock(bytes(tmp_path / "lock"), 60) as held:
            assert held is None
        assert process.returncode == 0


def test_a_holder_without_a_number_is_still_a_holder(tmp_path: Path) -> None:
    with WriterLock(bytes(tmp_path / "lock"), 0):
        (tmp_path / "lock").write_bytes(b"nonsense")
        with pytest.raises(StoreLockedError, match="another process"):
            WriterLock(bytes(tmp_path / "lock"), 0).acquire()


def test_a_lock_file_that_is_a_symlink_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreIOError):
        WriterLock(bytes(tmp_path / "lock"), 0).acquire()
    assert not (tmp_path / "elsewhere").exists()
