"""The paths that change where the files go to another state (spec: working-copy, W28)."""

from collections.abc import Iterator
from oxy.typed import TYPE_CHECKING

from oxy.model.operation import KIND_SUBREPO
from oxy.repo.refs import unpack_target
from oxy.repo.states import Name
from oxy.repo.tree import Entry, differences, differing, get
from oxy.repo.trees import tree_of
from oxy.worktree import switching
from oxy.worktree.checkout import Wanted
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.manifest import Manifest
from oxy.worktree.workcopy import WorkingCopy

if TYPE_CHECKING:
    from oxy.worktree.row import Row


def differing_paths(
    copy: WorkingCopy, after: Name, note: switching.Note | None
) -> list[Wanted]:
    """Return the paths at which the base state, or one left half-way, differs.

    Those that the working copy does not have are not among them.
    """
    repository = copy.repository
    root, new = tree_of(repository, copy.base.state), tree_of(repository, after)
    found = {path: (old, goal) for path, old, goal in differing(root, new)}
    repository.nodes.look_ahead(repository.states.members(after) ^ copy.content.state)
    half_way: list[tuple[dict[bytes, Entry | None], Content]] = []
    for packed in (note.state, *note.earlier) if note is not None else ():
        name = unpack_target(packed).state
        between: dict[bytes, Entry | None] = {}
        for path, old, half in differences(root, tree_of(repository, name)):
            between[path] = half
            found.setdefault(path, (old, get(new, path)))
        half_way.append((between, Content(repository, name)))
    for path in _under_way(note):
        found.setdefault(path, (get(root, path), get(new, path)))
    wanted, bases = [], _Bases(copy.manifest)
    for path, (old, goal) in sorted(found.items()):
        if not copy.has(path):
            continue
        if _is_nested(old, goal) and not any(path in there for there, _ in half_way):
            continue
        held: list[tuple[Item | None, Content]] = [(bases.item(path, old), copy.content)]
        held += [
            (item_of(between[path]), read) for between, read in half_way if path in between
        ]
        wanted.append(Wanted(path, tuple(held), item_of(goal)))
    return wanted


def _under_way(note: switching.Note | None) -> Iterator[bytes]:
    """Yield the paths at which files may lie that an interrupted switch takes along."""
    for journey in note.journeys if note else ():
        yield journey.path
        for spot in journey.spots:
            yield spot.path


class _Bases:
    """What the base state holds, with the digests that the manifest knows."""

    __slots__ = ("_directory", "_manifest", "_places", "_row")

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._directory: bytes | None = None
        self._row: Row | None = None
        self._places: dict[bytes, int] = {}

    def item(self, path: bytes, entry: Entry | None) -> Item | None:
        """Return the file at a path. Cost: paths of one directory in a row read one row."""
        item = item_of(entry)
        if item is None or item.digest != UNHASHED:
            return item
        directory, _, name = path.rpartition(b"/")
        if directory != self._directory:
            self._directory = directory
            self._row = self._manifest.row(directory)
            self._places = self._row.places() if self._row else {}
        if self._row is None or name not in self._places:
            return item
        return Item.of(self._row.entry(name, self._places[name]))


def _is_nested(old: Entry | None, goal: Entry | None) -> bool:
    """Tell whether there is no file at a path, but a repository of its own comes or goes."""
    kinds = {entry.kind for entry in (old, goal) if entry is not None}
    return kinds == {KIND_SUBREPO}


def item_of(entry: Entry | None) -> Item | None:
    """Return the file that an entry of a tree is; a subrepo is none."""
    if entry is None or entry.kind == KIND_SUBREPO:
        return None
    return Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)
