import pytest

from oxy.sync.check import begun
from oxy.sync.check.begun import Beginning, Begun


def test_a_text_is_as_it_began_until_it_is_taken() -> None:
    known = Begun()
    known.note(4, (11, 12, 13), (21, 0, 7))
    assert known.take(11) == Beginning(4, 21)
    assert known.take(11) is None
    assert known.take(13) == Beginning(4, 7)


def test_a_node_of_another_kind_or_of_before_did_not_begin_as_lines() -> None:
    known = Begun()
    assert known.take(1) is None
    known.note(4, (11, 12), (0, 3))
    assert [known.take(node) for node in (10, 11, 13)] == [None, None, None]


def test_nodes_that_a_change_only_edits_are_not_noted() -> None:
    known = Begun()
    known.note(4, (11, 12), (5, 6))
    known.note(5, (3, 11), ())
    known.note(6, (13, 2), (9,))
    assert known.take(13) == Beginning(6, 9)
    assert known.take(2) is None


def test_what_is_known_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(begun, "MOST", 2)
    known = Begun()
    known.note(4, (1, 2, 3), (5, 6, 7))
    assert known.take(2) == Beginning(4, 6)
    assert known.take(3) is None
