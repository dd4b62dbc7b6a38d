"""The names of a repository that a word may begin (spec: command-line, L38)."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from oxy.cli.completion.kinds import Kind
    from oxy.repo.repository import Repository

    # A word, and what it means.
    Candidate = tuple[str, str]

RECENT = 50
"""Changes that are offered while nothing is typed of their ids: the newest."""


def names_of(kind: Kind) -> Iterator[Candidate]:
    """Yield the names of one kind in the repository that the user stands in.

    Cost: a row for each name; for changes the headers of the newest.
    """
    from oxy.repo.repository import opened

    with opened(os.getcwdb()) as repository:
        yield from _of(repository, kind)


def _of(repository: Repository, kind: Kind) -> Iterator[Candidate]:
    from oxy.repo.refs import BOOKMARK, REMOTE, SHELF, TAG

    called = {"bookmarks": "bookmark", "tags": "tag", "shelves": "put aside"}
    held = {"bookmarks": BOOKMARK, "tags": TAG, "shelves": SHELF}
    if kind in held:
        for name in repository.refs.names(held[kind]):
            yield os.fsdecode(name), called[kind]
    elif kind == "remotes":
        from oxy.actions.remotes import remotes

        for each in remotes(repository):
            yield os.fsdecode(each.name), os.fsdecode(each.address)
    elif kind in {"states", "changes"}:
        yield from _of(repository, "bookmarks")
        yield from _of(repository, "tags")
        for name in repository.refs.names(REMOTE):
            yield os.fsdecode(name), "of another repository"
        yield from _changes(repository)


def _changes(repository: Repository) -> Iterator[Candidate]:
    from oxy.actions.log import log
    from oxy.actions.naming import resolve
    from oxy.actions.words import HERE_NAME
    from oxy.cli.escape import escape
    from oxy.model.change import subject
    from oxy.model.digest import short

    state = resolve(repository, HERE_NAME).state
    for entry in log(repository, state, RECENT):
        yield short(entry.id), escape(subject(entry.header.message))
