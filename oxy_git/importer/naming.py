"""Git's refs as bookmarks, tags and what is kept for them (spec: GB20, GB21, GB44)."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgpack

from oxy.repo.refs import BOOKMARK, KEPT, REMOTE, TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Writing
from oxy_git.importer.refname import told_apart
from oxy_git.importer.refs import GitRef
from oxy_git.reader import extra

UNREACHED: Final = "its commit is not imported"
LOCAL: Final = "the bookmark has changes that Git does not know"
NO_NAME: Final = "no bookmark or tag can be called so"
TOO_LARGE: Final = "what it leads to, a {}, is too large to keep"


class Moved(NamedTuple):
    """How many names were moved, and which refs could not be followed and why."""

    moved: int
    skipped: tuple[tuple[bytes, str], ...]


def called_here(repository: Repository, refs: Sequence[GitRef]) -> list[GitRef]:
    """Return refs with names that no file system takes for those of others (S19, GB20)."""
    names: dict[int, dict[bytes, bytes]] = {}
    for kind in (BOOKMARK, TAG, REMOTE):
        wanted = [ref.name for ref in refs if ref.kind == kind and ref.name is not None]
        names[kind] = told_apart(wanted, repository.refs.names(kind))
    return [
        ref._replace(name=names[ref.kind].get(ref.name or b"")) if ref.kind in names else ref
        for ref in refs
    ]


def move_refs(
    work: Writing, refs: Sequence[GitRef], state: Callable[[bytes], Name | None]
) -> Moved:
    """Make bookmarks and tags hold the states of the commits that refs lead to."""
    count = 0
    skipped: list[tuple[bytes, str]] = []
    for ref in refs:
        target = _target(work.repository, ref, state)
        if isinstance(target, str):
            skipped.append((ref.full, target))
            continue
        name = Ref(ref.kind, ref.name or b"")
        before = work.repository.refs.get(name)
        if before == target:
            continue
        if before is not None and _has_own(work.repository, before, target):
            skipped.append((ref.full, LOCAL))
            continue
        work.move(name, target)
        count += 1
        if ref.kind != KEPT:
            # It led to no commit before.
            work.move(Ref(KEPT, ref.full), None)
        elif ref.full.startswith(b"refs/tags/"):
            work.move(Ref(TAG, ref.full.removeprefix(b"refs/tags/")), None)
    return Moved(count, tuple(skipped))


def _target(
    repository: Repository, ref: GitRef, state: Callable[[bytes], Name | None]
) -> Target | str:
    """Return what the name of a ref is to hold, or why it can hold nothing."""
    if ref.name is None:
        return NO_NAME
    if ref.things is None:
        return TOO_LARGE.format(ref.leads_to.decode("ascii", "replace"))
    fields = extra.tag_fields(ref.tags)
    if ref.commit is None:
        return Target(Name(), ((extra.KEPT, msgpack.packb(ref.things)), *fields))
    found = state(ref.commit)
    if found is None:
        return UNREACHED
    before = repository.refs.get(Ref(ref.kind, ref.name))
    if ref.kind == REMOTE:
        fields = ((extra.REF, ref.full),)
    elif ref.kind == BOOKMARK and before is not None:
        fields = before.extra or fields
    return Target(found, fields)


def _has_own(repository: Repository, before: Target, after: Target) -> bool:
    """Return whether a name would lose changes that came from elsewhere than Git."""
    states = repository.states
    lost = states.members(before.state) - states.members(after.state)
    return any(
        extra.COMMIT not in dict(header.extra) for _, header in repository.headers(sorted(lost))
    )
