"""Which commits are verified: all, those between two states, or a sample (spec: GB58)."""

from fractions import Fraction
from random import Random
from typing import Final, NamedTuple

from pyroaring import BitMap

from oxy.repo.repository import Repository
from oxy.store.protocol import CHANGE
from oxy_git.verify.history import History


class Choice(NamedTuple):
    """Commits of some changes, or of all; of these a number, or a part up to 1, or all.

    The seed decides which of them a sample has.
    """

    changes: BitMap | None = None
    sample: int | Fraction | None = None
    seed: int = 0


EVERYTHING: Final = Choice()


def chosen_of(repository: Repository, history: History, choice: Choice) -> BitMap:
    """Return the changes that are chosen.

    A sample is drawn from ids, so it is the same wherever the changes are.

    Cost: the ids of those that it is drawn from.
    """
    found = history.changes if choice.changes is None else history.changes & choice.changes
    if choice.sample is None:
        return found
    count = choice.sample
    if isinstance(count, Fraction):
        # Of anything at all, a part has at least one.
        count = -(-len(found) * count.numerator // count.denominator)
    names = dict(zip(repository.store.ids_of(CHANGE, found), found, strict=True))
    random = Random(choice.seed)  # noqa: S311 - which are looked at is no secret
    drawn = random.sample(sorted(names), min(count, len(names)))
    return BitMap([names[name] for name in drawn])
