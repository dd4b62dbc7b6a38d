"""Bring what is whole out of a damaged repository into a new one (spec: store, ST38)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.clone import NotEmptyError, remove_made
from oxy.actions.identity import operator
from oxy.actions.switch import switch
from oxy.actions.whole import Whole
from oxy.actions.wholefiles import NotListedError, bring_files
from oxy.actions.wholenames import Names
from oxy.errors import CorruptionError
from oxy.progress import Progress
from oxy.repo.check.finding import CHANGE as CHANGE_AREA
from oxy.repo.check.finding import FILE, NAME, SEGMENT, Finding
from oxy.repo.operations import Spelled
from oxy.repo.place import CONTROL, find_own, home
from oxy.repo.refs import BOOKMARK, Ref
from oxy.repo.repository import Repository
from oxy.repo.survey import Survey, indexed, surveyed
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import working_copy

_SCRATCH = b"survey"


class Salvaged(NamedTuple):
    """Where it is, what came whole, files that were recorded anew, and all that did not."""

    root: bytes
    changes: int
    names: int
    files: int
    lost: tuple[Finding, ...]


def salvage(start: bytes, directory: bytes, progress: Progress) -> Salvaged:
    """Make a new repository of all that is whole in the one at or above a directory.

    Changes come that are whole with all that they need, and names that hold these. A bookmark
    that lost some holds what it held last that is whole, and one change on it with the files
    that can still be read. The damaged repository is not written to.

    Args:
        start: where the damaged repository is.
        directory: where to; it is missing or empty.
        progress: told of each change.

    Cost: reads everything twice, and an index beside the new one while it lasts.

    Raises:
        NotEmptyError: the directory holds something.
        NoRepositoryError, ForeignOwnerError: there is none to salvage.
        SegmentsMissingError: it holds nothing.
    """
    control = home(find_own(start)).control
    root = os.path.abspath(directory)
    was_there = os.path.lexists(root)
    if was_there and (not os.path.isdir(root) or os.listdir(root)):
        raise NotEmptyError(root)
    os.makedirs(root, exist_ok=True)
    try:
        return _salvaged(control, root, progress)
    except BaseException:
        remove_made(root, was_there=was_there)
        raise


def _salvaged(control: bytes, root: bytes, progress: Progress) -> Salvaged:
    Repository.create(root).close()
    scratch = os.path.join(root, CONTROL, _SCRATCH)
    os.mkdir(scratch)
    index = indexed(control)
    try:
        with surveyed(control, scratch) as survey:
            return _brought(root, survey, index, progress)
    finally:
        if index is not None:
            index.store.close()
        remove_made(scratch, was_there=False)


def _brought(
    root: bytes, survey: Survey, index: Repository | None, progress: Progress
) -> Salvaged:
    lost = [
        Finding(SEGMENT, f"segment {segment} at offset {offset} is damaged: {what}")
        for segment, offset, what in survey.damaged
    ]
    stamp = Stamp(*now(), operator(), b"fsck --salvage")
    target = Repository.at(root)
    try:
        whole = Whole(survey.repository, target)
        whole.bring(stamp, progress)
        lost += _lost_changes(whole, index)
        names = Names(target)
        lost += [Finding(NAME, what) for what in names.learn(survey.repository)]
        if index is not None:
            names.learn_index(index)
        broken = names.broken()
        count = names.give(stamp, with_rest=bool(broken or survey.damaged))
    finally:
        target.close()
    sources = [each for each in (index, survey.repository) if each is not None]
    files = 0
    for ref, last in sorted(broken.items()):
        rendered, findings = _broken_name(root, ref, last, sources)
        files += rendered
        lost += findings
    _settle_down(root, names.current)
    return Salvaged(root, len(whole.sound), count, files, tuple(lost))


def _lost_changes(whole: Whole, index: Repository | None) -> Iterator[Finding]:
    for name, why in whole.lost.items():
        yield Finding(CHANGE_AREA, f"change {name.hex()} {why}", name)
    if index is None:
        return
    try:
        gone = set(index.store.all_gone(CHANGE))
        held = [n for n in range(1, index.store.count(CHANGE) + 1) if n not in gone]
        for name in index.store.ids_of(CHANGE, held):
            if name not in whole.lost and name not in whole.sound:
                what = f"change {name.hex()} is in no segment, or not whole"
                yield Finding(CHANGE_AREA, what, name)
    except CorruptionError as error:
        yield Finding(SEGMENT, f"the old index does not tell all that is lost: {error}")


def _broken_name(
    root: bytes, ref: Ref, last: Spelled, sources: Sequence[Repository]
) -> tuple[int, list[Finding]]:
    """Bring the files of a bookmark that lost changes; say what is lost of a name."""
    called = os.fsdecode(ref.name)
    if ref.kind != BOOKMARK:
        return 0, [Finding(NAME, f"what '{called}' held is lost, or not whole")]
    found = [Finding(NAME, f"bookmark '{called}' lost changes; what is whole of it came")]
    try:
        rendered = bring_files(root, ref.name, last, sources)
    except NotListedError as error:
        found.append(Finding(NAME, f"the files of '{called}' cannot be listed: {error}"))
        return 0, found
    found += [
        Finding(FILE, f"a file of '{called}' cannot be read: {why}", None, path)
        for path, why in rendered.lost
    ]
    return rendered.files, found


def _settle_down(root: bytes, current: bytes | None) -> None:
    """Go to the bookmark that the damaged working copy was on, or to the first."""
    with working_copy(root) as copy:
        names = copy.repository.refs.names(BOOKMARK)
        wanted = [current, *names]
        goal = next((name for name in wanted if name in names), None)
        if goal is not None:
            switch(copy, goal)
