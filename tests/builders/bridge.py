"""Imports into repositories in memory, and what their states hold in Git's terms."""

from hashlib import sha1
from itertools import count

from oxy.model.operation import KIND_SUBREPO
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tree import files
from oxy.repo.trees import tree_of
from oxy.repo.writing import Stamp
from oxy.store.protocol import CHANGE
from oxy_git.importer.run import Report, import_git
from oxy_git.importer.terms import WHOLE, Terms
from oxy_git.reader.git import Git
from oxy_git.reader.ledger import became
from oxy_git.reader.trees import git_mode
from tests.builders.gitrepo import GitRepo

Listing = dict[bytes, tuple[bytes, bytes]]
"""Mode and blob id, in hex, by path."""

_times = count(1)


class Silent:
    """Progress that nobody watches."""

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        pass


def stamp() -> Stamp:
    return Stamp(next(_times), 0, b"ada", b"git import")


def brought(
    git: GitRepo,
    repository: Repository | None = None,
    limit: int | None = None,
    terms: Terms = WHOLE,
) -> tuple[Repository, Report]:
    """Import a repository into one in memory, a new one if none is given."""
    into = repository or Repository.in_memory()
    source = Git(str(git.root).encode())
    wanted = terms if limit is None else terms._replace(limit=limit)
    return into, import_git(into, source, stamp, Silent(), wanted)


def change_of(repository: Repository, commit: str) -> int:
    """Return the number of the change that a commit became."""
    found = became(repository.store, bytes.fromhex(commit))
    assert found is not None
    return found


def ids(repository: Repository, git: GitRepo) -> dict[str, bytes]:
    """Return the ids of the changes by the commits that they came from."""
    commits = git.git("rev-list", "--all").decode().split()
    numbers = [change_of(repository, commit) for commit in commits]
    return dict(zip(commits, repository.store.ids_of(CHANGE, numbers), strict=True))


def shown(repository: Repository, change: int) -> Listing:
    """Return what the state of a change holds."""
    name = Name((change,))
    state = repository.states.of_change(change)
    found: Listing = {}
    for path, entry in files(tree_of(repository, name)):
        data = b"".join(repository.nodes.content(entry.node, state))
        oid = sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest().encode()
        is_pin = entry.kind == KIND_SUBREPO
        found[path] = git_mode(entry), data.removeprefix(b"git:") if is_pin else oid
    return found


def listed(git: GitRepo, commit: str) -> Listing:
    """Return what a commit holds."""
    found: Listing = {}
    for line in git.git("ls-tree", "-r", "-z", commit).split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        mode, _, oid = head.split(b" ")
        found[path] = mode, oid
    return found
