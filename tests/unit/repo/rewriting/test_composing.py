import pytest

from oxy.model.operation import (
    BYTES,
    FINAL_LF,
    KIND,
    KIND_BINARY,
    KIND_TEXT,
    MODE,
    PLACE,
)
from oxy.repo.rewriting.composing import composed
from oxy.repo.rewriting.parts import At, Part, Wrote
from oxy.repo.rewriting.refusal import UnsayableError

HERE, THERE = At((), b"f"), At((), b"g")


def test_the_later_of_two_writes_replaces_all_that_both_did() -> None:
    one = Part(7, None, (Wrote(MODE, 1, (1,)), Wrote(PLACE, HERE, (1,))))
    two = Part(7, None, (Wrote(PLACE, THERE, (2, 5)),))
    assert composed([(2, one), (3, two)]) == (
        None,
        (Wrote(PLACE, THERE, (1, 5)), Wrote(MODE, 1, (1,))),
    )


def test_equal_writes_apart_are_one_and_others_cannot_be_said() -> None:
    one = Part(7, None, (Wrote(MODE, 1, (1,)),))
    two = Part(7, None, (Wrote(MODE, 0, (1,)),))
    assert composed([(2, one), (3, one)]) == (None, (Wrote(MODE, 1, (1,)),))
    with pytest.raises(UnsayableError):
        composed([(2, one), (3, two)])


def test_a_node_is_created_as_it_was_in_the_end() -> None:
    one = Part(7, KIND_TEXT, (Wrote(PLACE, HERE, ()), Wrote(FINAL_LF, 0, ())))
    two = Part(7, None, (Wrote(PLACE, THERE, (2,)), Wrote(MODE, 1, ())))
    assert composed([(2, one), (3, two)]) == (
        KIND_TEXT,
        (Wrote(PLACE, THERE, ()), Wrote(MODE, 1, ()), Wrote(FINAL_LF, 0, ())),
    )


def test_a_node_that_became_of_another_kind_is_created_as_that() -> None:
    one = Part(7, KIND_TEXT, (Wrote(PLACE, HERE, ()), Wrote(FINAL_LF, 0, ())))
    two = Part(7, None, (Wrote(BYTES, b"\0", ()), Wrote(KIND, KIND_BINARY, ())))
    assert composed([(2, one), (3, two)]) == (
        KIND_BINARY,
        (Wrote(PLACE, HERE, ()), Wrote(BYTES, b"\0", ())),
    )


def test_a_node_that_was_removed_again_was_never_there() -> None:
    one = Part(7, KIND_TEXT, (Wrote(PLACE, HERE, ()),))
    two = Part(7, None, (Wrote(PLACE, None, (2,)),))
    assert composed([(2, one), (3, two)]) is None
