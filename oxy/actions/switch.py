"""Go to another state, with the files (spec: command-line, switch)."""

from oxy.typed import NamedTuple

from oxy.actions.bookmarks import NameTakenError, others_on
from oxy.actions.clock import now
from oxy.actions.going import Went, go
from oxy.actions.identity import operator
from oxy.actions.naming import resolve
from oxy.repo.operations import Move
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy


class Switched(NamedTuple):
    """Where the working copy is now: the bookmark if any, the state's heads, and the files.

    `others` are the workspaces that are on that bookmark too.
    """

    bookmark: bytes | None
    heads: tuple[bytes, ...]
    went: Went
    others: tuple[bytes, ...] = ()


def switch(copy: WorkingCopy, called: bytes, create: bytes | None = None) -> Switched:
    """Go to the state that is called so; on a bookmark, what is recorded then moves it.

    Args:
        copy: the working copy.
        called: a bookmark, a tag, or any other name of a state.
        create: the name of a bookmark to make there, if any.

    Raises:
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        NameTakenError, RefNameError: the new bookmark cannot be called so.
        WouldOverwriteError: edits or untracked files are in the way; nothing was written.
    """
    repository = copy.repository
    named = resolve(repository, called)
    moves: list[Move] = []
    if create is not None:
        _require_new(repository, create)
        moves.append(Move(Ref(BOOKMARK, create), None, Target(named.state)))
        bookmark: bytes | None = create
    else:
        kind, name = named.ref or (None, None)
        bookmark = name if kind == BOOKMARK else None
    moves.append(Move(HERE, None, Target(named.state, (), bookmark)))
    words = called if create is None else b"-c " + create + b" " + called
    stamp = Stamp(*now(), operator(), b"switch " + (create or called))
    went = go(copy, stamp, moves, words)
    heads = tuple(sorted(repository.store.ids_of(CHANGE, named.state.heads)))
    others = () if bookmark is None else others_on(repository, bookmark)
    return Switched(bookmark, heads, went, others)


def _require_new(repository: Repository, name: bytes) -> None:
    names = repository.refs.names(BOOKMARK)
    if name in names:
        what = "bookmark"
        raise NameTakenError(what, name)
    check(name, iter(names))
