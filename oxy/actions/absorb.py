"""Take each edit of the files into the change that its lines are from (spec: S12).

The edits for one change are recorded together on the state of the files, and folded into it.
"""

from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.actions.amend import recorded
from oxy.actions.rewriting import Outcome, Request, carry_out
from oxy.actions.status import examined
from oxy.diff.lines import edits
from oxy.graph.reading import Reading
from oxy.graph.record import record
from oxy.graph.weave import SHIFT
from oxy.model.operation import KIND_TEXT
from oxy.repo.insertions import Inserted
from oxy.repo.recording import NodeDraft, content_of
from oxy.repo.repository import Repository
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.textual import with_final_lf
from oxy.repo.writing import Writing
from oxy.store.protocol import CHANGE
from oxy.worktree.loading import Loaded, load
from oxy.worktree.reader import TreeReader
from oxy.worktree.snapshot import MODIFIED, Changed
from oxy.worktree.workcopy import WorkingCopy

Edit = tuple[int, int, int, int]


class Piece(NamedTuple):
    """An edit of a file: where it is there now, from line 1 and how many; and its change.

    `change` is None where it stays, and `why` says why.
    """

    path: bytes
    line: int
    lines: int
    change: bytes | None
    message: bytes
    why: str


class Absorbed(NamedTuple):
    """What came of it, None where nothing could be taken; every edit; other changed paths."""

    outcome: Outcome | None
    pieces: tuple[Piece, ...]
    others: tuple[bytes, ...]


class _Text(NamedTuple):
    """A text that was edited: its node, what it read, what it holds, and each edit's change.

    `is_more` tells that its mode or its final LF differ too, which no edit takes along.
    """

    change: Changed
    node: int
    reading: Reading
    new: bytes
    digest: bytes
    edits: tuple[tuple[Edit, int | None], ...]
    is_more: bool


def absorb(
    copy: WorkingCopy, paths: Sequence[bytes] = (), *, is_trial: bool = False
) -> Absorbed:
    """Record changes anew with the edits of the lines that they last touched.

    An edit goes into the newest change of the lines that it drops, where that knows the others;
    lines that come between two of one change go into that one. All else stays as it is.

    Cost: the texts that were edited.

    Raises:
        NoSuchPathError: a path that was named is nowhere.
        ChangedError: a file was written meanwhile; nothing is recorded.
        LostPlaceError: what a change did to a file cannot be said any more.
    """
    copy.look()
    clock = copy.clock()
    snapshot = examined(copy, paths)
    texts = _texts(copy, snapshot.changes)
    seen = {text.change.path for text in texts}
    others = tuple(c.path for c in snapshot.changes if c.path not in seen)
    pieces = tuple(_pieces(copy.repository, texts))
    targets = sorted({t for text in texts for _, t in text.edits if t is not None})
    if not targets:
        return Absorbed(None, pieces, others)

    def make(work: Writing) -> Plan:
        steps = []
        for target in targets:
            drafts = _drafts(copy, work, texts, target)
            own = recorded(work, target, copy.base.state, drafts)
            steps.append(Step((target, own), target, silent=frozenset({own})))
        return Plan(copy.base.state, tuple(steps))

    taken = {text.change.path: _known(text) for text in texts if any(t for _, t in text.edits)}
    outcome = carry_out(copy, Request(b"absorb", is_trial, clock, taken), make)
    return Absorbed(outcome, pieces, others)


def _known(text: _Text) -> tuple[bytes, bytes] | None:
    """Return digest and record of a file that is wholly in the new state, else None."""
    is_whole = not text.is_more and all(target is not None for _, target in text.edits)
    record = text.change.record
    return (text.digest, record) if is_whole and record is not None else None


def _texts(copy: WorkingCopy, changes: Sequence[Changed]) -> list[_Text]:
    """Return the texts whose lines were edited, and that are in no conflict."""
    found = []
    reader = TreeReader(copy.fd)
    nodes = copy.repository.nodes
    try:
        for change in changes:
            item = change.item
            if change.kind != MODIFIED or item is None or change.record is None:
                continue
            loaded = load(reader, change.path, change.record)
            if {item.kind, loaded.kind} != {KIND_TEXT} or loaded.data is None:
                continue
            reading = nodes.reading(item.node, copy.content.state)
            if not reading.is_clean:
                continue
            new = with_final_lf(loaded.data)
            old = nodes.text(item.node, reading.spans())
            told = tuple((e, _target(copy, reading, e)) for e in edits(old, new))
            is_more = loaded.mode != item.mode or _is_ended_otherwise(copy, item.node, loaded)
            found.append(_Text(change, item.node, reading, new, loaded.digest, told, is_more))
    finally:
        reader.close()
    return found


def _is_ended_otherwise(copy: WorkingCopy, node: int, loaded: Loaded) -> bool:
    """Return whether a text that has lines and its state differ in the final LF."""
    final_lf = copy.repository.nodes.view(node, copy.content.state).final_lf
    data = loaded.data or b""
    return bool(data) and data.endswith(b"\n") != bool(final_lf)


def _target(copy: WorkingCopy, reading: Reading, edit: Edit) -> int | None:
    """Return the change that an edit goes into, if there is one."""
    first, dropped, _, _ = edit
    if dropped:
        spans = reading.between(first, first + dropped)
        named = {span.start >> SHIFT for span in spans}
        newest = max(named)
        is_fit = BitMap(named) <= copy.repository.states.of_change(newest)
        return newest if is_fit else None
    beside = [n for n in (first - 1, first) if 0 <= n < reading.total]
    named = {reading.line(n) >> SHIFT for n in beside}
    return named.pop() if len(named) == 1 else None


def _pieces(repository: Repository, texts: Sequence[_Text]) -> Iterator[Piece]:
    why = "its lines are from several changes, none of which knows the others"
    for text in texts:
        for (_, dropped, new, inserted), target in text.edits:
            where = text.change.path, new + 1, inserted
            if target is not None:
                name = repository.store.id_of(CHANGE, target)
                yield Piece(*where, name, repository.header(target).message, "")
            else:
                new_lines = "its lines are new between those of different changes"
                yield Piece(*where, None, b"", why if dropped else new_lines)


def _drafts(
    copy: WorkingCopy, work: Writing, texts: Sequence[_Text], target: int
) -> list[NodeDraft]:
    """Return the edits that go into one change."""
    nodes, number = copy.repository.nodes, work.next_change()
    drafts = []
    for text in texts:
        own = [edit for edit, goes in text.edits if goes == target]
        if not own:
            continue
        graph, state = nodes.graph(text.node), copy.content.state
        done = record(graph, state, text.reading, own, number)
        lines = Inserted(text.new, [])
        inserted = b"".join(
            lines.lines(source.new, source.size) if source.new is not None else b""
            for source in done.sources
        )
        _, creator, position = nodes.origin(text.node)
        content = content_of(inserted, work.transaction)
        drafts.append(NodeDraft(text.node, (creator, position), None, (), done.deed, content))
    return drafts
