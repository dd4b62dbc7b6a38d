"""Tags and what is kept with refs, proven by their ids (spec: git-bridge, GB29, GB44)."""

from collections.abc import Callable, Iterator
from typing import Final

from oxy.repo.origin import git_commit
from oxy.repo.refs import KEPT, TAG, Target
from oxy.repo.repository import Repository
from oxy_git.reader import extra
from oxy_git.reader.objects import object_id
from oxy_git.reader.trees import SUBMODULE, entries_of, plain_mode
from oxy_git.verify.result import Mismatch

LEADS: Final = "the tag objects do not lead to what is kept"


def verify_tags(repository: Repository, report: Callable[[Mismatch], None]) -> int:
    """Prove that tag objects lead to the commits of their states; return how many there are.

    Cost: a hash of each, and the header of each commit that a tag is of.
    """
    count = 0
    for kind in (TAG, KEPT):
        for name, target in repository.refs.all(kind):
            raws = extra.tags_of(target.extra)
            things = extra.things_of(target.extra)
            count += len(raws) + len(things)
            goals = [object_id(b"tag", raw) for raw in raws]
            goals += _end(repository, target, things)
            if (
                raws
                and not all(_leads(raw, to) for raw, to in zip(raws, goals[1:], strict=False))
            ) or set(_named(things)) - {object_id(*thing) for thing in things}:
                report(Mismatch(goals[0], name, LEADS))
    return count


def _end(
    repository: Repository, target: Target, things: tuple[tuple[bytes, bytes], ...]
) -> list[bytes]:
    """Return the id of what tags lead to in the end, if it is known."""
    if things:
        return [object_id(*things[0])]
    heads = target.state.heads
    oid = git_commit(repository.header(heads[0])) if len(heads) == 1 else None
    # A tag of oxy's own may hold a state that no commit is.
    return [] if oid is None else [oid]


def _leads(raw: bytes, goal: bytes) -> bool:
    return raw.startswith(b"object " + goal.hex().encode() + b"\n")


def _named(things: tuple[tuple[bytes, bytes], ...]) -> Iterator[bytes]:
    """Yield the ids that kept trees name."""
    for kind, data in things:
        if kind == b"tree":
            yield from (e.oid for e in entries_of(data) if plain_mode(e.mode) != SUBMODULE)
