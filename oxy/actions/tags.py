"""Tags: making and deleting (spec: states, S18, S19). They are never moved."""

import os
from oxy.typed import Final

from oxy.actions.bookmarks import NameTakenError
from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing

MESSAGE: Final = b"oxy:message"
"""The field that holds the annotation of a tag."""


class NoTagError(RequestError):
    """There is no tag of this name; `near` are those that look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no tag '{os.fsdecode(name)}'")
        self.name = name
        self.near = near


def create(
    repository: Repository, stamp: Stamp, name: bytes, state: Name, message: bytes | None
) -> None:
    """Make a tag for a state, with an annotation if there is a message.

    Raises:
        RefNameError, NameFoldsError: it may not be called so.
        NameTakenError: there is one.
    """
    names = repository.refs.names(TAG)
    if name in names:
        what = "tag"
        raise NameTakenError(what, name)
    check(name, names)
    extra = () if message is None else ((MESSAGE, message),)
    with writing(repository, stamp) as work:
        work.move(Ref(TAG, name), Target(state, extra))


def delete(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Delete a tag; its changes stay.

    Raises:
        NoTagError: there is none.
    """
    names = repository.refs.names(TAG)
    if name not in names:
        from difflib import get_close_matches

        known = map(os.fsdecode, names)
        raise NoTagError(name, tuple(get_close_matches(os.fsdecode(name), list(known))))
    with writing(repository, stamp) as work:
        work.move(Ref(TAG, name), None)
