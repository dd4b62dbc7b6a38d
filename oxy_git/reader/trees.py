"""Git trees, as oxy writes them and as others wrote them (spec: GB17, GB31). Pure."""

from collections.abc import Callable, Collection, Iterator
from typing import Final, NamedTuple, TypeAlias

from oxy.errors import CorruptionError
from oxy.model.operation import KIND_SUBREPO, KIND_SYMLINK
from oxy.model.pathrule import path_refusal
from oxy.repo.tree import Child, Directory, Entry, subtree
from oxy_git.reader.objects import OID, object_id

LINK: Final = b"120000"
SUBMODULE: Final = b"160000"
TREE: Final = b"040000"
PLAIN: Final = b"100644"
RUNNABLE: Final = b"100755"

RawTree: TypeAlias = tuple[bytes, bytes]
"""A path and the tree there, as it was written."""

Load: TypeAlias = Callable[[bytes, bytes], bytes]
"""Returns the raw tree at a path, given the path and the id."""

_WRITTEN: Final = b"40000"
_TYPE: Final = 12
_REGULAR: Final = 0o10
_KINDS: Final = {0o4: TREE, 0o12: LINK}
_OWNER_RUNS: Final = 0o100


class TreeMismatchError(CorruptionError):
    """A directory is not what the Git tree at its path is."""

    def __init__(self, path: bytes) -> None:
        super().__init__(f"'{path.decode('utf-8', 'backslashreplace')}' is not as Git has it")
        self.path = path


class MalformedTreeError(CorruptionError):
    """A tree of Git ends inside of an entry."""

    def __init__(self) -> None:
        super().__init__("a tree of the Git repository ends inside of an entry")


class RawEntry(NamedTuple):
    """One entry of a Git tree as it is written."""

    mode: bytes
    name: bytes
    oid: bytes


def git_mode(entry: Entry) -> bytes:
    """Return the mode that Git has for a file of a tree."""
    if entry.kind == KIND_SYMLINK:
        return LINK
    if entry.kind == KIND_SUBREPO:
        return SUBMODULE
    return RUNNABLE if entry.mode else PLAIN


def plain_mode(mode: bytes) -> bytes:
    """Return what Git takes any mode for."""
    bits = int(mode, 8)
    if bits >> _TYPE == _REGULAR:
        return RUNNABLE if bits & _OWNER_RUNS else PLAIN
    return _KINDS.get(bits >> _TYPE, SUBMODULE)


def entries_of(raw: bytes) -> Iterator[RawEntry]:
    """Yield the entries of a raw tree.

    Raises:
        MalformedTreeError: it is none.
    """
    at = 0
    while at < len(raw):
        space = raw.find(b" ", at)
        end = raw.find(b"\0", space) + 1
        if space < 0 or not end or end + OID > len(raw):
            raise MalformedTreeError
        yield RawEntry(raw[at:space], raw[space + 1 : end - 1], raw[end : end + OID])
        at = end + OID


def tree_id(raw: bytes) -> bytes:
    """Return the id of a raw tree."""
    return object_id(b"tree", raw)


def below(path: bytes, name: bytes) -> bytes:
    """Return the path of a name in a directory."""
    return path + b"/" + name if path else name


def written(directory: Directory) -> bytes:
    """Return the Git tree of a directory whose subdirectories are marked with their ids."""
    return b"".join(
        [line_of(*item) for item in sorted(directory.entries.items(), key=_sort_key)]
    )


def line_of(name: bytes, child: Child) -> bytes:
    """Return the entry of a Git tree for what a directory holds under a name."""
    if isinstance(child, Directory):
        return _WRITTEN + b" " + name + b"\0" + (child.mark or b"")
    return git_mode(child) + b" " + name + b"\0" + child.digest


def _sort_key(item: tuple[bytes, Child]) -> bytes:
    name, child = item
    return name + b"/" if isinstance(child, Directory) else name


