"""Store a change that pins subrepos, moves their pins or takes them out (spec: W51)."""

from collections.abc import Callable, Mapping

from oxy.actions.clock import now
from oxy.actions.recording import move_on, require_unmoved, state_after
from oxy.model.change import subject
from oxy.model.operation import KIND_SUBREPO, PIN, PLACE
from oxy.phase import phase
from oxy.repo.recording import Intent, NodeDraft, Setting
from oxy.repo.tree import get
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp, Writing, writing
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.workcopy import WorkingCopy


def record_pins(copy: WorkingCopy, pins: Mapping[bytes, bytes | None], intent: Intent) -> bytes:
    """Record what subrepos are pinned to from now on, and follow with all names.

    Args:
        copy: the working copy; `look` has been called before anything was worked out.
        pins: the pin of each path; None takes the subrepo out. Others of the state stay.
        intent: who, when and why.

    Returns:
        The id of the change.

    Raises:
        SwitchInterruptedError: the files are in between two states.
        MovedError: the bookmark holds another state than the working copy is of.
        OvertakenError: the working copy was moved meanwhile.
    """
    return _recorded(
        copy,
        intent,
        lambda work: [_draft(copy, work, path, pin) for path, pin in sorted(pins.items())],
    )


def record_place(copy: WorkingCopy, old: bytes, new: bytes, intent: Intent) -> bytes:
    """Record that a subrepo is at another path; as `record_pins`."""

    def drafts(work: Writing) -> list[NodeDraft]:
        entry = get(tree_of(work.repository, copy.base.state), old)
        return [] if entry is None else [_written(copy, work, entry.node, PLACE, new)]

    return _recorded(copy, intent, drafts)


def _recorded(
    copy: WorkingCopy, intent: Intent, drafts_of: Callable[[Writing], list[NodeDraft]]
) -> bytes:
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    repository, base = copy.repository, copy.base
    stamp = Stamp(*now(), intent.author, b"subrepo " + subject(intent.message)[:72])
    with phase("database"), writing(repository, stamp) as work:
        require_unmoved(work, base, on_bookmark=True)
        made = work.record(intent, base.state, drafts_of(work), work.next_change())
        after = state_after(work, base.state, made.number)
        moved_to = move_on(work, base, after)
    known = {}
    if copy.here.disputed:
        from oxy.actions.following import follow

        old, new = (tree_of(repository, state) for state in (base.state, after))
        known = follow(copy, old, after, new, {})
    copy.moved(moved_to, known, 0)
    return made.change.id


def _draft(copy: WorkingCopy, work: Writing, path: bytes, pin: bytes | None) -> NodeDraft:
    entry = get(tree_of(work.repository, copy.base.state), path)
    if entry is None:
        settings = (Setting(PLACE, path), Setting(PIN, pin))
        return NodeDraft(0, (0, 0), KIND_SUBREPO, settings)
    return _written(copy, work, entry.node, PLACE if pin is None else PIN, pin)


def _written(
    copy: WorkingCopy, work: Writing, node: int, register: int, value: bytes | None
) -> NodeDraft:
    """Return the draft that writes a register of a node, replacing what is live."""
    nodes = work.repository.nodes
    members = work.repository.states.members(copy.base.state)
    replaced = nodes.registers(node).live_writes(register, members)
    return NodeDraft(node, nodes.origin(node)[1:], None, (Setting(register, value, replaced),))
