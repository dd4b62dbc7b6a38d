"""Records whole files in a repository, the simplest way that keeps their nodes."""

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from oxy.diff.lines import edits
from oxy.graph.draft import flat
from oxy.graph.record import record
from oxy.graph.recorded import Recorded
from oxy.graph.text import EDGE, Block, Deed
from oxy.model.change import Moment
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PLACE,
    TARGET,
)
from oxy.repo.moving import moving
from oxy.repo.recording import Intent, NodeDraft, Setting
from oxy.repo.refs import BOOKMARK, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.states import Name
from oxy.repo.writing import Recording, Stamp, Writing, writing

MAIN = Ref(BOOKMARK, b"main")
STAMP = Stamp(1, 0, b"ann", b"commit")
_CONTENT = {KIND_BINARY: BYTES, KIND_SYMLINK: TARGET}


class File(NamedTuple):
    """What a file is to be."""

    data: bytes
    kind: int = KIND_TEXT
    mode: int = 0


class Scribe:
    """Records files, each at a path of its own, and moves the bookmark main."""

    __slots__ = ("_extra", "_time", "repository")

    def __init__(
        self, repository: Repository, extra: tuple[tuple[bytes, bytes], ...] = ()
    ) -> None:
        self.repository = repository
        self._extra = extra
        self._time = 0

    def commit(
        self,
        context: Name,
        files: Mapping[bytes, File | None],
        moves: Mapping[bytes, bytes] | None = None,
        directories: Mapping[bytes, bytes] | None = None,
    ) -> Recording:
        """Record in one transaction that paths hold files (None: nothing) on a state.

        A path that is moved, if only to itself, has its place written. Files stand under the
        paths that they have before directories are moved, new ones under those after it.
        """
        with writing(self.repository, STAMP, "fast") as work:
            recording = self.write(work, context, files, moves or {}, directories)
            work.move(MAIN, Target(Name((recording.number,), context.absent)))
        return recording

    def write(
        self,
        work: Writing,
        context: Name,
        files: Mapping[bytes, File | None],
        moves: Mapping[bytes, bytes],
        directories: Mapping[bytes, bytes] | None = None,
    ) -> Recording:
        """Record in a transaction that is open."""
        change = work.next_change()
        nodes = self.paths(context)
        drafts = [
            self._create(change, path, file)
            for path, file in sorted(files.items())
            if file is not None and path not in nodes
        ]
        touched = sorted((files.keys() & nodes.keys()) | moves.keys())
        drafts += [
            self._edit(context, nodes[path], change, files.get(path), path, moves)
            for path in touched
        ]
        self._time += 1
        intent = Intent(
            b"Ann <ann@x>", Moment(self._time, 60), b"number %d" % change, self._extra
        )
        moved = [
            moving(self.repository, context, old, new)
            for old, new in (directories or {}).items()
        ]
        return work.record(intent, context, drafts, change, tuple(chain(*moved)))

    def paths(self, name: Name) -> dict[bytes, int]:
        """Return the node of each path, found without a tree."""
        nodes = self.repository.nodes
        state = self.repository.states.members(name)
        found = {}
        for row, _ in self.repository.store.rows(1):
            node = int.from_bytes(row, "big")
            path = standing(nodes, node, state).seen.path
            if path is not None:
                found[path] = node
        return found

    def text(self, path: bytes, name: Name) -> bytes:
        """Return the bytes at a path in a state."""
        state = self.repository.states.members(name)
        return b"".join(self.repository.nodes.content(self.paths(name)[path], state))

    def _create(self, change: int, path: bytes, file: File) -> NodeDraft:
        place = Setting(PLACE, path)
        mode = (Setting(MODE, file.mode),) if file.mode else ()
        if file.kind != KIND_TEXT:
            held = Setting(_CONTENT[file.kind], file.data)
            return NodeDraft(0, (0, 0), file.kind, (place, *mode, held))
        data, ends = _with_lf(file.data)
        deed = Deed((), (Block(change << 32, data.count(b"\n"), EDGE, EDGE),) if data else ())
        last = () if ends else (Setting(FINAL_LF, 0),)
        return NodeDraft(0, (0, 0), file.kind, (place, *mode, *last), deed, data)

    def _edit(
        self,
        context: Name,
        node: int,
        change: int,
        file: File | None,
        path: bytes,
        moves: Mapping[bytes, bytes],
    ) -> NodeDraft:
        nodes = self.repository.nodes
        state = self.repository.states.members(context)
        registers = nodes.registers(node)
        view = standing(nodes, node, state, registers).seen
        target = moves.get(path, path) if file is not None or path in moves else None
        wanted: list[tuple[int, bytes | int | None]] = []
        if view.path != target or path in moves:
            wanted.append((PLACE, target))
        if file is not None and (file.kind != view.kind or view.kind != registers.created):
            wanted.append((KIND, file.kind))
        if file is not None and file.mode != view.mode:
            wanted.append((MODE, file.mode))
        deed, text = None, b""
        is_other = file is not None and file.kind != KIND_TEXT
        if file is not None and is_other:
            wanted.append((_CONTENT[file.kind], file.data))
        if KIND_TEXT in {view.kind, file and file.kind} and (
            file is not None or target is None
        ):
            data, ends = _with_lf(file.data if file and not is_other else b"")
            found = self._recorded(context, node, change, data)
            deed, text = found.deed, inserted_lines(self.repository, node, found, data)
            if ends != bool(view.final_lf) and data:
                wanted.append((FINAL_LF, int(ends)))
        settings = tuple(
            Setting(register, value, registers.live_writes(register, state))
            for register, value in wanted
        )
        return NodeDraft(node, nodes.origin(node)[1:], None, settings, deed, text)

    def _recorded(self, context: Name, node: int, change: int, data: bytes) -> Recorded:
        nodes = self.repository.nodes
        state = self.repository.states.members(context)
        reading = nodes.reading(node, state)
        old = nodes.text(node, flat(reading))
        return record(nodes.graph(node), state, reading, edits(old, data), change)


def inserted_lines(repository: Repository, node: int, found: Recorded, data: bytes) -> bytes:
    """Return the lines that a recorded change inserts into a node."""
    lines = _lines(data)
    parts = []
    for size, new, moved in found.sources:
        if moved is not None:
            parts.append(repository.nodes.text(node, [moved]))
        elif new is not None:
            parts += lines[new : new + size]
    return b"".join(parts)


def _with_lf(data: bytes) -> tuple[bytes, bool]:
    """Return a text with its final LF, and whether it had it."""
    return (data, True) if not data or data.endswith(b"\n") else (data + b"\n", False)


def _lines(data: bytes) -> list[bytes]:
    return [line + b"\n" for line in data.split(b"\n")[:-1]]
