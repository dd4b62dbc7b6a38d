"""Importing a Git repository (spec: git-bridge).

One pass over the commits, parents first. Many commits share a transaction; names move with the last
one, so an import that is interrupted goes on where it was.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from oxy.phase import phase
from oxy.progress import Progress
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy.repo.tables import number
from oxy.repo.tree import Directory, edited, files
from oxy.repo.trees import keep, tree_of
from oxy.repo.writing import Stamp, writing
from oxy_git.importer.commits import COMMITS, Committer, Tally
from oxy_git.importer.refs import head_of, list_refs, move_refs
from oxy_git.importer.union import Known
from oxy_git.reader.git import Git
from oxy_git.reader.stream import Listed, Stream, list_commits

BATCH: Final = 1000
"""Commits in one transaction."""

KEPT: Final = 512
"""Commits between trees that the cache keeps."""


class Report(NamedTuple):
    """What an import did."""

    commits: int
    already: int
    tally: Tally
    compared: int
    rendered: int
    refs: int
    skipped_refs: tuple[bytes, ...]
    head: bytes | None


class Importer:
    """One import: which commits are known, and which trees their children need."""

    __slots__ = ("_children", "_committer", "_git", "_known", "_numbers", "_repository")

    def __init__(self, repository: Repository, git: Git) -> None:
        self._repository = repository
        self._git = git
        self._committer = Committer(repository, git)
        self._known: dict[bytes, Known] = {}
        self._numbers: dict[bytes, int] = {}
        self._children: Counter[bytes] = Counter()

    def number(self, oid: bytes) -> int | None:
        """Return the change that a commit became, or None."""
        found = self._numbers.get(oid)
        if found is None:
            row = self._repository.store.row(COMMITS, oid)
            found = None if row is None else number(row)
        return found

    def run(
        self, stamp: Callable[[], Stamp], progress: Progress, limit: int | None = None
    ) -> Report:
        """Import every branch and tag, or the first commits up to a limit."""
        refs = list_refs(self._git)
        with phase("list"):
            listed = list_commits(self._git, [ref.commit for ref in refs if ref.commit])
        listed = listed[:limit]
        left = [item for item in listed if self.number(item.oid) is None]
        for item in left:
            self._children.update(item.parents)
        stream = Stream(self._git, left)
        try:
            self._import(left, stream, stamp, progress, len(listed))
        finally:
            stream.close()
            self._committer.close()
        with writing(self._repository, stamp()) as work:
            moved = move_refs(work, refs, self.number, head_of(self._git))
        compared, rendered = self._committer.compared
        return Report(
            len(left),
            len(listed) - len(left),
            self._committer.tally,
            compared,
            rendered,
            moved.moved,
            moved.skipped,
            moved.head,
        )

    def _import(
        self,
        left: list[Listed],
        stream: Stream,
        stamp: Callable[[], Stamp],
        progress: Progress,
        total: int,
    ) -> None:
        commits = iter(stream)
        done = total - len(left)
        while done < total:
            with writing(self._repository, stamp()) as work:
                for arrived in commits:
                    parents = self._parents(arrived.listed)
                    known = self._committer.record(work, arrived, parents, stream)
                    self._advance(arrived.listed, known)
                    done += 1
                    progress.update(done, total, "commits")
                    if done % BATCH == 0:
                        break
                else:
                    done = total

    def _parents(self, listed: Listed) -> list[Known]:
        found: dict[int, Known] = {}
        for oid in listed.parents:
            known = self._known.get(oid)
            if known is None:
                known = self._known[oid] = self._recall(oid)
            found.setdefault(known.number, known)
        return list(found.values())

    def _recall(self, oid: bytes) -> Known:
        """Return a commit that an earlier run imported, its tree with Git's ids."""
        change = self.number(oid)
        if change is None:
            raise KeyError(oid)
        tree = tree_of(self._repository, Name((change,)))
        said = self._git.run("ls-tree", "-r", "-t", "-z", oid.hex())
        ids: dict[bytes, bytes] = {}
        for line in said.split(b"\0")[:-1]:
            head, _, path = line.partition(b"\t")
            ids[path] = bytes.fromhex(head.split(b" ")[2].decode("ascii"))
        tree = edited(
            tree, {path: entry._replace(digest=ids[path]) for path, entry in files(tree)}
        )
        root = self._git.run("rev-parse", oid.hex() + "^{tree}").strip()
        _mark(tree, ids, bytes.fromhex(root.decode("ascii")))
        return Known(change, tree)

    def _advance(self, listed: Listed, known: Known) -> None:
        """Remember a commit while it has children to come, and forget parents that have none."""
        self._numbers[listed.oid] = known.number
        if self._children[listed.oid]:
            self._known[listed.oid] = known
        else:
            keep(self._repository, Name((known.number,)), known.tree)
        if known.number % KEPT == 0:
            keep(self._repository, Name((known.number,)), known.tree)
        for parent in listed.parents:
            self._children[parent] -= 1
            if not self._children[parent]:
                self._known.pop(parent, None)
                del self._children[parent]


def _mark(root: Directory, ids: dict[bytes, bytes], root_id: bytes) -> None:
    root.mark = root_id
    stack = [(b"", root)]
    while stack:
        above, directory = stack.pop()
        for name, child in directory.entries.items():
            if isinstance(child, Directory):
                path = above + b"/" + name if above else name
                child.mark = ids[path]
                stack.append((path, child))


def import_git(
    repository: Repository,
    source: bytes,
    stamp: Callable[[], Stamp],
    progress: Progress,
    limit: int | None = None,
) -> Report:
    """Bring the branches and tags of a Git repository into a repository.

    Args:
        repository: where to.
        source: the directory of the Git repository.
        stamp: tells the time and who, for the operation log.
        progress: told after each commit.
        limit: how many commits to take at most, of those in the order of the list.

    Cost: what each commit touched; for merges, what both sides touched.

    Raises:
        NoGitRepositoryError: git cannot read the source.
        UnsupportedError: it is of a kind that cannot be imported.
        GitError: git failed.
        MissingObjectError: the Git repository lacks an object.
    """
    return Importer(repository, Git(source)).run(stamp, progress, limit)
