"""What one change did, hunk by hunk (spec: working-copy, W18; states, S46).

Hunks are those of the working copy, so that they are shown and chosen in the same way.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import Final, NamedTuple

from pyroaring import BitMap

from oxy.actions.patch import FileDiff, Side, difference
from oxy.actions.paths import is_asked
from oxy.actions.show import side
from oxy.diff.lines import edits
from oxy.diff.unified import grouped
from oxy.graph.deed import Deed
from oxy.model import operation
from oxy.repo.repository import Repository
from oxy.repo.rewriting.parts import Key, Part, take_apart
from oxy.repo.standing import standing
from oxy.worktree.hunks import TEXT, FileHunks, Hunk
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.loading import Loaded
from oxy.worktree.snapshot import (
    ADDED,
    DELETED,
    KIND,
    MODE,
    MODIFIED,
    RENAMED,
    RESOLVED,
    Changed,
)

HUNKS_OF: Final = {operation.PLACE: RENAMED, operation.MODE: MODE}
"""The registers of a text whose writes are hunks of their own."""


class Doing(NamedTuple):
    """What a change did to one node: its hunks, and the difference if one shows."""

    key: Key
    file: FileHunks
    diff: FileDiff | None = None


def doings(repository: Repository, change: int, paths: Sequence[bytes] = ()) -> Iterator[Doing]:
    """Yield what a change did at some paths or everywhere, by path, hunks numbered from 1.

    A file is compared in the state that the change was recorded in, and in that with it. The
    edits of a text are hunks where the change said nothing else of its lines; a conflict that
    it resolved, what it took back, or a new file, is one hunk.

    Args:
        repository: where the change is.
        change: its number.
        paths: files and directories, as the change left or found them; none is everything.

    Cost: the files that it touches; two contents in memory at once.
    """
    states = repository.states
    old, new = states.members(states.link(change).context), states.of_change(change)
    parts = take_apart(repository, change).parts
    count = 0
    for path, key in sorted(_placed(repository, parts, (old, new), paths), key=_path):
        if not isinstance(key, int):
            found = Doing(key, FileHunks(Changed(path, RENAMED, None, None), ()))
        else:
            found = _doing(repository, key, parts[key], (old, new))
        file = found.file
        hunks = file.hunks or (Hunk(0, file.change.kind),)
        hunks = tuple(hunk._replace(number=count + at) for at, hunk in enumerate(hunks, 1))
        count += len(hunks)
        yield found._replace(file=file._replace(hunks=hunks))


def _path(placed: tuple[bytes, Key]) -> bytes:
    return placed[0]


def _placed(
    repository: Repository,
    parts: dict[Key, Part],
    states: tuple[BitMap, BitMap],
    paths: Sequence[bytes],
) -> Iterator[tuple[bytes, Key]]:
    """Yield (path, node) of what a change touches at some paths."""
    for key in parts:
        if isinstance(key, int):
            seen = [standing(repository.nodes, key, state).seen.path for state in states]
        else:
            seen = [b"/".join(name for name, _ in key)]
        held = [path for path in reversed(seen) if path is not None]
        if not paths or any(is_asked(path, paths) for path in held):
            yield held[0] if held else b"", key


def _doing(
    repository: Repository, node: int, part: Part, states: tuple[BitMap, BitMap]
) -> Doing:
    was, became = (side(repository, node, state) for state in states)
    found = _texts(repository, node, part, states)
    item = None
    if was is not None:
        seen = standing(repository.nodes, node, states[0]).seen
        item = Item(node, seen.kind, seen.mode, UNHASHED)
    moved = was is not None and became is not None and was.path != became.path
    shown = became or was
    changed = Changed(
        shown.path if shown else b"",
        _kind(was, became),
        item,
        None,
        was.path if was is not None and moved else None,
    )
    diff = difference(was, became)
    if not found or was is None or became is None:
        return Doing(node, FileHunks(changed, ()), diff)
    after = standing(repository.nodes, node, states[1]).seen
    local = Loaded(after.kind, after.mode, became.data, len(became.data), UNHASHED)
    hunks = [
        Hunk(0, kind)
        for register, kind in HUNKS_OF.items()
        if any(write.register == register for write in part.writes)
    ]
    groups = grouped(edits(was.data, became.data))
    hunks += [Hunk(0, TEXT, tuple(group)) for group in groups]
    return Doing(node, FileHunks(changed, tuple(hunks), was.data, local), diff)


def _texts(
    repository: Repository, node: int, part: Part, states: tuple[BitMap, BitMap]
) -> bool:
    """Tell whether a part is edits of a text, and nothing else of its lines."""
    deed = part.deed
    if part.created is not None or deed is None:
        return False
    if deed != Deed(deed.needs, deed.blocks, deed.deletions):
        return False
    if {write.register for write in part.writes} - {*HUNKS_OF, operation.FINAL_LF}:
        return False
    nodes = repository.nodes
    return all(
        nodes.view(node, state).kind == operation.KIND_TEXT
        and nodes.reading(node, state).is_clean
        for state in states
    )


def _kind(was: Side | None, became: Side | None) -> str:
    """Return what happened to a file, in one word."""
    if was is None or became is None:
        return RESOLVED if was is became else ADDED if was is None else DELETED
    if was.path != became.path:
        return RENAMED
    if was.mode >> 12 != became.mode >> 12:
        return KIND
    if was.data != became.data:
        return MODIFIED
    return MODE if was.mode != became.mode else RESOLVED
