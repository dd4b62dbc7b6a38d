"""Take in what another repository holds (spec: sync, SY1, SY53; states, S14)."""

import os
from collections.abc import Iterator, Sequence
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.landing import Landed, Source, land
from oxy.actions.reach import reached
from oxy.actions.remotes import NotOfferedError, Remote, meant
from oxy.progress import Progress
from oxy.repo.refs import BOOKMARK
from oxy.repo.repository import Repository
from oxy.repo.signatures import mark
from oxy.repo.writing import Stamp
from oxy.store.protocol import BLOB, CHANGE, Store
from oxy.sync.endpoint import SIGNED_FIELD, Endpoint, Offered, holds_all
from oxy.sync.part import Part
from oxy.sync.rounds import common
from oxy.sync.silent import ComesWholeError, Silent
from oxy.sync.waiting import waiting
from oxy.worktree.workcopy import WorkingCopy


class Request(NamedTuple):
    """From where to pull (a remote, or where it is), which bookmarks (none: all), how.

    `only_fetch` takes in what is there and lets no bookmark of one's own follow.
    """

    remote: bytes | None
    bookmarks: tuple[bytes, ...] = ()
    dry_run: bool = False
    only_fetch: bool = False


def pull(copy: WorkingCopy, request: Request, progress: Progress) -> Landed:
    """Take in what another repository has, and let one's own bookmarks follow.

    Without names all bookmarks come and the one that the working copy is on follows; with
    names these come, and one's own of the same names follow, made where there is none.

    Raises:
        NoRepositoryError, ItselfError, NoProgramError: see `reached`.
        NotOfferedError: it has no such bookmark.
        RefusedObjectError, RefusedNameError: what came breaks a rule; nothing of it is kept.
        LostError: the connection was lost; what came is here, and no name has moved.
        WouldOverwriteError: see `land`.
    """
    remote = meant(copy.repository, request.remote, copy.here.bookmark)
    with reached(remote, copy.root, b"", progress) as peer:
        return taken_in(copy, remote, peer, request, progress)


def taken_in(
    copy: WorkingCopy,
    remote: Remote,
    peer: Endpoint,
    request: Request,
    progress: Progress,
    goal: bytes | None = None,
) -> Landed:
    """Take in what a repository has that one speaks with already; see `pull`.

    `goal` is the bookmark that an empty working copy goes to, if not its own.
    """
    offered = _chosen(peer.refs(), request.bookmarks, remote)
    is_lent = _is_lent(copy.repository, remote)
    source = Source(
        remote.name,
        offered,
        lacking(copy.repository, peer, offered, promised=is_lent),
        () if request.only_fetch else request.bookmarks,
        is_all=not request.bookmarks,
        is_live=not request.only_fetch,
        goal=goal,
        is_lent=is_lent,
    )
    words = [b"fetch" if request.only_fetch else b"pull"]
    words += [request.remote] if request.remote else []
    stamp = Stamp(*now(), operator(), b" ".join([*words, *request.bookmarks]))
    return land(copy, stamp, source, progress, dry_run=request.dry_run)


def _chosen(
    offered: tuple[Offered, ...], bookmarks: Sequence[bytes], remote: Remote
) -> tuple[Offered, ...]:
    names = [each.name for each in offered if each.kind == BOOKMARK]
    for name in bookmarks:
        if name not in names:
            from difflib import get_close_matches

            near = get_close_matches(os.fsdecode(name), map(os.fsdecode, names))
            raise NotOfferedError(name, remote.name, tuple(near))
    if not bookmarks:
        return offered
    return tuple(each for each in offered if each.kind == BOOKMARK and each.name in bookmarks)


def _is_lent(repository: Repository, remote: Remote) -> bool:
    """Tell whether a remote sends blobs when they are asked for, and not before (SY87)."""
    return repository.is_lazy and repository.refs.lender() == remote.name


def lacking(
    repository: Repository,
    peer: Endpoint,
    offered: Sequence[Offered],
    *,
    promised: bool = False,
) -> Iterator[Part]:
    """Return what of a peer's names is not here; without blobs where these are promised.

    Raises:
        ComesWholeError: blobs are promised where nobody answers.
    """
    if promised and isinstance(peer, Silent):
        raise ComesWholeError
    store = repository.store
    want = {change for each in offered for change in (*each.heads, *each.absent)}
    numbers = store.numbers_of(CHANGE, want)
    signed = {each for one in offered if is_signed_since(store, one) for each in one.heads}
    wanted = sorted(signed | {change for change in want if change not in numbers})
    if not wanted:
        return iter(())
    if isinstance(peer, Silent):
        return peer.lacking(wanted, store.numbers_of)
    have = common(repository, peer, want)
    if promised:
        return peer.missing(wanted, have, holds_all)
    return peer.missing(
        wanted, have, lambda blobs: store.numbers_of(BLOB, blobs), waiting(store)
    )


def is_signed_since(store: Store, offered: Offered) -> bool:
    """Tell whether a bookmark's newest changes, which are here, are signed otherwise here."""
    told = dict(offered.extra).get(SIGNED_FIELD)
    if told is None or offered.kind != BOOKMARK:
        return False
    numbers = store.numbers_of(CHANGE, offered.heads).values()
    return mark(store, numbers) != told
