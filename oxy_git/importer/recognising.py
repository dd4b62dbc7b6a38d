"""Commits that oxy made, known again for what they are (spec: git-bridge, GB35, GB48).

A header claims it, and whoever amends a commit copies that. So a claim is believed only where
it is proven: the change is here, the commit is written as an export writes it, what its parents
stand for is part of the state, and the state has the commit's tree.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.errors import RequestError
from oxy.model.digest import ChangeId
from oxy.repo.exported import note
from oxy.repo.origin import git_commit
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import disputed
from oxy.store.protocol import CHANGE
from oxy_git.importer.union import Known
from oxy_git.reader.commit import parse
from oxy_git.reader.trees import TreeMismatchError
from oxy_git.verify.made import CHANGE as CHANGE_HEADER
from oxy_git.verify.made import STATE as STATE_HEADER
from oxy_git.verify.made import Written, commit_of, of_change
from oxy_git.verify.sink import Nowhere
from oxy_git.verify.trees import Grown, Trees

_CLAIM: Final = re.compile(
    b"^(?:(" + CHANGE_HEADER + b")|" + STATE_HEADER + rb") ([0-9a-f]{64}(?: [0-9a-f]{64})*)$",
    re.MULTILINE,
)


class Claim(NamedTuple):
    """What a commit says that it is: a change, or the state with some heads."""

    is_change: bool
    heads: tuple[ChangeId, ...]


def claim_of(raw: bytes) -> Claim | None:
    """Return what a commit says of itself, or None. Cost: a look at its headers."""
    head = raw.partition(b"\n\n")[0]
    found = _CLAIM.search(head) if b"\noxy-" in head else None
    if found is None:
        return None
    heads = tuple(ChangeId(bytes.fromhex(word.decode())) for word in found[2].split())
    is_change = found[1] is not None
    return None if is_change and len(heads) > 1 else Claim(is_change, heads)


class Recogniser:
    """Proves claims.

    Args:
        repository: where the changes are, or come to.
        fetch: is asked for changes that are missing; what it can it brings.
    """

    __slots__ = ("_fetch", "_repository", "_trees", "strangers")

    def __init__(
        self, repository: Repository, fetch: Callable[[Sequence[ChangeId]], None]
    ) -> None:
        self._repository = repository
        self._fetch = fetch
        self._trees = Trees(repository, Nowhere())
        self.strangers = 0
        """How many commits claimed what could not be proven."""

    def recognised(self, oid: bytes, raw: bytes, parents: Sequence[Known]) -> Known | None:
        """Return what a commit stands for; None where it is to be imported as any other.

        Cost: what the state has beyond the commit's first parent.
        """
        claim = claim_of(raw)
        if claim is None:
            return None
        found = self._proven(claim, raw, parents)
        if found is None:
            self.strangers += 1
        else:
            note(self._repository, [(found.name, oid)])
        return found

    def _proven(self, claim: Claim, raw: bytes, parents: Sequence[Known]) -> Known | None:
        name = self._name(claim)
        if name is None or (claim.is_change and not self._is_written_so(name, raw)):
            return None
        members = self._repository.states.members
        state = members(name)
        grown = [Grown(members(each.name), each.tree, is_own=True) for each in parents]
        if not all(each.state <= state for each in grown):
            return None
        try:
            tree = self._trees.own(name, grown, ()).tree
        except (TreeMismatchError, RequestError):
            return None
        if tree.mark != parse(raw).tree or next(disputed(tree), None) is not None:
            return None
        return Known(name, tree, is_own=False)

    def _name(self, claim: Claim) -> Name | None:
        """Return the state that is claimed, if all of it is here."""
        store, states = self._repository.store, self._repository.states
        lacking = [head for head in claim.heads if store.number_of(CHANGE, head) is None]
        if lacking:
            self._fetch(lacking)
        numbers = [store.number_of(CHANGE, head) for head in claim.heads]
        heads = tuple(sorted(number for number in numbers if number is not None))
        if len(heads) != len(numbers):
            return None
        if claim.is_change:
            return states.name_of_change(heads[0])
        state = BitMap()
        for head in heads:
            state |= states.of_change(head)
        return states.name_of(state)

    def _is_written_so(self, name: Name, raw: bytes) -> bool:
        """Return whether a commit is what an export would make of a change, its tree apart."""
        (change,) = name.heads
        header = self._repository.header(change)
        if git_commit(header) is not None:
            return False
        commit = parse(raw)
        by = Written(header.author, header.time, header.message)
        (named,) = self._repository.store.ids_of(CHANGE, [change])
        return raw == commit_of(commit.tree, commit.parents, by, of_change(named))
