"""Bookmarks and tags: what there are, and what holds a change (spec: states, S17, S18)."""

from collections import defaultdict

from oxy.repo.refs import BOOKMARK, TAG
from oxy.repo.repository import Repository


def holders(repository: Repository) -> dict[int, list[bytes]]:
    """Return, for each change whose state has names, these: bookmarks, then tags.

    Cost: reads the names.
    """
    found: dict[int, list[bytes]] = defaultdict(list)
    for kind in (BOOKMARK, TAG):
        for name, target in repository.refs.all(kind):
            if len(target.state.heads) == 1 and not target.state.absent:
                found[target.state.heads[0]].append(name)
    return found
