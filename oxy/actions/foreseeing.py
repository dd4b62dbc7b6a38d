"""What a push would do, without doing it (spec: sync, SY62).

What the other alone knows, working copies of others there, is not foreseen.
"""

from collections.abc import Sequence

from oxy.repo.repository import Repository
from oxy.sync.history import missing
from oxy.sync.judging import judged, numbers_of
from oxy.sync.rounds import common
from oxy.sync.talk import Host
from oxy.sync.wish import Taken, Wish


def foreseen(repository: Repository, peer: Host, wishes: Sequence[Wish]) -> Taken:
    """Return what would become of names that do not hold what is wished, ascending.

    Cost: what finding out takes what the other lacks; nothing is sent.
    """
    refs = peer.refs()
    taken = judged(repository, refs, wishes, peer.current())
    if taken.refused:
        return taken
    goals = [change for wish in wishes if wish.goal for part in wish.goal for change in part]
    have = common(repository, peer, [change for each in refs for change in each.heads])
    wanted, held = (numbers_of(repository, part) for part in (goals, have))
    return taken._replace(came=len(missing(repository.states, wanted, held)))
