import contextlib
import os
import tempfile
from hashlib import blake2b
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.worktree.listing import RECORD, Listing
from oxy.worktree.manifest import Manifest, file_system_clock
from oxy.worktree.row import DIGEST_SIZE, KEY_SIZE, compare, renew
from oxy.worktree.tracked import TrackedPaths
from oxy.worktree.walk import walk

PATHS = ["a", "d/a"]
CONTENTS = [b"one", b"two", b"longer"]

STEPS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(CONTENTS)),
    st.tuples(st.just("replace"), st.sampled_from(PATHS), st.sampled_from(CONTENTS)),
    st.tuples(st.just("backdate"), st.sampled_from(PATHS), st.sampled_from(CONTENTS)),
    st.tuples(st.just("remove"), st.sampled_from(PATHS), st.just(b"")),
    st.tuples(st.just("status"), st.just(""), st.just(b"")),
    st.tuples(st.just("record"), st.just(""), st.just(b"")),
    st.tuples(st.just("forget"), st.just(""), st.just(b"")),
    st.tuples(st.just("damage"), st.just(""), st.just(b"")),
)


TICK = 20_000_000
"""Newer kernels tell any two writes apart; this makes the clock as coarse as theirs was."""


def coarse(listing: Listing) -> Listing:
    stats = b"".join(
        RECORD.pack(size, mtime // TICK * TICK, ctime // TICK * TICK, inode, mode)
        for size, mtime, ctime, inode, mode in RECORD.iter_unpack(listing.stats)
    )
    return listing._replace(stats=stats)


def mark(content: bytes) -> tuple[bytes, bytes]:
    digest = blake2b(content, digest_size=DIGEST_SIZE).digest()
    return digest[:KEY_SIZE], digest


class WorkingCopy:
    """A tree, what was last recorded of it, and two ways to say what differs."""

    def __init__(self, base: Path) -> None:
        self.tree = base / "tree"
        self.tree.mkdir()
        self.manifest = os.fsencode(base / "manifest")
        self.recorded: dict[bytes, bytes] = {}

    def on_disk(self) -> dict[bytes, bytes]:
        """Read everything."""
        files = [p for p in self.tree.rglob("*") if p.is_file()]
        return {os.fsencode(p.relative_to(self.tree)): p.read_bytes() for p in files}

    def read(self, path: bytes) -> bytes:
        """Read one file."""
        return (self.tree / os.fsdecode(path)).read_bytes()

    def status(self) -> set[bytes]:
        """Say what differs, trusting the manifest, and bring it up to date."""
        clock = file_system_clock(self.manifest) // TICK * TICK
        manifest = Manifest.load(self.manifest)
        if manifest.state is None:
            # Without one nothing is known but the recorded state itself.
            return self.learn(clock, manifest)
        differing: set[bytes] = set()
        rows = []
        root = os.open(self.tree, os.O_RDONLY)
        seen = set()
        for listing in map(coarse, walk(root, TrackedPaths(self.recorded))):
            seen.add(listing.path)
            row = manifest.row(listing.path)
            verdicts = compare(listing, row)
            found = {}
            for name in verdicts.changed + verdicts.racy:
                path = os.path.join(listing.path, name)
                content = self.read(path)
                if content == self.recorded[path]:
                    found[name] = mark(content)
                else:
                    differing.add(path)
            differing |= {os.path.join(listing.path, n) for n in verdicts.added}
            differing |= {os.path.join(listing.path, n) for n in verdicts.removed}
            rows.append(renew(listing, row, found, clock))
        os.close(root)
        for directory in set(manifest.directories()) - seen:
            names = manifest.names(directory).split(b"\0")
            differing |= {os.path.join(directory, name) for name in names}
        manifest.update(rows, [], b"state")
        return differing

    def learn(self, clock: int, manifest: Manifest) -> set[bytes]:
        """Say what differs from reading all of it, and write the manifest anew."""
        root = os.open(self.tree, os.O_RDONLY)
        rows = []
        disk = self.on_disk()
        same = {p for p in disk if disk[p] == self.recorded.get(p)}
        listings = {x.path: x for x in map(coarse, walk(root, TrackedPaths([])))}
        os.close(root)
        if same == set(self.recorded):
            for listing in listings.values():
                paths = {n: os.path.join(listing.path, n) for n in listing.names}
                found = {n: mark(disk[p]) for n, p in paths.items() if p in same}
                rows.append(renew(listing, None, found, clock))
            manifest.update(rows, [], b"state")
        return {p for p in disk.keys() | self.recorded.keys() if p not in same}

    def record(self) -> None:
        """Take the tree as it is for the state."""
        self.recorded = self.on_disk()
        self.forget()
        self.status()

    def forget(self) -> None:
        """Delete the cache."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.manifest)

    def damage(self) -> None:
        """Spoil the last bytes of the cache."""
        with contextlib.suppress(FileNotFoundError):
            content = Path(os.fsdecode(self.manifest)).read_bytes()
            Path(os.fsdecode(self.manifest)).write_bytes(content[:-3] + b"???")

    def edit(self, kind: str, name: str, content: bytes) -> None:
        """Do what an editor or a restore does to one file."""
        path = self.tree / name
        if kind == "remove":
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        times = (path.stat().st_atime_ns, path.stat().st_mtime_ns) if path.exists() else None
        if kind == "replace":
            path.unlink(missing_ok=True)
        path.write_bytes(content)
        if kind == "backdate" and times is not None:
            os.utime(path, ns=times)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_the_manifest_never_changes_an_answer(steps: list[tuple[str, str, bytes]]) -> None:
    with tempfile.TemporaryDirectory() as base:
        copy = WorkingCopy(Path(base))
        for kind, name, content in [*steps, ("status", "", b"")]:
            match kind:
                case "status":
                    disk = copy.on_disk()
                    paths = disk.keys() | copy.recorded.keys()
                    truth = {p for p in paths if disk.get(p) != copy.recorded.get(p)}
                    assert copy.status() == truth
                case "record":
                    copy.record()
                case "forget":
                    copy.forget()
                case "damage":
                    copy.damage()
                case _:
                    copy.edit(kind, name, content)
