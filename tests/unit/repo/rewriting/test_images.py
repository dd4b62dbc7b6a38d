import pytest

from oxy.graph.deed import Block, Cancel, Deed, Deletion, Precedence, Span, Verdict, point
from oxy.graph.weave import SHIFT
from oxy.model.operation import OUT, TEXT
from oxy.repo.rewriting.images import Images, LostLineError, Renaming
from oxy.repo.rewriting.parts import Wrote

NODE = 7


def line(change: int, index: int) -> int:
    return change << SHIFT | index


def images() -> Images:
    """Return images in which 12 stands for 2; of 3 lines 1 and 2 are lines 5 and 6 of 13."""
    found = Images([2, 3, 4])
    found.stand(2, NODE, 12)
    found.stand(3, NODE, 13)
    found.place(NODE, 3, [(line(3, 2), line(13, 6)), (line(3, 1), line(13, 5))])
    return found


def test_what_is_not_rewritten_is_its_own_image() -> None:
    found = images()
    assert found.change(1, NODE) == 1
    assert found.span(NODE, Span(line(1, 0), 9)) == [Span(line(1, 0), 9)]
    assert found.node(NODE, 1) == NODE


def test_what_is_rewritten_and_not_recorded_yet_has_none() -> None:
    found = images()
    assert found.change(4, NODE) is None
    assert found.node(NODE, 4) is None
    with pytest.raises(LostLineError):
        found.line(NODE, line(4, 0))


def test_lines_go_with_their_change_unless_they_were_placed() -> None:
    found = images()
    assert found.span(NODE, Span(line(2, 3), 2)) == [Span(line(12, 3), 2)]
    assert found.span(NODE, Span(line(3, 1), 2)) == [Span(line(13, 5), 2)]
    assert found.parts(NODE, Span(line(3, 0), 9)) == [Span(line(13, 5), 2)]
    with pytest.raises(LostLineError):
        found.span(NODE, Span(line(3, 0), 2))


def test_another_node_of_the_same_change_has_images_of_its_own() -> None:
    assert images().change(2, NODE + 1) is None


def test_a_node_that_was_created_anew_is_known_then() -> None:
    found = images()
    found.make(NODE, 9)
    assert found.node(NODE, 2) == 9


def test_a_number_given_too_early_is_put_right() -> None:
    found = images()
    found.renumber(13, 5)
    assert found.change(3, NODE) == 5
    assert found.line(NODE, line(3, 1)) == line(5, 5)
    assert found.change(2, NODE) == 12


def test_a_register_write_replaces_the_images() -> None:
    wrote = Wrote(2, 1, (1, 2, 4))
    assert images().write(NODE, wrote) == Wrote(2, 1, (1, 12))


def test_a_deed_is_said_of_the_images() -> None:
    found = images()
    found.stand(4, NODE, 14)
    block = Block(line(4, 0), 2, point(line(2, 0), TEXT), point(line(2, 0), OUT))
    deed = Deed(
        (),
        (block,),
        (Deletion((Span(line(2, 0), 1),), block),),
        (Cancel(Span(line(1, 0), 1), (2,)),),
        (Precedence(line(2, 1), line(3, 1), 0),),
        ((2, 0),),
        (Verdict(Span(line(4, 0), 1), 2, 3),),
        (Span(line(2, 0), 1),),
    )
    renaming = Renaming(found, NODE, 4, 14)
    new = Block(line(14, 0), 2, point(line(12, 0), TEXT), point(line(12, 0), OUT))
    assert renaming.renamed(deed) == Deed(
        (),
        (new,),
        (Deletion((Span(line(12, 0), 1),), new),),
        (Cancel(Span(line(1, 0), 1), (12,)),),
        (Precedence(line(12, 1), line(13, 5), 0),),
        ((12, 0),),
        (Verdict(Span(line(14, 0), 1), 12, 13),),
        (Span(line(12, 0), 1),),
    )
    assert renaming.is_exact


def test_what_is_named_weakly_may_be_lost_and_that_is_noted() -> None:
    found = images()
    found.stand(2, NODE, 12)
    deed = Deed(verdicts=(Verdict(Span(line(2, 0), 1), 4, 0),), keeps=(Span(line(3, 0), 2),))
    renaming = Renaming(found, NODE, 2, 12)
    assert renaming.renamed(deed) == Deed(keeps=(Span(line(13, 5), 1),))
    assert not renaming.is_exact


def test_orders_of_what_was_said_anew_are_not_taken_back_by_their_place() -> None:
    renaming = Renaming(images(), NODE, 2, 12)
    assert renaming.renamed(Deed(unorders=((3, 0),))) == Deed()
    assert not renaming.is_exact


def test_a_line_that_cannot_be_done_without_is_lost() -> None:
    deletion = Deletion((Span(line(3, 0), 1),), None)
    with pytest.raises(LostLineError):
        Renaming(images(), NODE, 2, 12).renamed(Deed((), (), (deletion,)))
