"""Trees are functions of sets of changes, whatever the order of arrival (spec: names, N21)."""

from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import EMPTY, Directory, files, get, subtree
from oxy.repo.trees import moved, tree_of
from oxy.store.protocol import CHANGE
from tests.builders.arrivals import copied, told
from tests.builders.scribe import File, Scribe

PATHS: Final = (b"f", b"d/f", b"d/g", b"d/e/f", b"e/f", b"e/d/g", b"n")
DIRECTORIES: Final = (b"d", b"e", b"d/e", b"e/d", b"n", b"m/n")
TEXTS: Final = (b"a\n", b"b\n", b"a\nb\n")


def play(scribe: Scribe, data: st.DataObject) -> list[Name]:
    """Record a random history on states and on unions of them."""
    names = [Name()]
    for _ in range(data.draw(st.integers(2, 8))):
        picked = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2))
        name = scribe.repository.states.join(tuple(picked))
        before = scribe.repository.store.count(CHANGE)
        step(scribe, name, data)
        if scribe.repository.store.count(CHANGE) > before:
            names.append(scribe.repository.states.name_of_change(before + 1))
    return names


def step(scribe: Scribe, name: Name, data: st.DataObject) -> None:
    root, paths = tree_of(scribe.repository, name), scribe.paths(name)
    kind = data.draw(st.sampled_from(["add", "edit", "delete", "rename", "move"]))
    path, other = data.draw(st.sampled_from(PATHS)), data.draw(st.sampled_from(PATHS))
    file = File(data.draw(st.sampled_from(TEXTS)), mode=data.draw(st.integers(0, 1)))
    is_there = path in paths and get(root, path) is not None
    is_free = subtree(root, other) is None and not is_below_file(root, other)
    if kind == "add" and is_free:
        scribe.commit(name, {other: file})
    elif kind == "edit" and is_there and scribe.text(path, name) != file.data:
        scribe.commit(name, {path: file})
    elif kind == "delete" and is_there:
        scribe.commit(name, {path: None})
    elif kind == "rename" and is_there and is_free:
        scribe.commit(name, {}, {path: other})
    elif kind == "move":
        old, new = (data.draw(st.sampled_from(DIRECTORIES)) for _ in range(2))
        is_inside = new == old or new.startswith(old + b"/")
        if isinstance(subtree(root, old), Directory) and not is_inside:
            scribe.commit(name, {}, {}, {old: new})


def is_below_file(root: Directory, path: bytes) -> bool:
    while path := path.rpartition(b"/")[0]:
        if get(root, path) is not None:
            return True
    return False


def an_order(repository: Repository, data: st.DataObject) -> list[int]:
    """Draw an order in which changes follow what they name."""
    left = set(range(1, repository.store.count(CHANGE) + 1))
    order: list[int] = []
    while left:
        ready = [c for c in left if left.isdisjoint(repository.states.link(c).named)]
        order.append(data.draw(st.sampled_from(sorted(ready))))
        left.discard(order[-1])
    return order


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_a_tree_is_the_same_in_every_order_of_arrival_and_from_every_state(
    data: st.DataObject,
) -> None:
    repository = Repository.in_memory()
    names = play(Scribe(repository), data)
    states = repository.states
    name = states.join(tuple(data.draw(st.lists(st.sampled_from(names), max_size=3))))
    state = states.members(name)
    wanted = list(files(moved(repository, EMPTY, BitMap(), state)))
    for near in data.draw(st.lists(st.sampled_from(names), max_size=3)):
        old = states.members(near)
        root = moved(repository, EMPTY, BitMap(), old)
        assert list(files(moved(repository, root, old, state))) == wanted
    order = an_order(repository, data)
    copy = copied(repository, order)
    theirs = BitMap(at for at, change in enumerate(order, 1) if change in state)
    root = moved(copy, EMPTY, BitMap(), theirs)
    own = moved(repository, EMPTY, BitMap(), state)
    assert told(copy, root) == told(repository, own)
