"""What does it cost to encode, identify, store and read changes, trees and tags, beside git?

A row is some hundred objects. git's objects are commits with the same messages, trees with as
many entries and annotated tags; git is one process for all of a row's objects, but a process
for each tree and tag that it makes. Neither side syncs. Does not show: diffs, graphs, working
copies.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from bench.measuring.operation import Arm, Case, Place, Setting, run_cases
from bench.measuring.record import LIBRARY
from bench.measuring.source import git
from bench.operations.content import KIB, chance, size_told
from oxy.actions.annotation import Annotation
from oxy.actions.tags import create, existing
from oxy.codec.decode import decode, identify, read, read_header
from oxy.codec.encode import encode
from oxy.model.change import Header, Moment, Operations
from oxy.model.operation import KIND_TEXT
from oxy.repo.cache import Cache
from oxy.repo.headers import headers_of
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import Directory, Entry, files, load, save, sealed
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE

COUNT: Final = 200
MESSAGES: Final = (128, 64 * KIB)
ENTRIES: Final = (16, 1_024)
AUTHOR: Final = b"Bench <bench@example.org>"
STAMP: Final = Stamp(1, 0, b"bench", b"bench")
UNSYNCED: Final = ("-c", "core.fsync=none")
_EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def message(length: int, number: int) -> bytes:
    """Return a message of a length, unlike all others."""
    line = b"what was done, and why it was done so\n"
    return (b"change %d\n\n" % number + line * (length // len(line) + 1))[:length]


def headers(length: int, count: int) -> list[Header]:
    """Return headers of changes with messages of a length."""
    return [Header(AUTHOR, Moment(at, 60), message(length, at)) for at in range(count)]


def change_objects(place: Place) -> Iterator[Setting]:
    """Yield the codec's work on changes with short and with long messages."""
    count = place.share(COUNT, 2)
    for length in MESSAGES:
        made = headers(length, count)
        changes = [encode(header, Operations()) for header in made]
        payloads = [payload for _, payload in changes]
        works: dict[str, Callable[[], object]] = {
            "encode changes": partial(_encode, made),
            "parse changes": partial(_each, decode, payloads),
            "identify changes": partial(_each, identify, payloads),
            "read headers of payloads": partial(_each, read_header, payloads),
        }
        assert [read(payload) for payload in payloads] == [change for change, _ in changes]
        for operation, work in works.items():
            sizes = {"changes": count}
            yield Setting(
                operation, f"message of {size_told(length)}", sizes, {LIBRARY: Arm(work)}
            )


def _encode(made: Sequence[Header]) -> None:
    for header in made:
        encode(header, Operations())


def _each(work: Callable[[bytes], object], data: Sequence[bytes]) -> None:
    for payload in data:
        work(payload)


class Pair:
    """A repository of each system in a directory, and as many headers."""

    def __init__(self, top: str, made: Sequence[Header]) -> None:
        self.made = made
        self.ours, self.theirs = os.path.join(top, "oxy"), os.path.join(top, "git")
        self._files = os.path.join(top, "files")
        os.makedirs(self._files)
        os.makedirs(self.ours)
        self.repository = Repository.create(os.fsencode(self.ours), "fast")
        os.makedirs(self.theirs)
        self.empty_git()
        paths = []
        for number, header in enumerate(made):
            paths.append(os.path.join(self._files, str(number)))
            with open(paths[-1], "wb") as file:
                file.write(_commit(header))
        self._paths = "".join(f"{path}\n" for path in paths).encode()
        self.ids = b""

    def empty_oxy(self) -> None:
        """Begin anew with nothing in it."""
        self.repository.close()
        shutil.rmtree(self.ours)
        os.makedirs(self.ours)
        self.repository = Repository.create(os.fsencode(self.ours), "fast")

    def empty_git(self) -> None:
        """Begin anew with nothing in it."""
        shutil.rmtree(self.theirs)
        os.makedirs(self.theirs)
        git(self.theirs, "init", "--bare", "--quiet")
        git(self.theirs, "hash-object", "-w", "-t", "tree", "--stdin")

    def put(self) -> None:
        """Store all changes in one transaction."""
        with self.repository.store.transaction() as transaction:
            for header in self.made:
                change, payload = encode(header, Operations())
                transaction.append(CHANGE, change.id, payload)

    def put_git(self) -> None:
        """Store all commits."""
        words = ("hash-object", "-w", "-t", "commit", "--stdin-paths")
        self.ids = git(self.theirs, *UNSYNCED, *words, data=self._paths)

    def reopen(self) -> None:
        """Forget what was read."""
        self.repository.close()
        self.repository = Repository.at(os.fsencode(self.ours))

    def get(self) -> None:
        """Read and parse all changes."""
        for payload in self.repository.store.read_many(CHANGE, range(1, len(self.made) + 1)):
            read(payload)

    def get_headers(self) -> None:
        """Read all headers, proven."""
        numbers = range(1, len(self.made) + 1)
        assert sum(1 for _ in headers_of(self.repository.store, numbers)) == len(self.made)

    def get_git(self) -> None:
        """Read all commits."""
        git(self.theirs, "cat-file", "--batch", data=self.ids)

    def check(self) -> None:
        """Assert that both hold everything."""
        self.reopen()
        found = [
            read(each).header for each in self.repository.store.read_many(CHANGE, self._all)
        ]
        assert found == list(self.made)
        assert len(self.ids.split()) == len(self.made)

    @property
    def _all(self) -> range:
        return range(1, len(self.made) + 1)


