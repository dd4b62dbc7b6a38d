"""Rows made while recording are those made from the segments alone (spec: store, ST3)."""

from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import CONTROL, Repository, identify
from oxy.repo.states import Name
from oxy.repo.tables import REF
from oxy.repo.tree import EMPTY, edited, files
from oxy.repo.trees import keep, tree_of
from oxy.store.file import rebuild
from oxy.store.protocol import Reader
from tests.naive.scribe import File, Scribe

TABLES: Final = range(1, REF + 3)
PATHS: Final = (b"f", b"d/f", b"d/e/g", b"h")
TEXTS: Final = (b"", b"a\n", b"a\nb\nc\n", b"a\nx\nc", b"x\ny\n", b"a\nb\n" * 1200)
FILES: Final = st.one_of(
    st.builds(File, st.sampled_from(TEXTS), st.just(KIND_TEXT), st.integers(0, 1)),
    st.none(),
)
OTHERS: Final = {
    b"bin": st.builds(
        File, st.sampled_from([b"\0", b"\0" * 5000]), st.just(KIND_BINARY), st.integers(0, 1)
    ),
    b"link": st.builds(File, st.sampled_from([b"f", b"d"]), st.just(KIND_SYMLINK), st.just(0)),
}
EDITS: Final = st.fixed_dictionaries(
    {}, optional={**dict.fromkeys(PATHS, FILES), **OTHERS}
).filter(bool)


def dump(reader: Reader) -> dict[int, dict[bytes, bytes]]:
    """Return every row of every table."""
    return {table: dict(reader.rows(table)) for table in TABLES}


def play(scribe: Scribe, data: st.DataObject, most: int) -> list[Name]:
    """Record a random history: edits on states, on unions of them, and without some change."""
    names = [Name()]
    for _ in range(data.draw(st.integers(1, most))):
        name = _context(scribe.repository, names, data)
        wanted = data.draw(EDITS)
        held = _held(scribe, name)
        edits = {p: f for p, f in wanted.items() if f != held.get(p)}
        if edits:
            recording = scribe.commit(name, edits)
            names.append(scribe.repository.states.name_of_change(recording.number))
    return names


def _held(scribe: Scribe, name: Name) -> Mapping[bytes, File]:
    nodes = scribe.repository.nodes
    state = scribe.repository.states.members(name)
    views = {path: nodes.view(node, state) for path, node in scribe.paths(name).items()}
    return {
        path: File(scribe.text(path, name), view.kind, view.mode)
        for path, view in views.items()
    }


def _context(repository: Repository, names: list[Name], data: st.DataObject) -> Name:
    picked = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2))
    joined = repository.states.join(tuple(picked))
    state = repository.states.members(joined)
    if not state or data.draw(st.integers(0, 3)):
        return joined
    gone = {data.draw(st.sampled_from(sorted(state)))}
    for change in sorted(state):
        if not gone.isdisjoint(repository.states.link(change).deps):
            gone.add(change)
    return repository.states.name_of(state - type(state)(gone))


@settings(max_examples=40)
@given(st.data())
def test_a_database_made_anew_has_the_same_rows(data: st.DataObject) -> None:
    with TemporaryDirectory() as directory:
        root = directory.encode()
        repository = Repository.create(root, "fast")
        play(Scribe(repository), data, 7)
        before = dump(repository.store)
        repository.close()
        assert rebuild(root + b"/" + CONTROL, identify, Reindexer()) == []
        again = Repository.at(root)
        assert dump(again.store) == before
        again.close()


@settings(max_examples=40)
@given(st.data())
def test_every_state_reads_the_same_when_nothing_is_remembered(data: st.DataObject) -> None:
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    names = play(scribe, data, 7)
    warm = [(name, _held(scribe, name)) for name in names]
    repository.forget()
    for name, held in reversed(warm):
        assert _held(scribe, name) == held


@settings(max_examples=40)
@given(st.data())
def test_trees_are_those_of_the_nodes_whatever_the_cache_holds(data: st.DataObject) -> None:
    with TemporaryDirectory() as directory:
        repository = Repository.create(directory.encode(), "fast")
        scribe = Scribe(repository)
        names = play(scribe, data, 7)
        for name in names:
            fresh = tree_of(repository, name)
            assert {p: e.node for p, e in files(fresh)} == _claimed(scribe, name)
            if data.draw(st.booleans()):
                keep(repository, name, fresh)
        kept = [tree_of(repository, name) for name in names]
        repository.cache.close()
        for name, tree in zip(names, kept, strict=True):
            assert list(files(tree_of(repository, name))) == list(files(tree))
        assert list(files(edited(EMPTY, {}))) == []
        repository.close()


def _claimed(scribe: Scribe, name: Name) -> dict[bytes, int]:
    return scribe.paths(name)
