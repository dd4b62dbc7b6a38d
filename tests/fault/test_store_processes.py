"""Several processes use one store at the same time, and some of them die."""

import subprocess
import sys
from pathlib import Path

from blake3 import blake3

from oxy.store.file import FileStore, scan_store
from oxy.store.protocol import CHANGE
from oxy.store.scan import Damage

RECORD = """
import sys
from blake3 import blake3
from oxy.store.file import FileStore
path, name, times = sys.argv[1].encode(), sys.argv[2], int(sys.argv[3])
identify = lambda kind, payload: blake3(payload).digest()
store = FileStore.open(path, identify, durability="fast", wait=60)
for number in range(times):
    payload = f"{name} {number}".encode()
    with store.transaction() as transaction:
        transaction.append(1, identify(1, payload), payload)
        transaction.put(1, payload, b"")
    assert store.read(1, store.number_of(1, identify(1, payload))) == payload
    print(payload.decode(), flush=True)
"""


def identify(_kind: int, payload: bytes) -> bytes:
    return blake3(payload).digest()


def recorder(path: Path, name: str, times: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", RECORD, str(path), name, str(times)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def contents(path: Path) -> list[bytes]:
    assert [
        item for item in scan_store(bytes(path), identify) if isinstance(item, Damage)
    ] == []
    store = FileStore.open(bytes(path), identify)
    found = list(store.read_many(CHANGE, range(1, store.count(CHANGE) + 1)))
    store.close()
    return found


def test_what_many_record_at_once_is_all_there(tmp_path: Path) -> None:
    FileStore.create(bytes(tmp_path), identify).close()
    recorders = [recorder(tmp_path, f"process {number}", 25) for number in range(4)]
    said = [line for each in recorders for line in each.communicate()[0].splitlines()]
    assert [each.returncode for each in recorders] == [0] * 4
    assert len(said) == 100
    assert sorted(contents(tmp_path)) == sorted(said)


def test_what_was_acknowledged_before_a_kill_is_there(tmp_path: Path) -> None:
    FileStore.create(bytes(tmp_path), identify).close()
    victim, other = recorder(tmp_path, "victim", 10_000), recorder(tmp_path, "other", 40)
    said = other.communicate()[0].splitlines()
    victim.kill()
    said += victim.communicate()[0].splitlines()
    assert other.returncode == 0
    found = contents(tmp_path)
    assert set(said) <= set(found)
    assert len(found) - len(said) <= 1
    late = recorder(tmp_path, "late", 3)
    assert len(late.communicate()[0].splitlines()) == 3
