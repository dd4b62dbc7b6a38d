from pathlib import Path

import pytest

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from tests.builders.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def placed(shop: Workshop) -> list[object]:
    base = shop.base()
    with shop.repository() as repository:
        return [(path, entry[:3]) for path, entry in files(tree_of(repository, base))]


def kept_and_rebuilt(shop: Workshop) -> tuple[list[object], list[object]]:
    """Return the tree as the cache keeps it, and as a cache that is empty makes it."""
    kept = placed(shop)
    (shop.root / ".oxy/cache/checkpoints.db").unlink()
    again = placed(shop)
    return kept, again


def test_a_first_commit_keeps_the_tree_and_leaves_nothing_changed(shop: Workshop) -> None:
    shop.write("a/b/c.txt", "c\n")
    shop.write("a/d.txt", "d")
    (shop.root / "a/b/link").symlink_to("c.txt")
    (shop.root / "run").write_bytes(b"\0binary")
    (shop.root / "run").chmod(0o755)
    shop.write("a.txt", "")
    shop.write("a/b.txt", "b\n")
    shop.commit("first")
    assert shop.differs() == []
    kept, again = kept_and_rebuilt(shop)
    assert kept == again
    assert len(kept) == 6


def test_a_first_commit_of_a_few_paths_leaves_the_others(shop: Workshop) -> None:
    shop.commit("first", a="a\n", b="b\n")
    shop.commit("second", a=None, b=None)
    shop.commit("first again", c="c\n")
    assert shop.differs() == []
    shop.write("c", "edited\n")
    assert shop.differs() == [(b"c", "modified")]
    kept, again = kept_and_rebuilt(shop)
    assert kept == again


def test_version_keys_are_those_that_the_changes_give(shop: Workshop) -> None:
    shop.commit("first", a="a\n", b="b\n")
    with shop.repository() as repository:
        kept = list(files(tree_of(repository, Name((1,)))))
        assert [entry.key for _, entry in kept] == [version(repository)] * 2


def version(repository: Repository) -> bytes:
    return repository.keys.moved(bytes(16), 1)