def unmarked(root: Directory) -> list[tuple[bytes, Directory]]:
    """Return the directories that are not marked, with their paths, each before those below."""
    found = [(b"", root)] if root.mark is None else []
    for path, directory in found:
        for name, child in directory.entries.items():
            if isinstance(child, Directory) and child.mark is None:
                found.append((below(path, name), child))
    return found


def reopened(root: Directory, paths: Collection[bytes]) -> Directory:
    """Return a tree in which the directories at paths are not marked; nothing else differs.

    Args:
        root: a tree.
        paths: directories whose writing differs from what their mark says; where a directory is
            among them, so is each above it that is marked.
    """
    if not paths:
        return root
    root = Directory(dict(root.entries))
    for path in sorted(paths):
        above, _, name = path.rpartition(b"/")
        parent, old = subtree(root, above), subtree(root, path)
        if path and isinstance(parent, Directory) and isinstance(old, Directory):
            parent.entries[name] = Directory(dict(old.entries))
    return root


def hidden(
    path: bytes,
    directory: Directory,
    raw: bytes,
    load: Load,
    lacking: Collection[bytes] = (),
) -> list[RawTree]:
    """Prove that a raw tree shows what a directory holds; return the trees that show nothing.

    An entry shows nothing if its name is refused, if another of the same name shows, if nobody
    has its blob, or if it is a tree in which nothing shows.

    Args:
        path: where both are.
        directory: what oxy has; its subdirectories are marked.
        raw: the tree as it is written.
        load: returns the trees of entries that the directory does not have.
        lacking: the ids of blobs that were missing.

    Raises:
        TreeMismatchError: the directory and the tree do not go together.
    """
    hides, left = _hides(directory, raw)
    if left:
        raise TreeMismatchError(below(path, min(left)))
    hides = [entry for entry in hides if entry.oid not in lacking]
    return _without_files(path, hides, load, directory, lacking)


def _hides(directory: Directory, raw: bytes) -> tuple[list[RawEntry], dict[bytes, Child]]:
    """Return the entries of a raw tree that show nothing, and what no entry shows."""
    left = dict(directory.entries)
    hides: list[RawEntry] = []
    for entry in entries_of(raw):
        child = left.get(entry.name)
        if child is not None and _is_alike(child, entry):
            del left[entry.name]
        else:
            hides.append(entry)
    return hides, left


def unshown(directory: Directory, raw: bytes, fetch: Callable[[bytes], bytes]) -> set[bytes]:
    """Return the ids of the blobs that a raw tree names and the directory does not show.

    Cost: what the raw tree hides, and all below it.
    """
    found: set[bytes] = set()
    work = _hides(directory, raw)[0]
    while work:
        entry = work.pop()
        mode = plain_mode(entry.mode)
        if mode == TREE:
            work += entries_of(fetch(entry.oid))
        elif mode != SUBMODULE:
            found.add(entry.oid)
    return found


def _without_files(
    path: bytes,
    entries: list[RawEntry],
    load: Load,
    directory: Directory,
    lacking: Collection[bytes],
) -> list[RawTree]:
    """Return the trees among entries and below, once no file that may show is among them."""
    found: list[RawTree] = []
    work = [(below(path, entry.name), entry) for entry in entries]
    while work:
        at, entry = work.pop()
        if plain_mode(entry.mode) == TREE:
            raw = load(at, entry.oid)
            found.append((at, raw))
            inside = (inner for inner in entries_of(raw) if inner.oid not in lacking)
            work += [(below(at, inner.name), inner) for inner in inside]
        elif path_refusal(at) is None and not _is_hidden_twin(path, at, directory):
            raise TreeMismatchError(at)
    return found


def _is_hidden_twin(path: bytes, at: bytes, directory: Directory) -> bool:
    """Return whether the first name below a directory is one that shows something else."""
    return at[len(path) :].lstrip(b"/").partition(b"/")[0] in directory.entries


def _is_alike(child: Child, entry: RawEntry) -> bool:
    mode = plain_mode(entry.mode)
    if isinstance(child, Directory):
        return mode == TREE and child.mark == entry.oid
    return mode == git_mode(child) and child.digest == entry.oid
