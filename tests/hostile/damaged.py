"""Rows of the corpus for a damaged or planted `.oxy` (hostile 31 to 40, 52 to 55)."""

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.hostile.yard import Yard


def story(yard: Yard) -> None:
    """Record a few changes, each in a frame of its own."""
    for number in range(4):
        yard.write({"f": b"%d\n" % number, f"g{number}": b"%d\n" % number * 50}, f"c{number}")


def flipped(yard: Yard) -> None:
    """A flipped bit is told by the reader, and by `fsck`."""
    story(yard)
    data = bytearray(yard.segment().read_bytes())
    data[data.rindex(b"\xf5OXF") + 60] ^= 2
    yard.segment().write_bytes(data)
    assert yard.oxy("fsck").code == 4
    yard.refuses("op", "log", code=4, because="damaged")


def torn(yard: Yard) -> None:
    """A torn tail is cut off by the next command."""
    story(yard)
    whole = yard.segment().read_bytes()
    yard.segment().write_bytes(whole + whole[-200:-20])
    yard.works("status")
    yard.write({"h": b"x\n"}, "goes on")
    assert yard.segment().read_bytes().startswith(whole)
    yard.sound()


def zeroed(yard: Yard) -> None:
    """Of a zeroed middle only what lay there is lost."""
    story(yard)
    data = bytearray(yard.segment().read_bytes())
    frames = [at for at in range(len(data)) if data.startswith(b"\xf5OXF", at)]
    at = frames[len(frames) // 2]
    data[at : at + 120] = bytes(120)
    yard.segment().write_bytes(data)
    assert yard.oxy("fsck").code == 4
    assert yard.works("cat", "g3") == b"3\n" * 50


def missing(yard: Yard) -> None:
    """Without a segment `fsck` lists what is lost and what needs it."""
    story(yard)
    yard.segment().unlink()
    said = yard.oxy("fsck")
    assert said.code == 4
    assert b"bookmark 'main' holds change" in said.out


def no_index(content: bytes | None) -> Callable[[Yard], None]:
    """Return what takes the database away, or puts something else in its place."""

    def run(yard: Yard) -> None:
        story(yard)
        path = yard.here / ".oxy/index.db"
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        yard.refuses("log", code=4, because="oxy fsck --rebuild")
        yard.works("fsck", "--rebuild")
        yard.sound()
        assert yard.works("log").count(b"\nc") or yard.works("log", "--json")

    return run


def crossed(yard: Yard) -> None:
    """An entry that points at another valid frame is noticed."""
    story(yard)
    with sqlite3.connect(yard.here / ".oxy/index.db") as database:
        database.execute(
            "UPDATE objects SET (segment, offset, slot, size) = "
            "(SELECT segment, offset, slot, size FROM objects WHERE kind = 1 AND number = 1) "
            "WHERE kind = 1 AND number = 3"
        )
    assert yard.oxy("fsck").code == 4
    yard.refuses("show", "main~1", code=4, because="points at something else")


def stale_journal(yard: Yard) -> None:
    """A journal of another database does nothing, and one that is gone is not missed."""
    story(yard)
    journal = yard.here / ".oxy/index.db-journal"
    old = journal.read_bytes()
    yard.write({"h": b"x\n"}, "later")
    journal.write_bytes(old)
    yard.sound()
    journal.unlink()
    yard.sound()


def planted(yard: Yard) -> None:
    """Triggers and views never act: a database that has some is refused."""
    story(yard)
    path = yard.here / ".oxy/index.db"
    for statement in (
        "CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM objects; END",
        "CREATE VIEW v AS SELECT * FROM objects",
        "CREATE TABLE other (x)",
    ):
        with sqlite3.connect(path) as database:
            database.execute(statement)
        database.close()
        yard.refuses("log", code=4, because="schema is not exactly oxy's")
        yard.refuses("commit", "-m", "x", code=4, because="schema is not exactly oxy's")
        yard.works("fsck", "--rebuild")
        yard.sound()
    cache = yard.here / ".oxy/cache/checkpoints.db"
    with sqlite3.connect(cache) as database:
        database.execute("CREATE TABLE IF NOT EXISTS cache (tab, key, value)")
        database.execute(
            "CREATE TRIGGER t AFTER INSERT ON cache BEGIN SELECT writefile('planted', 'x'); END"
        )
    yard.write({"more": b"x\n"}, "with a planted cache")
    yard.works("checkpoint")
    yard.works("log")
    assert not (yard.here / "planted").exists()


def emptied(yard: Yard) -> None:
    """Whatever file is empty, every command ends in words."""
    story(yard)
    for path in sorted((yard.here / ".oxy").rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        path.write_bytes(b"")
        for words in (("status",), ("log",), ("fsck",)):
            said = yard.oxy(*words)
            assert said.code in {0, 3, 4}, (path, said)
        path.write_bytes(data)
    yard.sound()


def caches(content: bytes | None) -> Callable[[Yard], None]:
    """Return what takes each cache away, or fills it with something else: same answers."""

    def run(yard: Yard) -> None:
        story(yard)
        yard.works("checkpoint")
        yard.write({"f": b"edited\n"})
        words = (("status",), ("log",), ("diff",), ("blame", "f"), ("files",))
        wanted = [yard.works(*each) for each in words]
        for path in sorted((yard.here / ".oxy/cache").rglob("*")):
            held = path.read_bytes()
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content or bytes(reversed(held)))
            assert [yard.works(*each) for each in words] == wanted, path
        (yard.here / "f").write_bytes(b"3\n")
        yard.sound()

    return run


def foreign_links(yard: Yard) -> None:
    """Symlinks and hard links in a repository that is cloned lead nowhere."""
    story(yard)
    secret = yard.root / "home/letter"
    for name in ("segments/000001.oxs", "index.db", "index.db-journal"):
        path = yard.here / ".oxy" / name
        held = path.read_bytes()
        for link in (os.symlink, os.link):
            path.unlink()
            link(secret, path)
            said = yard.oxy("clone", str(yard.here), str(yard.stage / "c"), where=yard.stage)
            if name.endswith("journal"):
                assert said.code in {0, 3, 4}, said
            else:
                assert said.code in {3, 4}, (name, said)
                assert not (yard.stage / "c").exists()
            assert b"dear" not in said.out + said.err
            path.unlink(missing_ok=True)
            path.write_bytes(held)
        yard.works("status")
        if (yard.stage / "c").exists():
            (yard.stage / "c").rename(yard.stage / f"cloned-{len(os.listdir(yard.stage))}")


def few(what: int, limit: int) -> Callable[[Yard], None]:
    """Return what runs commands with few descriptors, or little memory: refused in words."""

    def run(yard: Yard) -> None:
        story(yard)
        code = (
            "import resource, sys\nfrom oxy.cli.main import main\n"
            f"resource.setrlimit({what}, ({limit}, {limit}))\n"
            "sys.exit(main(sys.argv[1:]))\n"
        )
        for words in (("log",), ("status",), ("commit", "-m", "x", "--all-files")):
            done = subprocess.run(
                [sys.executable, "-c", code, "-C", str(yard.here), *words],
                check=False,
                capture_output=True,
                cwd=Path(__file__).parents[2],
            )
            assert done.returncode in {0, 1, 3}, (words, done.stderr)
            assert b"Traceback" not in done.stderr
        yard.sound()

    return run


DESCRIPTORS = few(resource.RLIMIT_NOFILE, 6)
"""Six descriptors are too few for a repository."""
