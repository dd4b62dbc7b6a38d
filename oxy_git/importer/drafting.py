"""From a commit's files to what happens to nodes (spec: git-bridge, GB10 to GB16)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.diff.lines import edits
from oxy.graph.draft import Edits, flat
from oxy.graph.plain import plain_deed
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.render import survivors
from oxy.graph.text import EDGE, Block, Deed, Deletion, Span
from oxy.graph.weave import SHIFT
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    TARGET,
    BlobRef,
)
from oxy.repo.keys import NONE
from oxy.repo.recording import NodeDraft, Setting, content_of
from oxy.repo.registers import Held, Registers
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.textual import with_final_lf
from oxy.repo.tree import DISPUTED_KIND, Entry
from oxy.store.protocol import Transaction
from oxy_git.importer.caches import Readings, RegisterCache, Texts
from oxy_git.importer.content import Want, pin_of
from oxy_git.importer.union import Union

_FEW: Final = 8
"""Lines that are found one by one."""

_GUESS: Final = 24
"""Bytes that a line has, if nothing is known of it."""

_HOLDER: Final = {KIND_BINARY: BYTES, KIND_SYMLINK: TARGET, KIND_SUBREPO: PIN}


class Drafted(NamedTuple):
    """What happens to a node, and what it is afterwards.

    `old_path` is where it was, empty where it was nowhere; `key` its version key until now;
    `want` is None where it is gone.
    """

    draft: NodeDraft
    path: bytes
    old_path: bytes
    key: bytes
    kind: int
    want: Want | None
    reading: Reading | None


class Drafter:
    """Drafts the nodes of one commit after the other."""

    __slots__ = (
        "_is_sound",
        "_readings",
        "_registers",
        "_repository",
        "_shared",
        "_texts",
        "change",
        "compared",
        "plain",
        "state",
        "transaction",
    )

    def __init__(
        self, repository: Repository, texts: Texts, readings: Readings, registers: RegisterCache
    ) -> None:
        self._repository = repository
        self._texts = texts
        self._readings = readings
        self._registers = registers
        self.plain: set[int] = set()
        """Texts that were made in this run and never disputed: no graph is needed for them."""
        self.compared = 0

    def begin(self, transaction: Transaction, change: int, union: Union) -> None:
        """Begin a commit: the number that its change will have, and what it is made on."""
        self.transaction = transaction
        self.change = change
        self.state = union.state
        self._shared = union.readings
        self._is_sound = union.is_sound

    def created(self, path: bytes, want: Want, data: bytes) -> Drafted:
        """Draft a file that nothing becomes."""
        kind = want.kind(data)
        settings = [Setting(PLACE, path)]
        if want.executable:
            settings.append(Setting(MODE, 1))
        if kind != KIND_TEXT:
            settings.append(Setting(_HOLDER[kind], self._held(kind, want, data)))
            draft = NodeDraft(0, (0, 0), kind, tuple(settings))
            return Drafted(draft, path, b"", NONE, kind, want, None)
        if data and not data.endswith(b"\n"):
            settings.append(Setting(FINAL_LF, 0))
        deed, reading = self._whole(data)
        body = content_of(with_final_lf(data), self.transaction) if data else b""
        draft = NodeDraft(0, (0, 0), kind, tuple(settings), deed, body)
        return Drafted(draft, path, b"", NONE, kind, want, reading)

    def _whole(self, data: bytes) -> tuple[Deed, Reading]:
        if not data:
            return Deed(), Reading([], [])
        start, size = self.change << SHIFT, with_final_lf(data).count(b"\n")
        return Deed((), (Block(start, size, EDGE, EDGE),)), Reading([start], [size])

    def _held(self, kind: int, want: Want, data: bytes) -> bytes | BlobRef:
        if kind == KIND_SUBREPO:
            return pin_of(want.oid)
        return content_of(data, self.transaction) if kind == KIND_BINARY else data

    def deleted(self, path: bytes, entry: Entry) -> Drafted:
        """Draft a file that goes, with the lines that it has."""
        settings = (self._setting(entry.node, PLACE, None),)
        deed = self._emptied(entry.node, entry.kind, entry)
        draft = NodeDraft(entry.node, self._origin(entry.node), None, settings, deed)
        return Drafted(draft, path, path, entry.key, entry.kind, None, None)

    def retired(self, node: int) -> Drafted:
        """Draft a node that is in nobody's way any more: it has no place, or lost it."""
        registers = self._registers.get(node)
        values = registers.values(PLACE, self.state)
        settings: tuple[Setting, ...] = ()
        is_placed = any(value.value is not None for value in values) or len(values) > 1
        if is_placed or self._is_shown(node, registers):
            settings = (self._setting(node, PLACE, None),)
        deed = self._emptied(node, registers.created, None)
        draft = NodeDraft(node, self._origin(node), None, settings, deed)
        return Drafted(draft, b"", b"", NONE, KIND_TEXT, None, None)

    def _is_shown(self, node: int, registers: Registers) -> bool:
        """Return whether a deleted node shows, and not for lines that go with it."""
        seen = standing(self._repository.nodes, node, self.state, registers).seen
        is_text = KIND_TEXT == registers.created == seen.kind
        return seen.path is not None and not is_text

    def _emptied(self, node: int, kind: int, entry: Entry | None) -> Deed | None:
        """Return the deed that deletes all lines of a text, which may have no entry."""
        if kind != KIND_TEXT:
            return None
        reading = self._reading(node, entry)
        if not reading.is_clean:
            total = sum(span.size for span in _everything(reading))
            return self._recorded(node, reading, [(0, total, 0, 0)])[0]
        spans = tuple(reading.spans())
        if not spans:
            return None
        if node in self.plain:
            return Deed((), (), (Deletion(spans, None),))
        return self._recorded(node, reading, [(0, reading.total, 0, 0)])[0]

    def changed(
        self,
        path: bytes,
        old_path: bytes,
        entry: Entry,
        want: Want,
        data: bytes,
        told: Edits | None = None,
    ) -> Drafted:
        """Draft a file that stays the same node: edited, moved, of another mode or kind.

        `told` are the edits of its text, where they are known already.
        """
        node, kind = entry.node, want.kind(data)
        settings: list[Setting] = []
        is_disputed = not entry.digest
        if path != old_path or (is_disputed and self._is_disputed(node, PLACE)):
            settings.append(self._setting(node, PLACE, path))
        if entry.mode != want.executable or (is_disputed and self._is_disputed(node, MODE)):
            settings.append(self._setting(node, MODE, want.executable))
        if kind != entry.kind or (is_disputed and entry.disputed & DISPUTED_KIND):
            settings.append(self._setting(node, KIND, kind))
        deed: Deed | None = None
        body: bytes | BlobRef = b""
        reading: Reading | None = None
        if kind == KIND_TEXT:
            edit = self._edited(entry, data, settings, told)
            if edit is not None:
                deed, body, reading = edit
        else:
            if entry.digest != want.oid or kind != entry.kind:
                held = self._held(kind, want, data)
                settings.append(self._setting(node, _HOLDER[kind], held))
            if is_disputed and self._is_disputed(node, FINAL_LF):
                settings.append(self._setting(node, FINAL_LF, 1))
            deed = self._emptied(node, entry.kind, entry)
        draft = NodeDraft(node, self._origin(node), None, tuple(settings), deed, body)
        return Drafted(draft, path, old_path, entry.key, kind, want, reading)

    def _edited(
        self, entry: Entry, data: bytes, settings: list[Setting], told: Edits | None
    ) -> tuple[Deed | None, bytes | BlobRef, Reading] | None:
        """Return the deed, inserted lines and reading of a text with new content."""
        node = entry.node
        reading = self._reading(node, entry)
        was_text = entry.kind == KIND_TEXT and bool(entry.digest)
        old = self._texts.get(entry.digest) if was_text else None
        self._set_final_lf(node, old, data, settings)
        if old == data:
            return None, b"", reading
        self.compared += 1
        new_body = with_final_lf(data)
        if old is None:
            told = edits(self._repository.nodes.text(node, _everything(reading)), new_body)
        changes = edits(with_final_lf(old or b""), new_body) if told is None else told
        if not changes and reading.is_clean:
            return None, b"", reading
        if node in self.plain and reading.is_clean:
            deed = plain_deed(reading, changes, self.change)
            after = reading.replaced(
                [(e[0], e[1], e[3]) for e in changes], self.change << SHIFT
            )
            inserted = taken(new_body, [(e[2], e[3]) for e in changes])
        else:
            deed, inserted, after = self._recorded(node, reading, changes, new_body)
        return deed, content_of(inserted, self.transaction) if inserted else b"", after

    def _recorded(
        self,
        node: int,
        reading: Reading,
        changes: Sequence[tuple[int, int, int, int]],
        body: bytes = b"",
    ) -> tuple[Deed, bytes, Reading]:
        nodes = self._repository.nodes
        graph = nodes.graph(node)
        done = record(graph, self.state, reading, changes, self.change)
        parts = [
            nodes.text(node, [source.moved])
            if source.moved is not None
            else taken(body, [(source.new or 0, source.size)])
            for source in done.sources
        ]
        return done.deed, b"".join(parts), done.reading

    def _set_final_lf(
        self, node: int, old: bytes | None, data: bytes, settings: list[Setting]
    ) -> None:
        """Add the write of the final LF where it differs.

        An empty text leaves it alone, unless it is in dispute.
        """
        if not data and (old is not None or not self._is_disputed(node, FINAL_LF)):
            return
        wanted = int(data.endswith(b"\n") or not data)
        if old:
            if int(old.endswith(b"\n")) == wanted:
                return
        else:
            values = self._registers.get(node).values(FINAL_LF, self.state)
            if [value.value for value in values] == [wanted] or (not values and wanted):
                return
        settings.append(self._setting(node, FINAL_LF, wanted))

    def _reading(self, node: int, entry: Entry | None) -> Reading:
        found = self._shared.get(node)
        if found is None and entry is not None:
            found = self._readings.get(node, entry.key)
        if found is None:
            is_clean = entry is not None and self._is_clean(entry)
            read = self._read_clean if is_clean else self._repository.nodes.reading
            found = read(node, self.state)
            if entry is not None:
                self._readings.put(node, entry.key, found)
        return found

    def _is_clean(self, entry: Entry) -> bool:
        """Return whether a text that one side alone touched is as commits have it (GB15)."""
        return self._is_sound and entry.kind == KIND_TEXT and bool(entry.digest)

    def _read_clean(self, node: int, state: BitMap) -> Reading:
        """Return what a text reads that reads in one way. Cost: a step for each run."""
        graph = self._repository.nodes.graph(node)
        if graph.is_disputed:
            graph.grounds.note(state & graph.touched)
        return survivors(graph, state)

    def _setting(self, node: int, register: int, value: Held) -> Setting:
        return Setting(
            register, value, self._registers.get(node).live_writes(register, self.state)
        )

    def _is_disputed(self, node: int, register: int) -> bool:
        return len(self._registers.get(node).values(register, self.state)) > 1

    def _origin(self, node: int) -> tuple[int, int]:
        return self._repository.nodes.origin(node)[1:]


def _everything(reading: Reading) -> list[Span]:
    """Return the spans of a reading, the sides of conflicts one after the other."""
    if reading.is_clean:
        return list(reading.spans())
    return flat(reading)


def taken(body: bytes, ranges: Sequence[tuple[int, int]]) -> bytes:
    """Return lines of a text by (first, count), ascending. Cost: one scan of the text."""
    parts: list[bytes] = []
    line = at = 0
    for first, count in ranges:
        if not count:
            continue
        at = _skip(body, at, first - line)
        end = _skip(body, at, count)
        parts.append(body[at:end])
        line, at = first + count, end
    return b"".join(parts)


def _skip(body: bytes, at: int, lines: int) -> int:
    """Return where a number of lines from a place end.

    Counting the ends of lines in a stretch beats finding each of them.
    """
    step = lines * _GUESS
    while lines > _FEW:
        found = body.count(b"\n", at, at + step)
        if found < lines:
            at += step
            lines -= found
            step = lines * _GUESS
        else:
            step //= 2
    for _ in range(lines):
        at = body.index(b"\n", at) + 1
    return at