def _commit(header: Header) -> bytes:
    """Return a commit with the message of a header."""
    who = b"%b %d +0100" % (header.author, header.time.microseconds)
    head = f"tree {_EMPTY_TREE}\n".encode() + b"author %b\ncommitter %b\n\n" % (who, who)
    return head + header.message


def stored_changes(place: Place) -> Iterator[Setting]:
    """Yield storing changes and reading them, whole and their headers alone."""
    for length in MESSAGES:
        pair = Pair(place.path(f"{length}"), headers(length, place.share(COUNT, 2)))
        works = {
            "store changes": (
                Arm(pair.put, pair.empty_oxy, pair.ours),
                Arm(pair.put_git, pair.empty_git, pair.theirs),
            ),
            "read changes": (Arm(pair.get, pair.reopen), Arm(pair.get_git)),
            "read headers": (Arm(pair.get_headers, pair.reopen), Arm(pair.get_git)),
        }
        for operation, (one, other) in works.items():
            yield Setting(
                operation,
                f"message of {size_told(length)}",
                {"changes": len(pair.made)},
                {LIBRARY: one, "git": other},
                pair.check,
            )
        pair.repository.close()


def tree_of(count: int) -> Directory:
    """Return a directory of some files."""
    numbers = chance(count)
    return Directory(
        {
            b"file%05d.txt" % at: Entry(at + 1, KIND_TEXT, 0, numbers.randbytes(16))
            for at in range(count)
        }
    )


def trees(place: Place) -> Iterator[Setting]:
    """Yield encoding, parsing and storing the view of a directory."""
    repository = place.path("git")
    os.makedirs(repository)
    git(repository, "init", "--bare", "--quiet")
    for full in ENTRIES:
        count = place.share(full, min(full, 16 + full // 100))
        tree = tree_of(count)
        cache = Cache(os.fsencode(place.path(f"cache{full}")))
        listed = "".join(
            f"100644 blob {chance(at).randbytes(20).hex()}\tfile{at:05}.txt\n"
            for at in range(count)
        ).encode()
        make = partial(git, repository, *UNSYNCED, "mktree", "--missing", data=listed)
        name = make().decode().strip()
        key = save(tree_of(count), cache)

        def opened(key: bytes = key, cache: Cache = cache) -> list[object]:
            return list(files(load(key, cache, lambda: Directory({}))))

        assert len(opened()) == count
        shown = partial(git, repository, "ls-tree", name)
        works: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "encode and identify a tree": (partial(_seal, tree), make),
            "store a tree": (partial(_save, tree, cache), make),
            "read and parse a tree": (opened, shown),
        }
        for operation, (one, other) in works.items():
            arms = {LIBRARY: Arm(one), "git": Arm(other)}
            yield Setting(operation, "directory", {"entries": count}, arms)
        cache.close()


def _seal(tree: Directory) -> bytes:
    """Encode a tree as one that nobody has seen."""
    return sealed(Directory(tree.entries))[0]


def _save(tree: Directory, cache: Cache) -> bytes:
    return save(Directory(tree.entries), cache)


def tag_objects(place: Place) -> Iterator[Setting]:
    """Yield making and reading annotated tags with short and long texts."""
    pair = Pair(place.top, headers(128, 2))
    with writing(pair.repository, STAMP) as work:
        change, payload = encode(pair.made[0], Operations())
        work.transaction.append(CHANGE, change.id, payload)
    pair.put_git()
    commit = pair.ids.split()[0].decode()
    counter = [0]
    for length in MESSAGES:
        text = message(length, 1)
        file = place.path(f"text{length}")
        with open(file, "wb") as opened:
            opened.write(text)

        def make(text: bytes = text) -> None:
            counter[0] += 1
            note = Annotation(text, AUTHOR, Moment(1, 0))
            create(pair.repository, STAMP, b"tag%d" % counter[0], Name((1,)), note)

        def make_git(file: str = file) -> None:
            counter[0] += 1
            who = ("-c", "user.name=Bench", "-c", "user.email=bench@example.org")
            words = ("tag", "-a", "--cleanup=verbatim", "-F", file, f"tag{counter[0]}", commit)
            git(pair.theirs, "-c", "core.fsync=all", *who, *words)

        create(pair.repository, STAMP, b"read%d" % length, Name((1,)), Annotation(text, AUTHOR))
        make_git()
        works = {
            "make a tag": (Arm(make, gone), Arm(make_git, gone)),
            "read a tag": (
                Arm(partial(existing, pair.repository, b"read%d" % length)),
                Arm(partial(git, pair.theirs, "cat-file", "-p", f"tag{counter[0]}")),
            ),
        }
        for operation, (one, other) in works.items():
            arms = {LIBRARY: one, "git": other}
            yield Setting(operation, f"text of {size_told(length)}", {"tags": 1}, arms)
    pair.repository.close()


def gone() -> None:
    """Need nothing made ready; the work is done once a sample all the same."""


CASES: Final = (
    Case("change objects", change_objects),
    Case("stored changes", stored_changes),
    Case("trees", trees),
    Case("tags", tag_objects),
)


def main() -> None:
    """Print a row for each."""
    run_cases("changes", __doc__, CASES)


if __name__ == "__main__":
    main()
