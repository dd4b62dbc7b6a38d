"""Put patches on the working copy, as local edits or as changes (spec: L65, L66)."""

from collections.abc import Iterable, Sequence
from oxy.typed import NamedTuple

from blake3 import blake3

from oxy.actions.commit import Request, commit
from oxy.actions.identity import author_of
from oxy.actions.mailbox import Letter
from oxy.actions.patch import EXECUTABLE, SYMLINK
from oxy.actions.patching import File, Files, Off, Outcome, outcome_of
from oxy.actions.placing import alone, refuse_blocked
from oxy.actions.restoring import EditedError
from oxy.diff.reading import read
from oxy.errors import RequestError
from oxy.model.operation import KIND_SYMLINK
from oxy.repo.textual import kind_of
from oxy.store.protocol import CHANGE
from oxy.worktree import moves
from oxy.worktree.carrying import Carried
from oxy.worktree.checkout import Plan
from oxy.worktree.moves import Move, item_at, record_at
from oxy.worktree.placing import carry_out
from oxy.worktree.switching import refuse_interrupted
from oxy.worktree.travel import Step
from oxy.worktree.workcopy import WorkingCopy

Renames = Sequence[tuple[bytes, bytes]]
"""Old and new paths of the files that one patch renames."""


class NoPatchError(RequestError):
    """There is no patch in what was given."""

    def __init__(self) -> None:
        super().__init__("there is no patch in it")


class NoMailError(RequestError):
    """A patch says neither who made it nor why, so it cannot be recorded."""

    def __init__(self) -> None:
        super().__init__("the patch is no mail: it has no author and no message")


class Applied(NamedTuple):
    """What came of one patch: its files, hunks that were off, the id of what was recorded.

    `known` tells that the change that it was made of is there already: then nothing was done.
    """

    files: tuple[tuple[bytes, bool], ...]
    off: tuple[Off, ...] = ()
    id: bytes | None = None
    message: bytes = b""
    known: bool = False


class _Planned(NamedTuple):
    letter: Letter
    outcome: Outcome | None


def check(copy: WorkingCopy, found: Iterable[Letter], strip: int = 1) -> list[Applied]:
    """Return what patches would do; `strip` is as `oxy.diff.reading` has it.

    Raises:
        PatchError, NoPatchError: there is none, or it cannot be read.
        DoesNotApplyError: files are not as one needs them.
    """
    _, planned = _plan(copy, found, strip)
    return [_applied(each) for each in planned]


