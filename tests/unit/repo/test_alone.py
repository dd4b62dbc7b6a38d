import pytest

from oxy.model.digest import blob_id
from oxy.model.operation import KIND_BINARY, KIND_SYMLINK, KIND_TEXT, BlobRef
from oxy.repo import alone, trees
from oxy.repo.alone import Sole, chunks, made_alone, read_together, sole, soles
from oxy.repo.lacking import MissingBlobError
from oxy.repo.nodes import Nodes
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import EMPTY, files
from oxy.repo.trees import tree_of
from tests.builders.scribe import File, Scribe

LONG = b"a line of a long text\n" * 300
FILES = {
    b"d/%03d" % number: File(b"%d\n" % number, mode=number % 2) for number in range(trees.MANY)
} | {
    b"binary": File(b"\0" * 9, KIND_BINARY),
    b"blob": File(b"\0" * 9000, KIND_BINARY),
    b"empty": File(b""),
    b"long": File(LONG, mode=1),
    b"long without": File(LONG + b"end"),
    b"short without": File(b"a\nb"),
    b"symlink": File(b"where", KIND_SYMLINK),
}


class RefusalError(Exception):
    """Something was read that need not be."""


def refuse(*_: object, **__: object) -> None:
    raise RefusalError


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(Repository.in_memory())


def test_a_file_that_one_change_touches_reads_as_its_graph_does(scribe: Scribe) -> None:
    scribe.commit(Name(), FILES)
    repository = scribe.repository
    state = repository.states.members(Name((1,)))
    for path, node in scribe.paths(Name((1,))).items():
        found = sole(repository.nodes, node, state)
        assert found is not None, path
        assert found.kind == FILES[path].kind
        data = b"".join(chunks(repository.nodes, found))
        assert data == b"".join(repository.nodes.content(node, state)) == FILES[path].data
        assert found.digest in {None, blob_id(data)}


def test_a_blob_that_is_the_file_tells_its_digest(scribe: Scribe) -> None:
    scribe.commit(Name(), FILES)
    repository = scribe.repository
    state = repository.states.members(Name((1,)))
    paths = scribe.paths(Name((1,)))
    told = {
        path for path in paths if (s := sole(repository.nodes, paths[path], state)) and s.digest
    }
    assert told == {b"blob", b"long"}


def test_a_file_that_was_edited_or_is_not_there_is_nobodys_alone(scribe: Scribe) -> None:
    scribe.commit(Name(), {b"f": File(b"1\n"), b"g": File(b"1\n")})
    scribe.commit(Name((1,)), {b"f": File(b"2\n")})
    repository = scribe.repository
    paths = scribe.paths(Name((2,)))
    newer, nothing = (repository.states.members(n) for n in (Name((2,)), Name()))
    assert sole(repository.nodes, paths[b"f"], newer) is None
    assert sole(repository.nodes, paths[b"g"], newer) is not None
    assert sole(repository.nodes, paths[b"g"], nothing) is None


def test_a_range_yields_the_nodes_that_one_change_touches(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alone, "BATCH", 7)
    scribe.commit(Name(), {b"d/%02d" % n: File(b"x\n", mode=n % 2) for n in range(20)})
    scribe.commit(Name((1,)), {b"d/03": File(b"y\n"), b"d/07": None, b"new": File(b"z\n")})
    found = dict(made_alone(scribe.repository.store, 2, 21))
    assert [made.place for made in found.values()] == [
        b"d/%02d" % n for n in range(1, 20) if n not in (3, 7)
    ] + [b"new"]
    assert found[2] == (1, KIND_TEXT, b"d/01", 1)
    assert found[21] == (2, KIND_TEXT, b"new", 0)


@pytest.mark.parametrize("moves", [{}, {b"d": b"e/f"}])
def test_trees_are_the_same_read_as_a_range_or_node_by_node(
    scribe: Scribe, moves: dict[bytes, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe.commit(Name(), FILES)
    scribe.commit(Name((1,)), {b"d/003": File(b"y\n"), b"d/007": None, b"long": File(b"q\n")})
    scribe.commit(Name((2,)), {}, {b"empty": b"full"}, moves)
    repository = scribe.repository
    states = [repository.states.members(Name(heads)) for heads in ((), (1,), (2,), (3,))]

    def found() -> list[list[tuple[bytes, object]]]:
        steps = [(a, b) for a in states for b in states]
        roots = {id(a): trees.moved(repository, EMPTY, states[0], a) for a in states}
        return [list(files(trees.moved(repository, roots[id(a)], a, b))) for a, b in steps]

    at_once = found()
    monkeypatch.setattr(trees, "MANY", 1 << 30)
    assert at_once == found()


def test_a_large_tree_is_worked_out_without_looking_at_single_nodes(
    scribe: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe.commit(Name(), FILES)
    monkeypatch.setattr(Nodes, "registers", refuse)
    monkeypatch.setattr(Nodes, "graph", refuse)
    root = tree_of(scribe.repository, Name((1,)))
    assert [path for path, _ in files(root)] == sorted(FILES)


def test_a_tree_that_was_worked_out_is_remembered_until_a_rollback(scribe: Scribe) -> None:
    scribe.commit(Name(), {b"f": File(b"1\n")})
    repository = scribe.repository
    root = tree_of(repository, Name((1,)))
    assert tree_of(repository, Name((1,))) is root
    repository.forget()
    assert tree_of(repository, Name((1,))) is not root


def test_many_files_read_as_each_alone(scribe: Scribe) -> None:
    scribe.commit(Name(), {**FILES, b"big": File(b"big line\n" * 200_000)})
    second = scribe.commit(Name((1,)), {b"long": File(LONG + b"more\n"), b"new": File(LONG)})
    repository = scribe.repository
    nodes, state = repository.nodes, repository.states.members(Name((second.number,)))
    every = list(scribe.paths(Name((second.number,))).values())
    for wanted in (every, every[::20], every[:1], []):
        held = soles(nodes, wanted, state)
        one_by_one = {node: sole(nodes, node, state) for node in wanted}
        assert held == {node: found for node, found in one_by_one.items() if found}
        read = [b"".join(pieces) for pieces in read_together(nodes, list(held.values()))]
        assert read == [b"".join(nodes.content(node, state)) for node in held]


def test_a_blob_that_is_lost_is_named_among_many(scribe: Scribe) -> None:
    lost = Sole(KIND_BINARY, BlobRef(blob_id(b"lost"), 4), 1)
    with pytest.raises(MissingBlobError):
        list(read_together(scribe.repository.nodes, [lost]))
