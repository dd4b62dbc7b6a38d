"""Where a repository is (spec: store; states, S70). Loads nothing: all commands ask this.

A workspace is a directory with a `.oxy` of its own, in which a file says where the store is:

    oxy workspace 1 LF name LF path of the store's `.oxy` LF
"""

import os
from oxy.typed import Final, NamedTuple

from oxy.errors import StateError

CONTROL: Final = b".oxy"

POINTER: Final = b"store"
"""The file in the `.oxy` of a workspace that leads to the store."""

_FORMAT: Final = b"oxy workspace 1\n"
_LONGEST: Final = 8192


class NoRepositoryError(StateError):
    """There is no repository here or above."""

    def __init__(self, start: bytes) -> None:
        super().__init__(f"no repository at or above {os.fsdecode(os.path.abspath(start))}")
        self.start = start


class PointerError(StateError):
    """The file that leads from a workspace to its store says nothing that can be followed."""

    def __init__(self, file: bytes, why: str) -> None:
        super().__init__(f"{os.fsdecode(file)}: {why}")
        self.file = file


class Home(NamedTuple):
    """The `.oxy` of a store, and what the workspace is called; empty beside the store."""

    control: bytes
    workspace: bytes = b""


def find(start: bytes) -> bytes:
    """Return the directory at or above start that holds a repository or is a workspace.

    Raises:
        NoRepositoryError: there is none.
    """
    at = os.path.abspath(start)
    while not os.path.isdir(os.path.join(at, CONTROL)):
        above = os.path.dirname(at)
        if above == at:
            raise NoRepositoryError(start)
        at = above
    return at


def find_own(start: bytes) -> bytes:
    """Return what `find` returns, as what is to be worked in (spec: threat-model, T14).

    Cost: one stat more.

    Raises:
        NoRepositoryError: there is none.
        ForeignOwnerError: it belongs to another user, who is not trusted.
    """
    root = find(start)
    owner = os.stat(os.path.join(root, CONTROL)).st_uid
    if owner != os.geteuid():
        from oxy.repo.owner import refuse_foreign

        refuse_foreign(root, owner)
    return root


def home(root: bytes) -> Home:
    """Return where the store of a directory is that `find` found.

    Cost: one look for a file.

    Raises:
        PointerError: it is a workspace whose store is not where it was.
    """
    control = os.path.join(root, CONTROL)
    pointed = pointer(control)
    if pointed is None:
        return Home(control)
    file = os.path.join(control, POINTER)
    if os.path.lexists(os.path.join(pointed.control, POINTER)):
        raise PointerError(file, "it leads to another workspace, not to a store")
    if not os.path.isdir(pointed.control):
        where = os.fsdecode(pointed.control)
        raise PointerError(file, f"the store of this workspace is not at {where}")
    return pointed


def pointer(control: bytes) -> Home | None:
    """Return where the `.oxy` of a workspace leads, or None if it is that of a store.

    Raises:
        PointerError: what it says has not the form.
    """
    file = os.path.join(control, POINTER)
    try:
        with open(file, "rb") as opened:
            text = opened.read(_LONGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    name, _, path = text.removeprefix(_FORMAT).partition(b"\n")
    is_whole = text.startswith(_FORMAT) and path.endswith(b"\n") and len(text) <= _LONGEST
    if not is_whole or not name or not os.path.isabs(path) or b"\0" in path:
        raise PointerError(file, "it does not say where the store of this workspace is")
    return Home(path[:-1], name)


def store_of(control: bytes) -> bytes:
    """Return the `.oxy` of the store for that of a working copy, whether or not it is there."""
    pointed = pointer(control)
    return control if pointed is None else pointed.control


def pointing(to: Home) -> bytes:
    """Return what the file of a workspace says."""
    return _FORMAT + to.workspace + b"\n" + to.control + b"\n"
