"""Which commits the Git repository has already, asked one by one (spec: git-bridge, GB63)."""

from oxy.repo.exported import commit_of
from oxy.repo.origin import git_commit, is_imported
from oxy.repo.repository import Repository
from oxy.repo.states import Name
from oxy_git.reader.git import Git, GitError


class Commits:
    """The commits that are there, as a container. Cost: a process each that is no ref's."""

    __slots__ = ("_found", "_git", "_repository")

    def __init__(self, repository: Repository, git: Git, tips: set[bytes]) -> None:
        self._repository = repository
        self._git = git
        self._found = dict.fromkeys(tips, True)

    def __contains__(self, oid: object) -> bool:
        """Return whether an object is there; nothing but an id is."""
        if not isinstance(oid, bytes):
            return False
        if oid not in self._found:
            try:
                self._git.run("cat-file", "-e", oid.hex())
            except GitError:
                self._found[oid] = False
            else:
                self._found[oid] = True
        return self._found[oid]

    def of(self, name: Name) -> bytes | None:
        """Return the commit of a state, if there is one and it is there."""
        oid = None
        states = self._repository.states
        if len(name.heads) == 1 and name == states.name_of_change(name.heads[0]):
            oid = git_commit(self._repository.header(name.heads[0]))
        oid = oid or commit_of(self._repository, name)
        return oid if oid in self else None

    def has(self, name: Name) -> bool:
        """Return whether the commit of a state is there."""
        return bool(name.heads) and self.of(name) is not None


class Imported:
    """The changes that commits became, as a container. Cost: the header of each asked for."""

    __slots__ = ("_found", "_repository")

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._found: dict[int, bool] = {}

    def __contains__(self, change: int, /) -> bool:
        """Return whether a change is one; 0 is none."""
        if change not in self._found:
            is_one = change and is_imported(self._repository.store, change)
            self._found[change] = bool(is_one)
        return self._found[change]