def apply(copy: WorkingCopy, found: Iterable[Letter], strip: int = 1) -> list[Applied]:
    """Make files what patches make of them, as local edits; nothing is done, or all of it.

    Cost: memory for the patches and the files that they touch.

    Raises:
        PatchError, NoPatchError, DoesNotApplyError: as `check`.
        WouldOverwriteError: something else is in the way.
        SwitchInterruptedError: the files are in between two states.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    files, planned = _plan(copy, found, strip)
    outcomes = [each.outcome for each in planned if each.outcome is not None]
    made = {path: file for outcome in outcomes for path, file in outcome.files.items()}
    renames = [outcome.renames for outcome in outcomes]
    _write(copy, made, renames, files.records)
    return [_applied(each) for each in planned]


def record(copy: WorkingCopy, found: Iterable[Letter], strip: int = 1) -> list[Applied]:
    """Record a change for each mail, by its author, at its time, with its message.

    That of an oxy change which the base state has is passed over. All are worked out before
    anything is done; if the machine fails, those that were recorded stay.

    Raises:
        NoMailError: a patch is no mail.
        AuthorError, NoMessageError: one cannot be recorded so.
        EditedError: files that would be touched have local edits.
        PatchError, NoPatchError, DoesNotApplyError, WouldOverwriteError: as `apply`.
    """
    copy.look()
    refuse_interrupted(copy.control, copy.here.state, copy.has_happened)
    there = copy.repository.states.members(copy.base.state)
    known = []
    for letter in (letters := list(found)):
        number = copy.repository.store.number_of(CHANGE, letter.change or b"")
        known.append(number is not None and number in there)
        if letter.author is None or not letter.message:
            raise NoMailError
        author_of(letter.author)
    files, planned = _plan(copy, letters, strip, known)
    made = {path for each in planned if each.outcome for path in each.outcome.files}
    edited = {change.path for change in copy.snapshot(sorted(made)).changes} if made else set()
    if edited:
        raise EditedError(sorted(edited))
    return [_recorded(copy, each, files) for each in planned]


def _plan(
    copy: WorkingCopy, found: Iterable[Letter], strip: int, known: Sequence[bool] = ()
) -> tuple[Files, list[_Planned]]:
    """Work everything out; a letter that is known has no outcome."""
    files = Files(copy)
    planned = []
    try:
        for at, letter in enumerate(found):
            if known and known[at]:
                planned.append(_Planned(letter, None))
                continue
            patches = read(letter.patch, letter.line, strip)
            if not patches:
                raise NoPatchError
            outcome = outcome_of(files, patches)
            files.put(outcome)
            planned.append(_Planned(letter, outcome))
    finally:
        files.close()
    if not planned:
        raise NoPatchError
    return files, planned


def _applied(planned: _Planned) -> Applied:
    letter, outcome = planned
    if outcome is None:
        return Applied((), known=True, message=letter.message)
    touched = ((path, file is not None) for path, file in sorted(outcome.files.items()))
    return Applied(tuple(touched), outcome.off, message=letter.message)


def _recorded(copy: WorkingCopy, planned: _Planned, files: Files) -> Applied:
    """Write what one patch makes, and record it."""
    letter, outcome = planned
    done = _applied(planned)
    if outcome is None:
        return done
    _write(copy, outcome.files, [outcome.renames], files.records)
    request = Request(
        tuple(sorted(outcome.files)), letter.author, letter.time, confirm=lambda _: True
    )
    made = commit(copy, request, lambda _: letter.message)
    return done._replace(id=made.id)


def _write(
    copy: WorkingCopy,
    made: dict[bytes, File | None],
    renames: Sequence[Renames],
    records: dict[bytes, bytes | None],
) -> None:
    """Make files what they are to be, and note which of them moved."""
    steps = [
        _step(copy, path, made[path], records.get(path))
        for path in sorted(made, key=lambda path: (made[path] is not None, path))
        if made[path] is not None or records.get(path) is not None
    ]
    refuse_blocked(copy, steps)
    with alone(copy):
        _note(copy, renames)
        carry_out(copy.fd, Plan(tuple(steps), (), ()), copy.content)
    for path in made:
        records[path] = record_at(copy, path)


def _step(copy: WorkingCopy, path: bytes, file: File | None, over: bytes | None) -> Step:
    if file is None:
        return Step(path, None, over)
    mode, data = file
    kind = KIND_SYMLINK if mode == SYMLINK else kind_of(data, len(data))
    edit = Carried(kind, int(mode == EXECUTABLE), blake3(data).digest(), data)
    return Step(path, item_at(copy, path), over, edit)


def _note(copy: WorkingCopy, renames: Sequence[Renames]) -> None:
    """Note that tracked files were moved, from where the base state has them."""
    if not any(renames):
        return
    held = moves.standing(copy)
    known = {move.old: move for move in moves.read(copy.control) if move.old in held}
    at = {move.new: move.old for move in known.values()}
    origin = copy.repository.nodes.origin
    for together in renames:
        # Those of one patch happen at once: two files may change names.
        sources = [(at.pop(old, old), new) for old, new in together]
        for source, new in sources:
            item = item_at(copy, source)
            if item is not None:
                known[source] = Move(origin(item.node)[0], source, new)
                at[new] = source
    moves.write(copy.control, known.values())
