import pytest
from pyroaring import BitMap

from oxy.repo.repository import Repository
from oxy.repo.rewriting.images import Images
from oxy.repo.rewriting.parts import Part, take_apart
from oxy.repo.rewriting.refusal import UnsayableError
from oxy.repo.rewriting.saying import Ground, Saying, by_place
from oxy.repo.rewriting.texts import Texts
from tests.builders.history import History, Made

NODE = 1


@pytest.fixture
def history() -> History:
    """Return a text of 1, edited by 2, and deleted by 3 without that."""
    made = History(Repository.in_memory())
    made.commit({b"f": b"a\nb\n"})
    made.commit({b"f": b"a\nb\nc\n"}, 1)
    made.commit({b"f": None}, 1)
    return made


def saying(history: History, *rewritten: int) -> tuple[Saying, Images]:
    nodes, images = history.repository.nodes, Images(rewritten)
    return Saying(nodes, images, Texts(nodes, images)), images


def part(history: History, change: int) -> Part:
    return take_apart(history.repository, change).parts[NODE]


def test_what_one_did_is_noted_and_said(history: History) -> None:
    says, images = saying(history, 2)
    ground = Ground(4, BitMap([1]), BitMap([1, 2]), BitMap([1]))
    found = says.part(ground, NODE, [(2, part(history, 2))])
    assert found is not None
    assert found.content == b"c\n"
    assert images.change(2, NODE) == 4


def test_an_edit_of_a_file_without_an_image_cannot_be_said(history: History) -> None:
    says, _ = saying(history, 1, 2)
    ground = Ground(4, BitMap([1]), BitMap([1, 2]), BitMap())
    with pytest.raises(UnsayableError, match="not there"):
        says.part(ground, NODE, [(2, part(history, 2))])


def test_what_comes_and_goes_is_nothing(history: History) -> None:
    says, images = saying(history, 1, 3)
    ground = Ground(4, BitMap(), BitMap([1, 3]), BitMap())
    assert says.part(ground, NODE, [(1, part(history, 1)), (3, part(history, 3))]) is None
    assert images.change(1, NODE) is None


def test_an_edit_that_a_deletion_did_not_see_is_not_decided_in_silence(
    history: History,
) -> None:
    says, _ = saying(history)
    says.check(NODE, NODE, BitMap([1, 2, 3]), BitMap([1, 2, 3]))
    with pytest.raises(UnsayableError, match="a conflict would be decided"):
        says.check(NODE, NODE, BitMap([1, 2, 3]), BitMap([1, 3]))
    with pytest.raises(UnsayableError, match="a conflict would be decided"):
        says.check(NODE, None, BitMap([1, 2]), BitMap())


def test_files_that_one_change_creates_stand_in_the_order_of_their_paths() -> None:
    history = History(Repository.in_memory())
    history.commit({b"b": Made(b"1\n"), b"a/c": Made(b"2\n")})
    parts = take_apart(history.repository, 1).parts.values()
    assert sorted(map(by_place, parts)) == [b"a/c", b"b"]
