"""Files of a bookmark that a damaged repository can still render (spec: store, ST38)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.commit import Request, commit
from oxy.actions.switch import switch
from oxy.errors import CorruptionError, OxyError
from oxy.model.operation import KIND_SUBREPO
from oxy.repo.operations import Spelled, inward
from oxy.repo.repository import Repository
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.worktree.content import Content
from oxy.worktree.item import UNHASHED, Item
from oxy.worktree.moves import record_at
from oxy.worktree.placing import put
from oxy.worktree.workcopy import WorkingCopy, working_copy
from oxy.worktree.writer import TreeWriter

AUTHOR = b"oxy fsck <oxy@localhost>"
"""Who records files whose own changes are lost."""


class Rendered(NamedTuple):
    """How many files of a bookmark could be read, and why the others could not, by path."""

    files: int
    lost: tuple[tuple[bytes, str], ...]


class NotListedError(CorruptionError):
    """Nobody knows which files there were."""


def bring_files(
    root: bytes, bookmark: bytes, last: Spelled, sources: Sequence[Repository]
) -> Rendered:
    """Record the files of a bookmark, as far as they can be read, on what is whole of it.

    A file that cannot be read stays as it is in that.

    Args:
        root: the new repository, in which the bookmark holds what is whole.
        bookmark: its name.
        last: what it held.
        sources: the damaged repository, by one index after another.

    Cost: reads every file; memory for a piece of one.

    Raises:
        NotListedError: no index tells which files there are.
    """
    source, listed = _listed(last, sources)
    with working_copy(root) as copy:
        switch(copy, bookmark)
    with working_copy(root) as copy:
        lost = tuple(_write(copy, source, listed))
    with working_copy(root) as copy:
        copy.look()
        request = Request((), AUTHOR, now(), confirm=lambda _: True)
        message = b"Files of %s that a damaged repository could still read" % bookmark
        commit(copy, request, lambda _: message)
    return Rendered(len(listed.items) - len(lost), lost)


class _Listed(NamedTuple):
    content: Content
    items: dict[bytes, Item]


def _listed(last: Spelled, sources: Sequence[Repository]) -> tuple[Repository, _Listed]:
    why = "no index"
    for source in sources:
        try:
            target = inward(source.store, last)
            if target is not None:
                tree = tree_of(source, target.state)
                items = {
                    path: Item(entry.node, entry.kind, entry.mode, entry.digest or UNHASHED)
                    for path, entry in files(tree)
                    if entry.kind != KIND_SUBREPO
                }
                return source, _Listed(Content(source, target.state), items)
        except CorruptionError as error:
            why = str(error)
    raise NotListedError(why)


def _write(
    copy: WorkingCopy, source: Repository, listed: _Listed
) -> Iterator[tuple[bytes, str]]:
    """Write what can be read; yield what cannot."""
    writer = TreeWriter(copy.fd)
    there = {path for path, _ in files(tree_of(copy.repository, copy.base.state))}
    try:
        for path in there - set(listed.items):
            record = record_at(copy, path)
            if record is not None:
                writer.remove(path, over=record)
        for path, item in sorted(listed.items.items()):
            try:
                chunks = listed.content.chunks(item)
                put(writer, path, item, record_at(copy, path), chunks)
            except OxyError as error:
                with suppress(CorruptionError):
                    source.forget()
                yield path, str(error)
    finally:
        writer.close()
