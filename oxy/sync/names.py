"""Names that another repository offers, and the states that they name here (spec: sync, SY39).

A name is checked as one that is made here is (S19), and its state is complete and named in the
one way (S3) before anything refers to it.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from oxy.typed import NamedTuple

from oxy.model.digest import ChangeId
from oxy.model.pathrule import fold
from oxy.repo.refname import refusal
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.store.protocol import CHANGE
from oxy.sync.check.context import is_name
from oxy.sync.endpoint import Offered
from oxy.sync.errors import RefusedNameError


class Arrived(NamedTuple):
    """A name that was offered, and its state by the numbers of here."""

    offered: Offered
    state: Name


def check_names(offered: Iterable[Offered]) -> None:
    """Prove that names may be given, each and beside each other. Cost: a fold of each.

    Raises:
        RefusedNameError: one breaks the rule, or two are one on some file systems.
    """
    for _, kin in groupby(offered, key=lambda each: each.kind):
        folded: dict[bytes, bytes] = {}
        for each in kin:
            broken = refusal(each.name)
            if broken is not None:
                raise RefusedNameError(each.name, f"it {broken}")
            other = folded.setdefault(fold(each.name), each.name)
            if other != each.name:
                raise RefusedNameError(each.name, "another would be one with it somewhere")


def arrived(repository: Repository, offered: Iterable[Offered]) -> Iterator[Arrived]:
    """Yield names whose changes are stored, with their states.

    Cost: as `check_context` has for each state that is another than the last; one query for all
    changes.

    Raises:
        RefusedNameError: a change of the state is missing, or it is not named as states are.
    """
    every = list(offered)
    named = {change for each in every for change in (*each.heads, *each.absent)}
    known = repository.store.numbers_of(CHANGE, named)
    proven = Name()
    for each in every:
        state = Name(
            _numbers(known, each.name, each.heads), _numbers(known, each.name, each.absent)
        )
        if state != proven and not is_name(repository.states, state):
            raise RefusedNameError(each.name, "what it holds is not the name of a state")
        proven = state
        yield Arrived(each, state)


def _numbers(
    known: Mapping[bytes, int], name: bytes, changes: tuple[ChangeId, ...]
) -> tuple[int, ...]:
    found = []
    for change in changes:
        number = known.get(change)
        if number is None:
            raise RefusedNameError(name, f"change {change.hex()} of its state is missing")
        found.append(number)
    return tuple(sorted(found))
