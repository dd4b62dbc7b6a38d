"""Take in what a bundle holds (spec: sync, SY11, SY15, SY27)."""

import os
from collections.abc import Callable
from oxy.typed import Final

from oxy.actions.bundling import require
from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.landing import Landed, Source, land
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.refs import BOOKMARK
from oxy.repo.writing import Stamp
from oxy.sync.bundle import Bundle
from oxy.worktree.workcopy import WorkingCopy

REMOTE: Final = b"bundle"
"""Bookmarks of bundles are called NAME@bundle here."""


class NotInBundleError(RequestError):
    """A bundle does not offer a bookmark of that name."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"the bundle has no bookmark '{os.fsdecode(name)}'")
        self.name = name


def apply(
    copy: WorkingCopy,
    read: Callable[[int], bytes],
    progress: Progress,
    *,
    bookmarks: tuple[bytes, ...] = (),
    dry_run: bool = False,
) -> Landed:
    """Take in what a bundle holds; its bookmarks are NAME@bundle then.

    Args:
        copy: the working copy.
        read: reads the bundle.
        progress: told of each object.
        bookmarks: the bookmarks of the bundle that one's own of the same names take in.
        dry_run: only tell.

    Raises:
        RefusedTransferError, RefusedObjectError, RefusedNameError: nothing of it is kept.
        NeededError: it builds on changes that are not here.
        NotInBundleError: it offers no such bookmark.
        WouldOverwriteError: see `land`.
    """
    bundle = Bundle(read)
    require(copy.repository, bundle.head)
    names = tuple(each.name for each in bundle.head.names if each.kind == BOOKMARK)
    for name in bookmarks:
        if name not in names:
            raise NotInBundleError(name)
    parts = bundle.unframer.parts()
    source = Source(REMOTE, bundle.head.names, parts, bookmarks, is_live=False)
    stamp = Stamp(*now(), operator(), b"bundle apply")
    return land(copy, stamp, source, progress, dry_run=dry_run)
