"""Bundles: made, looked into and proven (spec: sync, SY27, SY28, SY40)."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from oxy.typed import NamedTuple

from oxy.actions.clock import now
from oxy.actions.identity import operator
from oxy.actions.naming import Named, resolve
from oxy.actions.words import HERE_NAME
from oxy.errors import RequestError, StateError
from oxy.model.digest import ChangeId
from oxy.progress import Progress
from oxy.repo.refs import BOOKMARK, HERE, TAG
from oxy.repo.repository import Repository
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE
from oxy.sync.bundle import Bundle, Head, bundled, offered_of
from oxy.sync.endpoint import Offered
from oxy.sync.frames import Counts
from oxy.sync.names import arrived, check_names
from oxy.sync.receiving import receive


class NamelessError(RequestError):
    """A bundle is to hold a state that has no name which could travel."""

    def __init__(self, called: bytes) -> None:
        super().__init__(
            f"'{os.fsdecode(called)}' is no bookmark or tag: a bundle tells what it completes"
        )
        self.called = called


class NeededError(StateError):
    """A bundle builds on changes that are not here."""

    def __init__(self, needs: tuple[ChangeId, ...]) -> None:
        count = f", and {len(needs) - 1} more" if len(needs) > 1 else ""
        super().__init__(f"the bundle needs change {needs[0].hex()}{count}: not here")
        self.needs = needs


class Inspected(NamedTuple):
    """What a bundle holds, all of it proven to be as it was written."""

    head: Head
    counts: Counts


class Verified(NamedTuple):
    """What a bundle would bring: changes and blobs that are not here."""

    head: Head
    counts: Counts
    changes: int
    blobs: int


def create(
    repository: Repository, states: Sequence[bytes], since: Sequence[bytes]
) -> Iterator[bytes]:
    """Yield the bytes of a bundle of states, without what others hold.

    Args:
        repository: what is bundled.
        states: bookmarks and tags; none is the bookmark that the working copy is on.
        since: what whoever applies it has already.

    Raises:
        UnknownStateError, AmbiguousError: nothing, or too much, is called so.
        NamelessError: a state is neither a bookmark nor a tag.
    """
    offered = [_offered(repository, called) for called in states or (HERE_NAME,)]
    have: list[int] = []
    for called in since:
        have += resolve(repository, called).state.heads
    return bundled(repository, dict.fromkeys(offered), have)


def inspect(read: Callable[[int], bytes]) -> Inspected:
    """Return what a bundle says, having read it to its end.

    Cost: reads it once, and keeps nothing.

    Raises:
        RefusedTransferError: it is torn, goes on behind its end, or is none.
    """
    bundle = Bundle(read)
    for _ in bundle.unframer.parts():
        pass
    return Inspected(bundle.head, bundle.unframer.counts or Counts(0, 0))


def verify(
    repository: Repository, read: Callable[[int], bytes], progress: Progress
) -> Verified:
    """Check a bundle wholly, as applying it does, and keep nothing.

    Raises:
        RefusedTransferError, RefusedObjectError, RefusedNameError: it breaks a rule.
        NeededError: it builds on changes that are not here.
    """
    bundle = Bundle(read)
    require(repository, bundle.head)
    check_names(bundle.head.names)
    stamp = Stamp(*now(), operator(), b"bundle verify")
    found = 0, 0
    with suppress(_TakenBackError), writing(repository, stamp) as work:
        parts = bundle.unframer.parts()
        received = receive(repository, work.transaction, parts, progress)
        for _ in arrived(repository, bundle.head.names):
            pass
        found = len(received.changes), received.blobs
        raise _TakenBackError
    return Verified(bundle.head, bundle.unframer.counts or Counts(0, 0), *found)


def _offered(repository: Repository, called: bytes) -> Offered:
    named: Named = resolve(repository, called)
    ref = named.ref
    if ref == HERE:
        here = repository.refs.get(HERE)
        if here is None or here.bookmark is None:
            raise NamelessError(called)
        return offered_of(repository, BOOKMARK, here.bookmark, here.state)
    if ref is None or ref.kind not in (BOOKMARK, TAG):
        raise NamelessError(called)
    held = repository.refs.get(ref)
    offered = offered_of(repository, ref.kind, ref.name, named.state)
    extra = held.extra if held is not None and ref.kind == TAG else ()
    return offered._replace(extra=extra)


def require(repository: Repository, head: Head) -> None:
    """Prove that what a bundle builds on is here.

    Raises:
        NeededError: it is not.
    """
    number_of = repository.store.number_of
    needs = tuple(name for name in head.needs if number_of(CHANGE, name) is None)
    if needs:
        raise NeededError(needs)


class _TakenBackError(Exception):
    """Takes a transaction back that was only to prove."""
