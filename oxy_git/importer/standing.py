"""Where a fresh repository stands after an import (spec: git-bridge, GB20)."""

from collections.abc import Callable
from typing import Final

from oxy.repo.refs import BOOKMARK, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy_git.importer.refs import Head

_NOTHING: Final = Name()


def standing(
    repository: Repository,
    head: Head,
    state: Callable[[bytes], Name | None],
    last: Name | None,
) -> Target:
    """Return what a working copy that was nowhere is to be made from.

    That is the bookmark of HEAD. Where HEAD is detached, or its commit is beyond the limit, it
    is a commit without a bookmark: that of HEAD, else the last one imported. Where HEAD names a
    branch that does not exist, it is the first bookmark.
    """
    bookmarks = dict(repository.refs.all(BOOKMARK))
    held = {name: target for name, target in bookmarks.items() if target.state != _NOTHING}
    if head.bookmark in held:
        return Target(held[head.bookmark].state, (), head.bookmark)
    if head.commit is not None:
        found = state(head.commit) if head.bookmark is None else None
        return Target(found or last or _NOTHING)
    if held:
        name = min(held)
        return Target(held[name].state, (), name)
    return Target(_NOTHING, (), head.bookmark)
