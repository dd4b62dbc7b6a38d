"""Sign changes and tags, and tell what signatures are worth (spec: sync, SY31, SY80, SY81)."""

import os
from collections.abc import Iterable, Iterator, Sequence
from oxy.typed import Final, NamedTuple

from oxy.actions.naming import resolve_set
from oxy.actions.sshkeys import Keygen
from oxy.actions.tags import existing
from oxy.actions.words import HERE_NAME
from oxy.codec.wire import pack
from oxy.errors import RequestError
from oxy.model.digest import ChangeId
from oxy.model.signature import Signature, text_of_change, text_of_tag
from oxy.repo.refs import TAG, Ref, Target
from oxy.repo.repository import Repository
from oxy.repo.signatures import add, signatures_of
from oxy.repo.states import Name
from oxy.repo.writing import Stamp, writing
from oxy.store.protocol import CHANGE, Reader

FIELD: Final = b"oxy:signature"
"""The field of a tag that holds its signature."""

GOOD: Final = "good"
"""An allowed signer made it."""

UNKNOWN: Final = "unknown key"
"""It is a signature of this, and the key is nobody's who is allowed."""

BAD: Final = "bad"
"""It is no signature of this."""

UNSIGNED: Final = "unsigned"


class SignedTagError(RequestError):
    """A tag that is signed is to be signed again."""

    def __init__(self, name: bytes) -> None:
        super().__init__(f"tag '{os.fsdecode(name)}' is signed already")
        self.name = name


class Verdict(NamedTuple):
    """What one signature is worth, or that there is none; who made it, and with which key."""

    word: str
    signers: tuple[str, ...] = ()
    key: str = ""


class Judged(NamedTuple):
    """A change and the verdict on each of its signatures: one at least."""

    change: int
    id: bytes
    verdicts: tuple[Verdict, ...]

    @property
    def is_good(self) -> bool:
        """Whether an allowed signer made one of them."""
        return any(verdict.word == GOOD for verdict in self.verdicts)

    @property
    def signers(self) -> frozenset[str]:
        """The allowed signers that stand behind it."""
        return frozenset(name for each in self.verdicts for name in each.signers)


def changes_meant(repository: Repository, called: Sequence[bytes]) -> list[int]:
    """Return the changes to sign or judge: the newest of each state, and all of each set.

    Where nothing is named it is the state of the working copy.

    Raises:
        RequestError: as `resolve_set`.
    """
    found: set[int] = set()
    for each in called or [HERE_NAME]:
        meant = resolve_set(repository, each)
        found.update(meant.heads if isinstance(meant, Name) else meant)
    return sorted(found)


def sign(repository: Repository, changes: Iterable[int], key: str, stamp: Stamp) -> list[bytes]:
    """Sign changes with a key; return the ids of those that had no such signature.

    Nothing is stored until all are signed. Signatures are no part of a change, and move no
    name, so there is no step of the operation log.
    Cost: a run of `ssh-keygen` for each.

    Raises:
        KeygenError: it does not sign; nothing was stored.
    """
    keygen = Keygen()
    made = []
    for name in repository.store.ids_of(CHANGE, changes):
        change = ChangeId(name)
        made.append(Signature(change, keygen.sign(key, text_of_change(change))))
    with writing(repository, stamp) as work:
        return [each.change for each in made if add(work.transaction, each)]


def sign_tag(repository: Repository, name: bytes, key: str, stamp: Stamp) -> None:
    """Sign a tag, which then holds the signature beside its state.

    Raises:
        NoTagError: there is none.
        SignedTagError: it is signed.
        KeygenError: it cannot be signed.
    """
    ref = Ref(TAG, existing(repository, name).held.name)
    target = repository.refs.get(ref) or Target(Name())
    if FIELD in dict(target.extra):
        raise SignedTagError(name)
    with writing(repository, stamp) as work:
        work.move(ref, signed_target(repository.store, name, target, key))


def signed_target(reader: Reader, name: bytes, target: Target, key: str) -> Target:
    """Return what a tag holds, with a signature of it.

    Raises:
        KeygenError: it cannot be signed.
    """
    armor = Keygen().sign(key, _text_of(reader, name, target))
    return target._replace(extra=tuple(sorted((*target.extra, (FIELD, armor)))))


def judged(
    repository: Repository, changes: Iterable[int], allowed: bytes, keygen: Keygen | None = None
) -> Iterator[Judged]:
    """Yield what the signatures of changes are worth, by a file of allowed signers.

    A key counts if it was valid at the time that the change says it was made.
    Cost: two or three runs of `ssh-keygen` for each signature.

    Raises:
        KeygenError: it cannot be run.
    """
    tool = keygen or Keygen()
    for change in changes:
        name = ChangeId(repository.store.id_of(CHANGE, change))
        data = text_of_change(name)
        seconds = repository.header(change).time.microseconds // 1_000_000
        found = tuple(
            _verdict(tool, data, each.armor, allowed, seconds)
            for each in signatures_of(repository.store, change)
        )
        yield Judged(change, name, found or (Verdict(UNSIGNED),))


def judged_tag(repository: Repository, name: bytes, target: Target, allowed: bytes) -> Verdict:
    """Return what the signature of a tag is worth; a key counts if it is valid now."""
    from oxy.actions.clock import now

    armor = dict(target.extra).get(FIELD)
    if armor is None:
        return Verdict(UNSIGNED)
    data = _text_of(repository.store, name, target)
    return _verdict(Keygen(), data, armor, allowed, now().microseconds // 1_000_000)


def _verdict(
    keygen: Keygen, data: bytes, armor: bytes, allowed: bytes, seconds: int
) -> Verdict:
    signers, key = keygen.check(data, armor, allowed, seconds)
    return Verdict(GOOD if signers else UNKNOWN if key else BAD, signers, key)


def _text_of(reader: Reader, name: bytes, target: Target) -> bytes:
    """Return what is signed of a tag: its name, its state by ids, and its other fields."""
    heads, absent = (sorted(reader.ids_of(CHANGE, part)) for part in target.state)
    fields = tuple(sorted(pair for pair in target.extra if pair[0] != FIELD))
    return text_of_tag(pack((name, tuple(heads), tuple(absent), fields)))
