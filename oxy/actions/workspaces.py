"""Workspaces: several working copies of one store (spec: states, S70 to S75)."""

import os
from collections.abc import Iterator
from contextlib import suppress
from oxy.typed import Final, NamedTuple

from oxy.actions.bookmarks import NameTakenError
from oxy.actions.clone import NotEmptyError
from oxy.actions.going import Went, go
from oxy.errors import RequestError
from oxy.repo import durable
from oxy.repo.operations import Move
from oxy.repo.place import CONTROL, POINTER, Home, PointerError, find, home, pointer, pointing
from oxy.repo.refname import check
from oxy.repo.refs import (
    BOOKMARK,
    FIRST,
    HERE,
    OWN,
    WORKING,
    WORKSPACE,
    WORKSPACE_PATH,
    Ref,
    Target,
)
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.worktree.workcopy import UnknownWorkspaceError, working_copy

_IGNORE: Final = b".gitignore"


class NoWorkspaceError(RequestError):
    """The store has no workspace of this name; `near` are those that look like it."""

    def __init__(self, name: bytes, near: tuple[str, ...]) -> None:
        super().__init__(f"no workspace is called '{os.fsdecode(name)}'")
        self.name = name
        self.near = near


class CurrentWorkspaceError(RequestError):
    """A workspace cannot be removed from within, and the first one not at all."""

    def __init__(self, name: bytes) -> None:
        what = "the working copy beside the store" if name == FIRST else "the one you are in"
        super().__init__(f"'{os.fsdecode(name)}' is {what}, and stays")
        self.name = name


class InsideControlError(RequestError):
    """What is in a `.oxy` is the store's, and no place for files."""

    def __init__(self, root: bytes) -> None:
        super().__init__(f"{os.fsdecode(root)} is inside a .oxy, where nothing else goes")
        self.root = root


class NotAWorkspaceError(RequestError):
    """A directory that has its own store has nothing to be attached to."""

    def __init__(self, root: bytes) -> None:
        super().__init__(f"{os.fsdecode(root)} is no workspace of another store")
        self.root = root


class SomewhereElseError(RequestError):
    """A workspace is in another directory, and still there."""

    def __init__(self, name: bytes, path: bytes) -> None:
        super().__init__(f"the workspace '{os.fsdecode(name)}' is at {os.fsdecode(path)}")
        self.name = name
        self.path = path


class Workspace(NamedTuple):
    """A working copy: its name, directory, and what it was made from.

    The one beside the store is called FIRST. `is_there` tells whether its directory still is
    one of this store.
    """

    name: bytes
    path: bytes
    target: Target
    is_current: bool
    is_there: bool


class Wish(NamedTuple):
    """A workspace that is to be made: where, its name, its state, and the bookmark it is on.

    With `creates` the bookmark is made.
    """

    directory: bytes
    name: bytes | None
    state: Name
    bookmark: bytes | None
    creates: bool


def workspaces(repository: Repository) -> Iterator[Workspace]:
    """Yield the working copies of a store, the one beside it first, then by name."""
    paths = [(FIRST, os.path.dirname(repository.control))]
    for name, target in repository.refs.all(WORKSPACE):
        paths.append((name, _path(target)))
    own = repository.workspace or FIRST
    for name, path in paths:
        ref = HERE if name == own else Ref(WORKING, b"" if name == FIRST else name)
        if name == FIRST and name != own:
            ref = Ref(WORKING, FIRST)
        target = repository.refs.get(ref) or Target(Name())
        is_there = name == FIRST or _points(path, Home(repository.control, name))
        yield Workspace(name, path, target, name == own, is_there)


def add(repository: Repository, stamp: Stamp, wish: Wish) -> tuple[Workspace, Went]:
    """Make another working copy of the store.

    A crash leaves it unmade, or made and of the empty state, from which a switch leads on.

    Raises:
        NotEmptyError: something is in the directory.
        InsideControlError: the directory is in the store.
        NameTakenError, RefNameError, NameFoldsError: it, or the bookmark, may not be called so.
        ChangedError, InTheWayError, UnwritableError: see `go`.
    """
    root = os.path.realpath(wish.directory)
    if CONTROL in root.split(b"/"):
        raise InsideControlError(root)
    name = os.path.basename(root) if wish.name is None else wish.name
    _require_new(repository, WORKSPACE, "workspace", name)
    if wish.creates and wish.bookmark is not None:
        _require_new(repository, BOOKMARK, "bookmark", wish.bookmark)
    place = Home(repository.control, name)
    _require_empty(root, place)
    with writing(repository, stamp) as work:
        _point(root, place)
        work.move(Ref(WORKSPACE, name), Target(Name(), ((WORKSPACE_PATH, root),)))
        work.move(Ref(WORKING, name), Target(Name()))
    after = Target(wish.state, (), wish.bookmark)
    moves = [Move(HERE, None, after)]
    if wish.creates and wish.bookmark is not None:
        moves.append(Move(Ref(BOOKMARK, wish.bookmark), None, Target(wish.state)))
    with working_copy(root) as copy:
        went = go(copy, stamp, moves, wish.bookmark or b"@")
    return Workspace(name, root, after, is_current=False, is_there=True), went


