"""Go to another state, with the files (spec: command-line, switch)."""

from oxy.typed import NamedTuple

from oxy.actions.bookmarks import NameTakenError, others_on
from oxy.actions.clock import now
from oxy.actions.going import Went, go
from oxy.actions.identity import operator
from oxy.actions.naming import resolve
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.operations import Move
from oxy.repo.refname import check
from oxy.repo.refs import BOOKMARK, HERE, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import differences
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy.worktree.workcopy import WorkingCopy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.actions.nested import Subrepo


class Switched(NamedTuple):
    """Where the working copy is now: the bookmark if any, the state's heads, and the files.

    `others` are the workspaces that are on that bookmark too, `subrepos` those that followed,
    and `stayed` those that did not.
    """

    bookmark: bytes | None
    heads: tuple[bytes, ...]
    went: Went
    others: tuple[bytes, ...] = ()
    subrepos: tuple[bytes, ...] = ()
    stayed: "tuple[Subrepo, ...]" = ()


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
    repository, before = copy.repository, copy.base.state
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
    done = Switched(bookmark, heads, went, others)
    return _with_subrepos(copy, done, before, named.state)


def _with_subrepos(copy: WorkingCopy, done: Switched, before: Name, after: Name) -> Switched:
    old, new = (tree_of(copy.repository, state) for state in (before, after))
    found = (there for _, _, there in differences(old, new))
    if all(there is None or there.kind != KIND_SUBREPO for there in found):
        return done
    from oxy.actions.subrepos import follow

    followed, stayed = follow(copy, before, after)
    paths = tuple(each.path for each in followed)
    return done._replace(subrepos=paths, stayed=tuple(stayed))


def _require_new(repository: Repository, name: bytes) -> None:
    names = repository.refs.names(BOOKMARK)
    if name in names:
        what = "bookmark"
        raise NameTakenError(what, name)
    check(name, iter(names))
