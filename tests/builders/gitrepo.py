"""Git repositories made by the test: objects are written byte for byte, so odd ones can be."""

import hashlib
import os
import subprocess
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PERSON = b"Ada Lovelace <ada@example.org> 1700000000 +0100"
LATER = b"Ada Lovelace <ada@example.org> 1700003600 +0100"


class Blob(NamedTuple):
    """A file of a commit: its bytes, or for a submodule the hex id, and its mode."""

    data: bytes
    mode: bytes = b"100644"


Files = Mapping[bytes, bytes | Blob]


def isolated() -> dict[str, str]:
    """Return an environment in which no configuration of the user reaches git."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}


class GitRepo:
    """A Git repository with a branch `main` that HEAD names."""

    def __init__(self, root: Path, *, bare: bool = False) -> None:
        self.root = root
        words = ["git", "init", "-q", "-b", "main", *(["--bare"] if bare else []), str(root)]
        subprocess.run(words, check=True, env=isolated())
        self.store = root if bare else root / ".git"

    @classmethod
    def at(cls, root: Path) -> "GitRepo":
        """Return a repository that is there."""
        found = cls.__new__(cls)
        found.root = root
        found.store = root / ".git" if (root / ".git").is_dir() else root
        return found

    def git(self, *words: str) -> bytes:
        """Run git there and return what it prints."""
        command = ["git", "-C", str(self.root), *words]
        return subprocess.run(command, check=True, env=isolated(), capture_output=True).stdout

    def put(self, kind: bytes, data: bytes) -> str:
        """Write an object as it is; return its id."""
        whole = b"%s %d\0" % (kind, len(data)) + data
        oid = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        path = self.store / "objects" / oid[:2] / oid[2:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(whole, 1))
        return oid

    def blob(self, file: bytes | Blob) -> tuple[bytes, str]:
        """Write a file; return its mode and id."""
        made = file if isinstance(file, Blob) else Blob(file)
        if made.mode == b"160000":
            return made.mode, made.data.decode()
        return made.mode, self.put(b"blob", made.data)

    def tree(self, files: Files) -> str:
        """Write the trees of files by their paths."""
        below: dict[bytes, dict[bytes, bytes | Blob]] = {}
        entries: list[tuple[bytes, bytes, str]] = []
        for path, file in files.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(name, {})[rest] = file
            else:
                mode, oid = self.blob(file)
                entries.append((name, mode, oid))
        entries += [(name, b"40000", self.tree(inner)) for name, inner in below.items()]
        entries.sort(key=lambda e: e[0] + b"/" if e[1] == b"40000" else e[0])
        return self.raw_tree(*((mode, name, oid) for name, mode, oid in entries))

    def raw_tree(self, *entries: tuple[bytes, bytes, str]) -> str:
        """Write a tree of (mode, name, id) in the order given."""
        parts = (mode + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
        return self.put(b"tree", b"".join(parts))

    def commit(
        self,
        files: Files | str,
        *parents: str,
        message: bytes = b"A change\n",
        author: bytes = PERSON,
        committer: bytes = LATER,
        headers: bytes = b"",
    ) -> str:
        """Write a commit of files, or of a tree by its id."""
        tree = files if isinstance(files, str) else self.tree(files)
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        head = "\n".join(lines).encode() + b"\nauthor " + author + b"\ncommitter " + committer
        return self.put(b"commit", head + b"\n" + headers + b"\n" + message)

    def ref(self, name: str | bytes, oid: str) -> None:
        """Make a ref lead to an object."""
        path = Path(os.fsdecode(os.path.join(os.fsencode(self.store), os.fsencode(name))))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(oid + "\n")

    def branch(self, name: str, oid: str) -> str:
        """Make a branch lead to a commit; return the commit."""
        self.ref(f"refs/heads/{name}", oid)
        return oid

    def main(self, files: Files | str, *parents: str, message: bytes = b"A change\n") -> str:
        """Make `main` lead to a new commit."""
        return self.branch("main", self.commit(files, *parents, message=message))

    def tag(self, name: str, oid: str, kind: str = "commit") -> str:
        """Write a tag object and a ref to it."""
        head = f"object {oid}\ntype {kind}\ntag {name}\n".encode()
        tag = self.put(b"tag", head + b"tagger " + PERSON + b"\n\nA tag\n")
        self.ref(f"refs/tags/{name}", tag)
        return tag

    def cloned(self, name: str) -> "GitRepo":
        """Return a new repository that has the objects of this one, and no refs."""
        other = GitRepo(self.root.parent / name)
        alternates = other.store / "objects" / "info" / "alternates"
        alternates.parent.mkdir(exist_ok=True)
        alternates.write_text(f"{self.store / 'objects'}\n")
        return other
