"""Whatever history Git holds, its changes read as its commits do (GB5, GB14, GB23, GB29)."""

import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import EMPTY, Directory, files
from oxy.repo.trees import moved, tree_of
from oxy.worktree.conflicted import content
from oxy_git.verify.run import verify
from tests.builders.bridge import Silent, brought, change_of, ids, listed, shown
from tests.builders.gitrepo import Blob, GitRepo

EXAMPLES = 40
PATHS = (b"a", b"b", b"d/a", b"d/b", b"e/f/g")
LINES = (b"x\n", b"y\n", b"z\n", b"{\n", b"}\n")


class Step(NamedTuple):
    """A commit: its parents, counted back; whose files it takes; and what it puts there."""

    parents: list[int]
    takes: int
    puts: dict[bytes, bytes | Blob | None]


class Split(NamedTuple):
    """An import of some first commits, or of a branch that leads to a commit."""

    commits: int
    is_branch: bool


texts = st.lists(st.sampled_from(LINES), max_size=8).map(b"".join)
kinds = st.one_of(
    texts,
    texts,
    texts.map(lambda text: text.removesuffix(b"\n")),
    texts.map(lambda text: Blob(text, b"100755")),
    st.just(Blob(b"a", b"120000")),
    st.just(b"x\0y"),
    st.sampled_from([Blob(digit * 40, b"160000") for digit in (b"1", b"2")]),
    st.none(),
)
steps = st.builds(
    Step,
    st.lists(st.integers(0, 20), min_size=1, max_size=3),
    st.integers(0, 20),
    st.dictionaries(st.sampled_from(PATHS), kinds, max_size=3),
)
splits = st.lists(st.builds(Split, st.integers(1, 20), st.booleans()), max_size=4)


def made(git: GitRepo, history: list[Step]) -> list[str]:
    """Make the commits and return them; `main` has all of them."""
    trees: list[dict[bytes, bytes | Blob]] = [{b"a": b"".join(LINES), b"d/a": b"".join(LINES)}]
    commits = [git.commit(trees[0])]
    for parents, takes, puts in history:
        files = dict(trees[takes % len(trees)])
        for path, file in puts.items():
            files.pop(path, None)
            if file is not None:
                files[path] = file
        trees.append(files)
        named = [commits[-1 - parent % len(commits)] for parent in parents]
        commits.append(git.commit(files, *named))
    return [*commits, git.commit(trees[-1], *dict.fromkeys(reversed(commits)))]


def read_alike(repository: Repository, git: GitRepo, commit: str) -> None:
    """Check that the state of a commit is its tree, and that nothing of it is in conflict."""
    change = change_of(repository, commit)
    assert shown(repository, change) == listed(git, commit)
    state = repository.states.of_change(change)
    tree = tree_of(repository, Name((change,)))
    anew = moved(repository, EMPTY, BitMap(), state)
    assert _listed(tree) == _listed(anew)
    for path, entry in files(tree):
        assert (path, entry.disputed) == (path, 0)
        if entry.kind == KIND_TEXT:
            plain = b"".join(repository.nodes.content(entry.node, state))
            assert b"".join(content(repository, entry.node, state)) == plain


def _listed(tree: Directory) -> list[tuple[bytes, int, int, int, bytes, int]]:
    return [(path, *entry[:5]) for path, entry in files(tree)]


def in_pieces(git: GitRepo, commits: list[str], pieces: list[Split]) -> Repository:
    """Import a history in more than one run, its branches as they come."""
    into, _ = brought(git, limit=0)
    part = git.cloned("part")
    for number, (count, is_branch) in enumerate(pieces):
        if is_branch:
            part.branch(f"{-number % 3}", commits[count % len(commits)])
            brought(part, into)
        else:
            brought(git, into, limit=count)
    brought(git, into)
    return into


@settings(max_examples=EXAMPLES)
@given(st.lists(steps, min_size=1, max_size=12), splits)
def test_every_commit_of_any_history_reads_as_git_has_it(
    history: list[Step], pieces: list[Split]
) -> None:
    with tempfile.TemporaryDirectory() as place:
        git = GitRepo(Path(place) / "git")
        commits = made(git, history)
        git.branch("main", commits[-1])
        repository, _ = brought(git)
        for commit in dict.fromkeys(commits):
            read_alike(repository, git, commit)
        assert verify(repository, Silent()).mismatches == ()
        assert ids(in_pieces(git, commits, pieces), git) == ids(repository, git)
