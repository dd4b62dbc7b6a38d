"""The line cases in repositories that the changes reach in every order (spec: conflicts)."""

from random import Random

import pytest

from tests.builders.replica import Replica
from tests.cases.lines import CASES, ENDINGS
from tests.cases.players import OnRepository, notation
from tests.cases.script import Case, fitting, play
from tests.naive.arrivals import arrivals
from tests.naive.story import reading

ALL = [(case, False) for case in ENDINGS] + [(case, True) for case in fitting(CASES)]


@pytest.mark.parametrize(("case", "lines"), ALL, ids=[case.id for case, _ in ALL])
def test_a_case_reads_as_listed_in_every_repository(case: Case, *, lines: bool) -> None:
    player = OnRepository(lines=lines)
    checks = play(case, player)
    source, looks = player.replica, []
    names = {change: name for name, change in player.ids.items()}
    for check in checks:
        source.state = player.named(check.state)
        looks.append(source.looks())
        file = looks[-1][b"f"]
        assert reading(notation(file, lines=lines)) == reading(check.text)
        assert not check.blame or [names[change] for change in file.blame] == [*check.blame]
    random = Random(0)  # noqa: S311 - one change at a time has one order
    links = source.repository.states.link
    every = source.bits(names)
    for order in arrivals({number: set(links(number).named) for number in every}):
        other = Replica(b"Bob <bob@x>")
        for number in order:
            other.take(source, source.ids([number]), random)
        for check, wanted in zip(checks, looks, strict=True):
            other.state = player.named(check.state)
            assert other.looks() == wanted
