"""Take a step back that moved no other name, and do it again (spec: states, S80)."""

from collections.abc import Callable, Iterator
from oxy.typed import Final, TypeAlias

from oxy.actions.going import Went
from oxy.actions.mv import move_quietly
from oxy.actions.placing import alone
from oxy.actions.steps import MOVED, REMOVED, RESTORED, Step
from oxy.actions.ways import item_of
from oxy.repo.states import Name
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.worktree.carrying import Carrier
from oxy.worktree.checkout import Wanted, plan
from oxy.worktree.content import Content
from oxy.worktree.item import Item
from oxy.worktree.moves import read, write
from oxy.worktree.placing import carry_out
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.tracking import write as write_said
from oxy.worktree.travel import Local
from oxy.worktree.workcopy import WorkingCopy

_NOTHING: Final = Went(0, 0)
_SIGNS: Final = {b"+": True, b"-": False}

_At: TypeAlias = Callable[[bytes], Item | None]


def take_back(copy: WorkingCopy, step: Step) -> Went:
    """Make files, or what was said of them, what they were before a step.

    Edits made since go along where they can.

    Raises:
        WouldOverwriteError, TakenError, NoSuchPathError: files are not as it left them, and
            in the way; nothing was done.
        SwitchInterruptedError: the files are in between two states.
    """
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    if step.kind == MOVED:
        return _moved_back(copy, step)
    if step.kind == REMOVED:
        return _turned(copy, step, _nowhere, copy.content, _Held(copy, copy.base.state))
    if step.kind == RESTORED:
        there = {path for path, _, was_there in step.rows if was_there}
        before = _Held(copy, copy.base.state, there)
        return _turned(copy, step, _Held(copy, step.state), copy.content, before)
    return _said(copy, step, 0)


def do_again(copy: WorkingCopy, step: Step) -> Went:
    """Do a step again that was taken back; raises as `take_back`."""
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    if step.kind == MOVED:
        return _done(move_quietly(copy, [(old, new) for old, new, _ in step.rows]))
    if step.kind == REMOVED:
        return _turned(copy, step, _Held(copy, copy.base.state), copy.content, _nowhere)
    if step.kind == RESTORED:
        there = {path for path, _, was_there in step.rows if was_there}
        before, content = (
            _Held(copy, copy.base.state, there),
            Content(copy.repository, step.state),
        )
        return _turned(copy, step, before, content, _Held(copy, step.state))
    return _said(copy, step, 1)


def _nowhere(_path: bytes) -> Item | None:
    """Return that there is no file."""
    return None


class _Held:
    """What a state has at paths; where only some are asked for, nothing at the others."""

    __slots__ = ("_only", "_tree")

    def __init__(self, copy: WorkingCopy, state: Name, only: set[bytes] | None = None) -> None:
        self._tree = tree_of(copy.repository, state)
        self._only = only

    def __call__(self, path: bytes) -> Item | None:
        if self._only is not None and path not in self._only:
            return None
        return item_of(get(self._tree, path))


def _moved_back(copy: WorkingCopy, step: Step) -> Went:
    """Move files back; of what was moved by hand only the note goes."""
    pairs = [(new, old) for old, new, by_hand in reversed(step.rows) if not by_hand]
    went = _done(move_quietly(copy, pairs)) if pairs else _NOTHING
    olds = [old for old, _, by_hand in step.rows if by_hand]
    known = read(copy.control)
    left = [move for move in known if not any(_is_at(move.old, old) for old in olds)]
    if len(left) < len(known):
        write(copy.control, left)
    return went


def _is_at(path: bytes, above: bytes) -> bool:
    return path == above or path.startswith(above + b"/")


def _done(count: int) -> Went:
    return Went(count, count)


def _turned(copy: WorkingCopy, step: Step, held: _At, target: Content, goal: _At) -> Went:
    """Make files from what they are after a step to what they are to be."""
    base, other = copy.content, Content(copy.repository, step.state)
    source = other if step.kind == RESTORED and target is base else base
    wanted = [
        Wanted(path, ((held(path), source),), goal(path))
        for path in sorted(path for path, _, _ in step.rows)
    ]
    local = Local(Carrier(copy.repository, source, target))
    todo = plan(copy.fd, copy.manifest, wanted, target, local)
    with alone(copy):
        carry_out(copy.fd, todo, target, copy.progress)
    removed = sum(each.item is None and each.edit is None for each in todo.steps)
    return Went(len(todo.steps) - removed, removed)


def _said(copy: WorkingCopy, step: Step, which: int) -> Went:
    """Note of paths what was said of them before a step, or by it."""
    held = dict(copy.noted.said)
    for path, sign in _signs(step, which):
        held.pop(path, None)
        if sign in _SIGNS:
            held[path] = _SIGNS[sign]
    write_said(copy.control, held)
    copy.renoted()
    return _NOTHING


def _signs(step: Step, which: int) -> Iterator[tuple[bytes, bytes]]:
    for path, signs, _ in step.rows:
        yield path, signs[which : which + 1]
