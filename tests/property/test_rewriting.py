"""What a rewrite leaves as it was, on random histories with merges (spec: states, S12)."""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.cli.watching import Silent
from oxy.codec.decode import decode
from oxy.graph.weave import SHIFT
from oxy.repo.check.blobs import Blobs
from oxy.repo.check.changes import Changes
from oxy.repo.replaced import replaced_by_header
from oxy.repo.repository import Repository
from oxy.repo.rewriting.engine import rewrite
from oxy.repo.rewriting.refusal import LostPlaceError, NeededError
from oxy.repo.rewriting.steps import Plan, Step
from oxy.repo.standing import standing
from oxy.repo.states import Name
from oxy.repo.tables import NODE, number
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.repo.writing import writing
from oxy.store.protocol import CHANGE
from tests.builders.rewrites import MAKERS, Make, Rewrite, World, apply, reworded
from tests.builders.scribe import STAMP

REWRITES = 3


class Seen(NamedTuple):
    """A file of a state: bytes, mode, whether it reads in one way, and each line's change."""

    data: bytes
    mode: int
    is_sole: bool
    origins: tuple[int, ...]


def seen(repository: Repository, name: Name) -> dict[bytes, Seen]:
    state = repository.states.members(name)
    nodes = repository.nodes
    found = {}
    for path, entry in files(tree_of(repository, name)):
        view, reading = nodes.view(entry.node, state), nodes.reading(entry.node, state)
        data = b"".join(nodes.content(entry.node, state))
        origins = tuple(s.start >> SHIFT for s in reading.spans() for _ in range(s.size))
        found[path] = Seen(data, view.mode, reading.is_clean, origins)
    return found


def is_settled(repository: Repository, name: Name) -> bool:
    """Tell whether no file has two places or modes, and none is in another's way."""
    state = repository.states.members(name)
    nodes = (number(key) for key, _ in repository.store.rows(NODE))
    in_dispute = any(standing(repository.nodes, node, state).flags for node in nodes)
    return not in_dispute and not any(
        b".~" in path for path, _ in files(tree_of(repository, name))
    )


def check(world: World, done: Rewrite, before: BitMap) -> None:
    repository, images = world.repository, done.done.images
    members = repository.states.members(done.done.state)
    new = {image for found in images.values() for image in found}
    assert members == BitMap(c for c in before if c not in images) | BitMap(new)
    check_links(repository, new)
    check_replaced(repository, done)
    if not is_settled(repository, done.meant):
        return
    meant, found = seen(repository, done.meant), seen(repository, done.done.state)
    assert meant.keys() == found.keys()
    together = {
        source for step in done.plan.steps if len(step.sources) > 1 for source in step.sources
    }
    made = {image for source in together for image in images[source]}
    for path, file in meant.items():
        if not file.is_sole:
            continue
        assert found[path][:2] == file[:2]
        for old, image in zip(file.origins, found[path].origins, strict=False):
            is_made_of_several = old in together or image in made
            assert is_made_of_several or image in images.get(old, (old,))


def check_links(repository: Repository, new: set[int]) -> None:
    """Check that new changes are such as strangers take in, and know what they depend on."""
    states = repository.states
    for change in new:
        decode(repository.store.read(CHANGE, change))
        link = states.link(change)
        assert BitMap(link.deps) <= states.members(link.context)


def check_replaced(repository: Repository, done: Rewrite) -> None:
    silent = {source for step in done.plan.steps for source in step.silent}
    for old, images in done.done.images.items():
        name = repository.store.id_of(CHANGE, old)
        for image in images:
            named = replaced_by_header(repository.header(image))
            assert (name in named) == (old not in silent)


def follows(repository: Repository, done: Rewrite, before: BitMap) -> BitMap:
    """Return the changes that know one of those that were rewritten, or are to."""
    named = BitMap(source for step in done.plan.steps for source in step.sources)
    named |= BitMap(done.plan.knows)
    states = repository.states
    return BitMap(change for change in before if not named.isdisjoint(states.of_change(change)))


@pytest.mark.parametrize("make", MAKERS)
@given(draws=st.randoms(use_true_random=True), changes=st.integers(2, 12))
def test_files_read_as_meant_and_lines_keep_their_change(
    make: Make, draws: Random, changes: int
) -> None:
    world = World(draws, changes)
    for _ in range(REWRITES):
        before = BitMap(world.members())
        if len(before) < len("ab"):
            return
        count = world.repository.store.count(CHANGE)
        try:
            done = apply(world, make)
        except (NeededError, LostPlaceError):
            assert world.repository.store.count(CHANGE) == count
            continue
        check(world, done, before)
        assert done.done.images.keys() & before <= set(follows(world.repository, done, before))
    assert not [*Changes(world.repository, Blobs(world.repository.store)).check(Silent())]


@given(draws=st.randoms(use_true_random=True), changes=st.integers(1, 10))
def test_what_is_ones_own_follows_what_others_replaced(draws: Random, changes: int) -> None:
    world = World(draws, changes)
    repository, old = world.repository, world.state
    own = world.scribe.commit(old, *world.edits(old)).number
    done = apply(world, reworded).done
    follows = {change: images for change, images in done.images.items() if change != own}
    mine = repository.states.name_of(repository.states.members(old) | BitMap([own]))
    plan = Plan(mine, (Step((own,), own),), onto=done.state, follows=follows)
    try:
        with writing(repository, STAMP, "fast") as work:
            followed = rewrite(work, plan)
    except LostPlaceError:
        return
    check_links(repository, set(followed.images[own]))
    members = repository.states.members
    assert members(followed.state) == members(done.state) | BitMap(followed.images[own])
    if not is_settled(repository, mine):
        return
    meant, found = seen(repository, mine), seen(repository, followed.state)
    assert meant.keys() == found.keys()
    for path, file in meant.items():
        assert found[path][:2] == file[:2] or not file.is_sole
    assert not [*Changes(repository, Blobs(repository.store)).check(Silent())]
