import pytest
from pyroaring import BitMap

from oxy.graph.weave import SHIFT
from oxy.repo.repository import Repository
from oxy.repo.rewriting.images import Images
from oxy.repo.rewriting.parts import take_apart
from oxy.repo.rewriting.refusal import UnsayableError
from oxy.repo.rewriting.texts import Said, Site, Texts
from tests.builders.history import History

NODE = 1


@pytest.fixture
def history() -> History:
    """Return a text: 1; an edit of it, 2; two edits of one line apart, 3 and 4."""
    made = History(Repository.in_memory())
    made.commit({b"f": b"a\nb\nc\n"})
    made.commit({b"f": b"a\nnew\nb\nc\n"}, 1)
    made.commit({b"f": b"a\nB\nc\n"}, 1)
    made.commit({b"f": b"a\nbb\nc\n"}, 1)
    return made


def site(before: list[int], after: list[int], base: list[int]) -> Site:
    return Site(NODE, NODE, BitMap(before), BitMap(after), BitMap(base), 5)


def said(history: History, texts: Texts, change: int, where: Site) -> Said:
    part = take_apart(history.repository, change).parts[NODE]
    assert part.deed is not None
    return texts.renamed(where, change, part.deed, part.content)


def test_what_has_images_is_said_in_the_same_words(history: History) -> None:
    images = Images([2])
    images.stand(2, NODE, 5)
    texts = Texts(history.repository.nodes, images)
    found = said(history, texts, 2, site([1], [1, 2], [1]))
    assert found.content == b"new\n"
    assert found.deed is not None
    assert found.deed.blocks[0].start == 5 << SHIFT
    assert texts.bent == frozenset()


def test_what_several_did_is_recorded_as_one(history: History) -> None:
    images = Images([2, 3])
    texts = Texts(history.repository.nodes, images)
    found = texts.replayed(site([1], [1, 2, 3], [1]), [2, 3])
    assert found.content == b"new\nB\n"
    assert found.deed is not None
    assert len(found.deed.deletions) == 1
    assert texts.bent == {NODE}
    assert images.line(NODE, 3 << SHIFT) == (5 << SHIFT) + 1


def test_what_is_in_conflict_is_not_recorded_as_one(history: History) -> None:
    texts = Texts(history.repository.nodes, Images([3, 4]))
    with pytest.raises(UnsayableError, match="in conflict"):
        texts.replayed(site([1], [1, 3, 4], [1]), [3, 4])


def test_lines_that_are_not_there_cannot_be_kept(history: History) -> None:
    texts = Texts(history.repository.nodes, Images([2]))
    with pytest.raises(UnsayableError, match="not there"):
        texts.replayed(site([1], [1, 2], [1, 3]), [2])


def test_elsewhere_nothing_is_recorded_anew(history: History) -> None:
    images = Images([2])
    texts = Texts(history.repository.nodes, images, is_elsewhere=True)
    with pytest.raises(UnsayableError):
        texts.replayed(site([1], [1, 2], [1]), [2])


def test_a_text_that_reads_otherwise_in_the_end_is_told(history: History) -> None:
    texts = Texts(history.repository.nodes, Images([]))
    texts.check(NODE, NODE, BitMap([1, 2]), BitMap([1, 2]))
    with pytest.raises(UnsayableError, match="would not read"):
        texts.check(NODE, NODE, BitMap([1, 2]), BitMap([1]))
