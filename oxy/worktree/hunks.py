"""The hunks of the working copy, and a snapshot of some of them (spec: working-copy, W18).

Of a text that is a text in the base state each stretch of edits is a hunk, and so is its mode
and its move; anything else that happened to a file is one hunk.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from oxy.typed import Final, NamedTuple

from blake3 import blake3

from oxy.diff import unified
from oxy.diff.lines import Edit, edits
from oxy.diff.partial import applied, lines_of
from oxy.errors import RequestError
from oxy.model.operation import KIND_TEXT
from oxy.repo.textual import kind_of
from oxy.worktree.item import Item
from oxy.worktree.loading import Loaded, load
from oxy.worktree.reader import TreeReader
from oxy.worktree.row import UNKNOWN
from oxy.worktree.snapshot import MODE, MODIFIED, RENAMED, Changed, Snapshot
from oxy.worktree.workcopy import WorkingCopy

TEXT: Final = "text"
"""The kind of a hunk of lines; others are of the kind of what happened to the file."""

WHOLE: Final = 0
"""In place of a part: all of a hunk."""


NO_OWN: Final[Mapping[int, bytes]] = {}
"""No hunk was edited."""


class NoHunkError(RequestError):
    """No hunk, or no part of it, has this number."""

    def __init__(self, hunk: int, part: int, last: int) -> None:
        if part == WHOLE or not 1 <= hunk <= last:
            what = f"there is no hunk {hunk}: there are {last}"
        else:
            what = f"hunk {hunk} has no part {part}"
        super().__init__(what)
        self.hunk = hunk
        self.part = part


class Pick(NamedTuple):
    """A hunk that is chosen, or a part of it: an edit, from 1."""

    hunk: int
    part: int = WHOLE


class Hunk(NamedTuple):
    """Something that differs, by its number from 1; its edits where it is of lines."""

    number: int
    kind: str
    edits: tuple[Edit, ...] = ()


class FileHunks(NamedTuple):
    """The hunks of one file. `local` and `old` are what it is and was, where both are texts."""

    change: Changed
    hunks: tuple[Hunk, ...]
    old: bytes = b""
    local: Loaded | None = None

    def shown(self, hunk: Hunk) -> unified.Hunk:
        """Return a hunk of lines as a patch has it."""
        return unified.shown(self.old, self._new(), [hunk.edits])[0]

    def parts(self, hunk: Hunk) -> list[unified.Hunk]:
        """Return each edit of a hunk of lines as a hunk of its own."""
        return unified.shown(self.old, self._new(), [[edit] for edit in hunk.edits])

    def spliced(self, chosen: "Chosen", own: Mapping[int, bytes]) -> bytes:
        """Return the old text with chosen edits, or what `own` has in place of a hunk."""
        old, new = lines_of(self.old), lines_of(self._new())
        made: list[bytes] = []
        at = 0
        for hunk in self.hunks:
            if hunk.number in own and hunk.number in chosen:
                shown = self.shown(hunk)
                made += [*old[at : shown.old_start], own[hunk.number]]
                at = shown.old_start + shown.old_count
                continue
            for edit in chosen.get(hunk.number, ()):
                made += old[at : edit.old_start]
                made += new[edit.new_start : edit.new_start + edit.new_count]
                at = edit.old_start + edit.old_count
        return b"".join([*made, *old[at:]])

    def _new(self) -> bytes:
        return (self.local.data if self.local else None) or b""


def hunks_of(copy: WorkingCopy, changes: Iterable[Changed]) -> Iterator[FileHunks]:
    """Yield the hunks of the files that differ, numbered in the order of the changes.

    Cost: the files that differ, one at a time.

    Raises:
        ChangedError: a file was written meanwhile.
    """
    reader = TreeReader(copy.fd)
    count = 0
    try:
        for change in changes:
            found = _file(copy, reader, change, count + 1)
            count += len(found.hunks)
            yield found
    finally:
        reader.close()


def _file(copy: WorkingCopy, reader: TreeReader, change: Changed, first: int) -> FileHunks:
    item, record = change.item, change.record
    whole = FileHunks(change, (Hunk(first, change.kind),))
    if item is None or record is None or item.kind != KIND_TEXT:
        return whole
    if change.kind not in {MODIFIED, MODE, RENAMED}:
        return whole
    local = load(reader, change.path, record)
    if local.kind != KIND_TEXT:
        return whole
    old = copy.content.read(item)
    kinds = [RENAMED] if change.source is not None else []
    kinds += [MODE] if local.mode != item.mode else []
    found = [Hunk(number, kind) for number, kind in enumerate(kinds, first)]
    groups = unified.grouped(edits(old, local.data or b""))
    texts = enumerate(groups, first + len(found))
    found += [Hunk(number, TEXT, tuple(group)) for number, group in texts]
    return FileHunks(change, tuple(found), old, local)


def selected(
    copy: WorkingCopy,
    snapshot: Snapshot,
    picks: Collection[Pick],
    own: Mapping[int, bytes] = NO_OWN,
) -> Snapshot:
    """Return a snapshot of the chosen hunks alone; what else differs stays as it is on disk.

    Args:
        copy: the working copy.
        snapshot: all that differs.
        picks: hunks by their numbers in `hunks_of(copy, snapshot.changes)`.
        own: of chosen hunks of lines that were edited, what is to stand where they do.

    Cost: the files that differ; those of which only a part is chosen are held in memory.

    Raises:
        NoHunkError: a hunk that was chosen is not there.
        ChangedError: a file was written meanwhile.
    """
    changes: list[Changed] = []
    partly: list[tuple[bytes, Loaded]] = []
    for file, chosen in choices(hunks_of(copy, snapshot.changes), picks):
        if is_whole(file, chosen) and own.keys().isdisjoint(chosen):
            changes.append(file.change)
        elif chosen and file.local is not None and file.change.item is not None:
            change, loaded = _some(file, file.local, file.change.item, chosen, own)
            changes.append(change)
            partly.append((change.path, loaded))
    return snapshot._replace(changes=tuple(changes), partly=tuple(partly))


class Rest(NamedTuple):
    """A file without the chosen hunks: where it is, and what; None is as the base has it."""

    change: Changed
    path: bytes
    local: Loaded | None


def without(copy: WorkingCopy, snapshot: Snapshot, picks: Collection[Pick]) -> list[Rest]:
    """Return the files of which hunks are chosen, without these.

    The hunks are those of `selected`. Cost: as there.

    Raises:
        NoHunkError: a hunk that was chosen is not there.
        ChangedError: a file was written meanwhile.
    """
    found = []
    for file, chosen in choices(hunks_of(copy, snapshot.changes), picks):
        if not chosen:
            continue
        left = [hunk for hunk in file.hunks if chosen.get(hunk.number) != hunk.edits]
        if not left or file.local is None or file.change.item is None:
            found.append(Rest(file.change, file.change.source or file.change.path, None))
            continue
        others = {
            hunk.number: tuple(e for e in hunk.edits if e not in chosen.get(hunk.number, ()))
            for hunk in left
        }
        change, loaded = _some(file, file.local, file.change.item, others)
        found.append(Rest(file.change, change.path, loaded))
    return found


Chosen = dict[int, tuple[Edit, ...]]
"""What is chosen of a file: by the number of a hunk, its edits."""


def choices(
    files: Iterable[FileHunks], picks: Iterable[Pick]
) -> Iterator[tuple[FileHunks, Chosen]]:
    """Yield each file with what is chosen of it.

    Raises:
        NoHunkError: a hunk that was chosen is not there.
    """
    parts: dict[int, set[int]] = {}
    for hunk, part in picks:
        parts.setdefault(hunk, set()).add(part)
    last = 0
    for file in files:
        last = file.hunks[-1].number if file.hunks else last
        yield (
            file,
            {h.number: _edits(h, parts.pop(h.number)) for h in file.hunks if h.number in parts},
        )
    for number, wanted in sorted(parts.items()):
        raise NoHunkError(number, min(wanted), last)


def is_whole(file: FileHunks, chosen: Chosen) -> bool:
    """Tell whether all of a file is chosen."""
    return all(chosen.get(hunk.number) == hunk.edits for hunk in file.hunks)


def _edits(hunk: Hunk, parts: Collection[int]) -> tuple[Edit, ...]:
    """Return the edits that parts of a hunk are.

    Raises:
        NoHunkError: it has no such part.
    """
    if WHOLE in parts:
        return hunk.edits
    wrong = [part for part in sorted(parts) if part > len(hunk.edits)]
    if wrong:
        raise NoHunkError(hunk.number, wrong[0], hunk.number)
    return tuple(hunk.edits[part - 1] for part in sorted(parts))


def _some(
    file: FileHunks,
    local: Loaded,
    item: Item,
    chosen: Chosen,
    own: Mapping[int, bytes] = NO_OWN,
) -> tuple[Changed, Loaded]:
    """Return a file with some of its hunks, and what it then is."""
    change = file.change
    kinds = {hunk.kind for hunk in file.hunks if hunk.number in chosen}
    wanted = [edit for _, found in sorted(chosen.items()) for edit in found]
    data = file.spliced(chosen, own) if own else applied(file.old, local.data or b"", wanted)
    mode = local.mode if MODE in kinds else item.mode
    loaded = Loaded(kind_of(data, len(data)), mode, data, len(data), blake3(data).digest())
    source = change.source if RENAMED in kinds else None
    path = change.source if change.source is not None and source is None else change.path
    kind = RENAMED if source is not None else MODIFIED if wanted else MODE
    # The file on disk is not what is recorded of it, so nothing vouches for it.
    return Changed(path, kind, item, UNKNOWN, source), loaded
