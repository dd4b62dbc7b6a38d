"""Bring files along that a commit changes beyond what it records (spec: working-copy, W20).

Where the state is in conflict, one file decides how others are shown: what resolves a name lets
another file have it, and what begins a line like a marker makes markers longer. Loaded only
there.
"""

from collections.abc import Iterator

from oxy.errors import OxyError
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.states import Name
from oxy.repo.tree import DISPUTED_TEXT, Directory, Entry, differing
from oxy.worktree.carrying import Carrier
from oxy.worktree.checkout import Wanted, plan
from oxy.worktree.conflicted import marked_in
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.marked import Marked
from oxy.worktree.placing import carry_out
from oxy.worktree.row import UNKNOWN
from oxy.worktree.travel import Local
from oxy.worktree.workcopy import WorkingCopy

Known = dict[bytes, tuple[Item, bytes] | None]


def follow(
    copy: WorkingCopy, before: Directory, name: Name, after: Directory, known: Known
) -> Known:
    """Write the files that are not as the new state has them; return what is on disk then.

    Args:
        copy: the working copy, not yet moved to the new state.
        before: the tree of its base state.
        name: the new state.
        after: its tree.
        known: what is on disk at the paths that were recorded.

    Cost: the directories that differ; the texts among them that are in conflict.

    A file that somebody else edits at once is left as it is, and shows as changed.
    """
    target = Content(copy.repository, name)
    wanted = list(_wanted(copy, before, after, target, known))
    if not wanted:
        return known
    local = Local(Carrier(copy.repository, copy.content, target))
    try:
        todo = plan(copy.fd, copy.manifest, wanted, target, local)
        written = carry_out(copy.fd, todo, target)
    except OxyError:
        # The change is recorded already, so what is not as it should be is told by status.
        written = {w.path: None if w.item is None else (w.item, UNKNOWN) for w in wanted}
    return known | written


def named_otherwise(
    copy: WorkingCopy, before: Directory, name: Name, after: Directory
) -> Iterator[bytes]:
    """Yield the texts whose conflicts differ in the names and the order of sides alone.

    The arguments are those of `follow`. Cost: the texts that are in conflict in both states.
    """
    repository = copy.repository
    state = repository.states.members(name)
    for path, old, new in differing(before, after):
        if old is None or new is None or not old.disputed & new.disputed & DISPUTED_TEXT:
            continue
        one = marked_in(repository, old.node, copy.content.state)
        other = marked_in(repository, new.node, state)
        if old.mode == new.mode and _nameless(one) == _nameless(other):
            yield path


def _nameless(text: Marked) -> tuple[tuple[bytes, ...], list[tuple[list[bytes], bytes]]]:
    """Return what a text in pieces holds, but for who says what."""
    shown = [block.shown for block in text.blocks]
    return text.plain, [(sorted(side.text for side in of.sides), of.base) for of in shown]


def _wanted(
    copy: WorkingCopy, before: Directory, after: Directory, target: Content, known: Known
) -> Iterator[Wanted]:
    for path, old, new in differing(before, after):
        item = _item(new)
        if path not in known:
            yield Wanted(path, ((_item(old), copy.content),), item)
            continue
        there = known[path]
        held = there[0] if there is not None else None
        if not _is_same(held, item, new, target):
            yield Wanted(path, ((held, target),), item)


def _is_same(
    held: Item | None, item: Item | None, entry: Entry | None, target: Content
) -> bool:
    if held is None or item is None or entry is None:
        return held is item
    if held[:3] != item[:3]:
        return False
    return not entry.disputed & DISPUTED_TEXT or target.digest(item) == held.digest


def _item(entry: Entry | None) -> Item | None:
    if entry is None or entry.kind == KIND_SUBREPO:
        return None
    return Item(entry.node, entry.kind, entry.mode, UNHASHED)
