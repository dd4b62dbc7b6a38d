"""Files on disk as values: what a tree holds, and making one hold something."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple


class File(NamedTuple):
    """A file of a tree; of a symlink `data` is where it points."""

    data: bytes
    executable: bool = False
    is_link: bool = False


Tree = dict[str, File]


def held(root: Path) -> Tree:
    """Return every file and symlink below a directory, but not those of the repository."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.split("/")[0] == ".oxy":
            continue
        if path.is_symlink():
            found[name] = File(os.fsencode(os.readlink(path)), is_link=True)
        elif path.is_file():
            found[name] = File(path.read_bytes(), bool(path.stat().st_mode & 0o100))
    return found


def make(root: Path, tree: Tree) -> None:
    """Make a directory hold exactly these files, written in place where they differ."""
    now = held(root)
    for name in now.keys() - tree.keys():
        (root / name).unlink()
        _prune((root / name).parent, root)
    for name, file in tree.items():
        if now.get(name) != file:
            _put(root / name, file)


def _prune(directory: Path, root: Path) -> None:
    while directory != root and not any(directory.iterdir()):
        directory.rmdir()
        directory = directory.parent


def _put(path: Path, file: File) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if file.is_link or path.is_symlink():
        path.unlink(missing_ok=True)
    if file.is_link:
        path.symlink_to(os.fsdecode(file.data))
        return
    path.write_bytes(file.data)
    path.chmod(0o755 if file.executable else 0o644)