def remove(repository: Repository, stamp: Stamp, name: bytes) -> bytes:
    """Forget a workspace. Its files stay, but for its `.oxy`, if its directory is there.

    Returns:
        Its directory.

    Raises:
        NoWorkspaceError: there is none.
        CurrentWorkspaceError: it is the one that this is called from, or the first.
    """
    if name in (FIRST, repository.workspace):
        raise CurrentWorkspaceError(name)
    target = repository.refs.get(Ref(WORKSPACE, name))
    if target is None:
        from difflib import get_close_matches

        known = map(os.fsdecode, repository.refs.names(WORKSPACE))
        raise NoWorkspaceError(name, tuple(get_close_matches(os.fsdecode(name), list(known))))
    with writing(repository, stamp) as work:
        work.move(Ref(WORKSPACE, name), None)
        for kind in OWN:
            work.move(Ref(kind, name), None)
    path = _path(target)
    if _points(path, Home(repository.control, name)):
        from shutil import rmtree

        rmtree(os.path.join(path, CONTROL))
    return path


def attach(start: bytes, stamp: Stamp, given: bytes | None) -> Workspace:
    """Join a workspace to its store again where either was moved.

    Args:
        start: a directory in the workspace.
        stamp: when and by which command.
        given: the directory of the store; else it is where it was.

    Raises:
        NotAWorkspaceError: it has its own store.
        UnknownWorkspaceError: the store does not know it.
        SomewhereElseError: the workspace of this name still is in another directory.
    """
    root = find(start)
    pointed = pointer(os.path.join(root, CONTROL))
    if pointed is None:
        raise NotAWorkspaceError(root)
    store = home(root if given is None else find(given)).control
    place = Home(store, pointed.workspace)
    repository = Repository.at(os.path.dirname(store))
    try:
        ref = Ref(WORKSPACE, place.workspace)
        held = repository.refs.get(ref)
        if held is None:
            raise UnknownWorkspaceError(place.workspace, store)
        path = os.path.realpath(root)
        if _path(held) != path and _points(_path(held), place):
            raise SomewhereElseError(place.workspace, _path(held))
        with writing(repository, stamp) as work:
            _point(root, place)
            work.move(ref, Target(Name(), ((WORKSPACE_PATH, path),)))
        target = repository.refs.get(Ref(WORKING, place.workspace)) or Target(Name())
    finally:
        repository.close()
    return Workspace(place.workspace, path, target, is_current=True, is_there=True)


def _require_new(repository: Repository, kind: int, what: str, name: bytes) -> None:
    names = repository.refs.names(kind)
    if name in names:
        raise NameTakenError(what, name)
    check(name, names)


def _require_empty(root: bytes, place: Home) -> None:
    """Refuse a directory that holds more than what an `add` that was killed left there."""
    with suppress(FileNotFoundError):
        if os.path.isdir(root):
            held = os.listdir(root)
            if not held or (held == [CONTROL] and _may_point(root, place)):
                return
        if os.path.lexists(root):
            raise NotEmptyError(root)


def _path(target: Target) -> bytes:
    return dict(target.extra).get(WORKSPACE_PATH, b"")


def _may_point(root: bytes, place: Home) -> bool:
    """Tell whether a `.oxy` leads to this place, or does not lead anywhere yet."""
    names = set(os.listdir(os.path.join(root, CONTROL)))
    is_begun = all(name.startswith((POINTER + b".", _IGNORE)) for name in names)
    return is_begun or (POINTER in names and _points(root, place))


def _points(root: bytes, place: Home) -> bool:
    """Tell whether a directory is the workspace that leads to this place."""
    try:
        return pointer(os.path.join(root, CONTROL)) == place
    except (PointerError, OSError):
        return False


def _point(root: bytes, place: Home) -> None:
    """Make a directory lead to a store; the file is renamed into its place."""
    control = os.path.join(root, CONTROL)
    durable.make_directories(control)
    file = os.path.join(control, POINTER)
    for path, text in ((os.path.join(control, _IGNORE), b"*\n"), (file, pointing(place))):
        durable.put(path, text)
