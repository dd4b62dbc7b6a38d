"""Rows made while recording are those made from the segments alone (spec: store, ST3)."""

from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT, PLACE
from oxy.repo.place import CONTROL
from oxy.repo.reindexing import Reindexer
from oxy.repo.repository import Repository, identify
from oxy.repo.standing import standing
from oxy.repo.states import Name
from oxy.repo.tables import NODE, TABLES, number
from oxy.repo.tree import files
from oxy.repo.trees import keep, tree_of
from oxy.store.file import rebuild
from oxy.store.protocol import Reader
from tests.builders.scribe import File, Scribe

PATHS: Final = (b"f", b"d", b"d/f", b"d/f/g", b"h")
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
        edits = {p: f for p, f in wanted.items() if f != held.get(p) and _fits(wanted, held, p)}
        if edits:
            recording = scribe.commit(name, edits)
            names.append(scribe.repository.states.name_of_change(recording.number))
    return names


def _fits(wanted: Mapping[bytes, File | None], held: Mapping[bytes, File], path: bytes) -> bool:
    """Tell whether a file may be at a path: no other is above or below it."""
    others = {other for other, file in {**held, **wanted}.items() if file is not None}
    return wanted[path] is None or not any(
        path.startswith(other + b"/") or other.startswith(path + b"/") for other in others
    )


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


@settings(max_examples=settings().max_examples // 2)
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


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_every_state_reads_the_same_when_nothing_is_remembered(data: st.DataObject) -> None:
    repository = Repository.in_memory()
    scribe = Scribe(repository)
    names = play(scribe, data, 7)
    warm = [(name, _held(scribe, name)) for name in names]
    repository.forget()
    for name, held in reversed(warm):
        assert _held(scribe, name) == held


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_trees_are_those_of_the_claims_whatever_the_cache_holds(data: st.DataObject) -> None:
    with TemporaryDirectory() as directory:
        repository = Repository.create(directory.encode(), "fast")
        names = play(Scribe(repository), data, 7)
        for name in data.draw(st.permutations(names)):
            tree = tree_of(repository, name)
            assert {p: e.node for p, e in files(tree)} == shown(repository, name)
            if data.draw(st.booleans()):
                keep(repository, name, tree)
        repository.close()


def shown(repository: Repository, name: Name) -> dict[bytes, int]:
    """Return which node shows at each path by the rules of names alone."""
    nodes, state = repository.nodes, repository.states.members(name)
    claims: dict[bytes, dict[object, tuple[bytes, int]]] = {}
    for row, value in repository.store.rows(NODE):
        node = number(row)
        seen, flags = standing(nodes, node, state)
        if seen.path is None:
            continue
        is_torn = flags or not nodes.reading(node, state).is_clean
        alike = node if is_torn else (seen[0], seen[2], *nodes.content(node, state, seen))
        alone, held = (value[:32], node), claims.setdefault(seen.path, {})
        held[alike] = min(alone, held.get(alike, alone))
    above = {path[:at] for path in claims for at, byte in enumerate(path) if byte == ord("/")}
    found: dict[bytes, int] = {}
    losers: list[tuple[bytes, int]] = []
    for path, claimants in sorted(claims.items()):
        ordered = [node for _, node in sorted(claimants.values())]
        if path not in above:
            found[path] = ordered.pop(0)
        losers += ((path, node) for node in ordered)
    for path, node in losers:
        values = nodes.registers(node).values(PLACE, state)
        digits = min(nodes.rank(c) for value in values for c in value.changes).hex()
        found[path + b".~" + digits[:8].encode()] = node
    return found
