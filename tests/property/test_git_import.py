"""Whatever history Git holds, its changes read as its commits do (GB14, GB23, GB29)."""

import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

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


texts = st.lists(st.sampled_from(LINES), max_size=8).map(b"".join)
kinds = st.one_of(
    texts,
    texts,
    texts.map(lambda text: text.removesuffix(b"\n")),
    texts.map(lambda text: Blob(text, b"100755")),
    st.just(Blob(b"a", b"120000")),
    st.just(b"x\0y"),
    st.none(),
)
steps = st.builds(
    Step,
    st.lists(st.integers(0, 20), min_size=1, max_size=3),
    st.integers(0, 20),
    st.dictionaries(st.sampled_from(PATHS), kinds, max_size=3),
)


def made(git: GitRepo, history: list[Step]) -> None:
    """Make the commits; `main` has all of them."""
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
    git.branch("main", git.commit(trees[-1], *dict.fromkeys(reversed(commits))))


@settings(max_examples=EXAMPLES)
@given(st.lists(steps, min_size=1, max_size=8))
def test_every_commit_of_any_history_reads_as_git_has_it(history: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as place:
        git = GitRepo(Path(place) / "git")
        made(git, history)
        repository, report = brought(git)
        commits = git.git("rev-list", "--all").decode().split()
        for commit in commits:
            assert shown(repository, change_of(repository, commit)) == listed(git, commit)
        assert verify(repository, Silent()).mismatches == ()
        stepwise, _ = brought(git, limit=report.commits // 2)
        brought(git, stepwise)
        assert ids(stepwise, git) == ids(repository, git)
