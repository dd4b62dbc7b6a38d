"""Tags: listing, making and deleting (spec: states, S18, S19, S57). They are never moved."""

import os
from oxy.typed import NamedTuple

from oxy.actions.annotation import Annotation, pack, unpack
from oxy.actions.bookmarks import Held, NameTakenError, held
from oxy.actions.holding import newest_of
from oxy.errors import RequestError
from oxy.repo.refname import check
from oxy.repo.refs import TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing


class NoTagError(RequestError):
    """There is no tag of this name; `near` are those that look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"there is no tag '{os.fsdecode(name)}'")
        self.name = name
        self.near = near


class Tag(NamedTuple):
    """A tag with its annotation; its time is that of the annotation, else of what it holds."""

    held: Held
    annotation: Annotation | None
    microseconds: int


def tags(repository: Repository, pattern: bytes | None = None, sort: str = "name") -> list[Tag]:
    """Return the tags.

    Args:
        repository: whose.
        pattern: only those whose name it fits, with `*`, `?` and `[...]` as in a shell.
        sort: by `name`; by `time`, the oldest first; or by `version`: digits count as numbers.

    Cost: for each that has no annotation, the headers of its heads.
    """
    found = [_tag(repository, each) for each in held(repository, TAG) if _fits(each, pattern)]
    if sort == "time":
        found.sort(key=lambda tag: tag.microseconds)
    elif sort == "version":
        found.sort(key=lambda tag: _version(tag.held.name))
    return found


def create(
    repository: Repository,
    stamp: Stamp,
    name: bytes,
    state: Name,
    annotation: Annotation | None,
) -> None:
    """Make a tag for a state, with an annotation if there is one.

    Raises:
        RefNameError, NameFoldsError: it may not be called so.
        NameTakenError: there is one.
    """
    names = repository.refs.names(TAG)
    if name in names:
        what = "tag"
        raise NameTakenError(what, name)
    check(name, names)
    extra = () if annotation is None else pack(annotation)
    with writing(repository, stamp) as work:
        work.move(Ref(TAG, name), Target(state, extra))


def delete(repository: Repository, stamp: Stamp, name: bytes) -> None:
    """Delete a tag; its changes stay.

    Raises:
        NoTagError: there is none.
    """
    existing(repository, name)
    with writing(repository, stamp) as work:
        work.move(Ref(TAG, name), None)


def existing(repository: Repository, name: bytes) -> Tag:
    """Return the tag of a name.

    Raises:
        NoTagError: there is none.
    """
    for each in held(repository, TAG):
        if each.name == name:
            return _tag(repository, each)
    from difflib import get_close_matches

    known = map(os.fsdecode, repository.refs.names(TAG))
    raise NoTagError(name, tuple(get_close_matches(os.fsdecode(name), list(known))))


def _tag(repository: Repository, each: Held) -> Tag:
    annotation = unpack(each.extra)
    if annotation is not None and annotation.time is not None:
        return Tag(each, annotation, annotation.time.microseconds)
    target = repository.refs.get(Ref(TAG, each.name)) or Target(Name())
    newest = newest_of(repository, target.state)
    return Tag(each, annotation, newest.microseconds if newest else 0)


def _fits(each: Held, pattern: bytes | None) -> bool:
    from fnmatch import fnmatchcase

    return pattern is None or fnmatchcase(each.name, pattern)


def _version(name: bytes) -> list[tuple[int, int, bytes]]:
    """Return a key by which v1.9 comes before v1.10: runs of digits count as numbers."""
    from itertools import groupby

    groups = ((is_digit, bytes(run)) for is_digit, run in groupby(name, _is_digit))
    return [(0, int(run), b"") if is_digit else (1, 0, run) for is_digit, run in groups]


def _is_digit(byte: int) -> bool:
    return ord("0") <= byte <= ord("9")
