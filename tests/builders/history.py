"""Histories recorded by hand: files in, changes out, times and authors fixed."""

from collections.abc import Mapping

from oxy.diff.lines import edits
from oxy.graph.record import record
from oxy.graph.text import EDGE, Block, Deed
from oxy.graph.weave import SHIFT
from oxy.model.change import Moment
from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND_BINARY,
    KIND_SUBREPO,
    KIND_SYMLINK,
    KIND_TEXT,
    MODE,
    PIN,
    PLACE,
    TARGET,
)
from oxy.repo.recording import Intent, NodeDraft, Setting, content_of
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp, Writing, writing
from oxy.store.protocol import CHANGE

AUTHOR = b"Ada Lovelace <ada@example.org>"
HOUR = 3600 * 1_000_000
START = 1_700_000_000 * 1_000_000
CONTENT = {KIND_BINARY: BYTES, KIND_SYMLINK: TARGET, KIND_SUBREPO: PIN}


def ended(text: bytes) -> bytes:
    """Return a text with LF at its end, as its lines are recorded."""
    return text + b"\n" if text and not text.endswith(b"\n") else text


class Made:
    """What a file is to be: its bytes, mode and kind, and the path that it comes from."""

    def __init__(
        self,
        data: bytes,
        *,
        mode: int = 0,
        kind: int = KIND_TEXT,
        moved_from: bytes | None = None,
    ) -> None:
        self.data = data
        self.mode = mode
        self.kind = kind
        self.moved_from = moved_from


class History:
    """Records changes in a repository, an hour apart unless a time is given."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.now = START

    def stamp(self, command: bytes = b"commit") -> Stamp:
        return Stamp(self.now, 60, b"ada", command)

    def commit(
        self,
        files: Mapping[bytes, bytes | Made | None],
        *heads: int,
        message: bytes = b"change",
        author: bytes = AUTHOR,
        hours: int | None = None,
        extra: tuple[tuple[bytes, bytes], ...] = (),
        bookmark: bytes | None = b"main",
    ) -> int:
        """Record files as they are to be (None: deleted) on a state; return the number."""
        self.now = self.now + HOUR if hours is None else START + hours * HOUR
        context = self.repository.states.join(tuple(Name((head,)) for head in heads))
        with writing(self.repository, self.stamp()) as work:
            change = work.next_change()
            intent = Intent(author, Moment(self.now, 60), message, extra)
            drafts = [
                self._draft(work, context, change, path, made)
                for path, made in sorted(files.items())
            ]
            work.record(intent, context, drafts, change)
            if bookmark is not None:
                target = Target(Name((change,)))
                work.move(Ref(BOOKMARK, bookmark), target)
                work.move(HERE, target._replace(bookmark=bookmark))
        # Graphs in memory are as of the changes before this one.
        self.repository.forget()
        return change

    def id(self, change: int) -> bytes:
        return self.repository.store.id_of(CHANGE, change)

    def _draft(
        self, work: Writing, context: Name, change: int, path: bytes, given: bytes | Made | None
    ) -> NodeDraft:
        made = Made(given) if isinstance(given, bytes) else given
        before = (made and made.moved_from) or path
        entry = get(tree_of(self.repository, context), before)
        if entry is None:
            assert made is not None
            return self._created(work, change, path, made)
        node, state = entry.node, self.repository.states.members(context)
        registers = self.repository.nodes.registers(node)
        settings = []

        def put(register: int, value: bytes | int | None) -> None:
            replaced = registers.live_writes(register, state)
            settings.append(Setting(register, value, replaced))

        if made is None or path != before:
            put(PLACE, None if made is None else path)
        if made is not None and made.mode != entry.mode:
            put(MODE, made.mode)
        origin = self.repository.nodes.origin(node)[1:]
        draft = NodeDraft(node, origin, None, tuple(settings))
        new = b"" if made is None else made.data
        if entry.kind != KIND_TEXT:
            if made is not None:
                put(CONTENT[entry.kind], new)
            return draft._replace(settings=tuple(settings))
        nodes = self.repository.nodes
        old = b"".join(nodes.content(node, state))
        if new and new.endswith(b"\n") != bool(nodes.view(node, state).final_lf):
            put(FINAL_LF, int(new.endswith(b"\n")))
        old, new = ended(old), ended(new)
        found = edits(old, new)
        reading = nodes.reading(node, state)
        done = record(nodes.graph(node), state, reading, found, change)
        lines = new.splitlines(keepends=True)
        text = b"".join(b"".join(lines[e.new_start : e.new_start + e.new_count]) for e in found)
        deed = done.deed if found else None
        return draft._replace(settings=tuple(settings), deed=deed, text=text)

    def _created(self, work: Writing, change: int, path: bytes, made: Made) -> NodeDraft:
        settings = [Setting(PLACE, path)]
        if made.mode:
            settings.append(Setting(MODE, made.mode))
        if made.kind != KIND_TEXT:
            held = made.data
            value = content_of(held, work.transaction) if made.kind == KIND_BINARY else held
            settings.append(Setting(CONTENT[made.kind], value))
            return NodeDraft(0, (0, 0), made.kind, tuple(settings))
        text = made.data
        if text and not text.endswith(b"\n"):
            settings.append(Setting(FINAL_LF, 0))
        text = ended(text)
        blocks = (Block(change << SHIFT, text.count(b"\n"), EDGE, EDGE),) if text else ()
        deed = Deed((), blocks)
        return NodeDraft(0, (0, 0), KIND_TEXT, tuple(settings), deed, text)
