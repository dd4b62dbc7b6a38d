"""Exports into Git repositories made by the test."""

from pathlib import Path

from oxy.repo.repository import Repository
from oxy_git.exporter.refs import wanted_refs
from oxy_git.exporter.run import Report, export, planned
from oxy_git.reader.git import Git
from tests.builders.bridge import Silent
from tests.builders.gitrepo import GitRepo


def sent(repository: Repository, to: GitRepo, *names: bytes, force: bool = False) -> Report:
    """Export all bookmarks and tags, or some."""
    plan = planned(repository, wanted_refs(repository, names))
    git = Git(str(to.root).encode())
    return export(repository, git, plan, Silent(), is_forced=lambda _: force)


def exported(repository: Repository, root: Path) -> GitRepo:
    """Export everything into a new Git repository, which has to be whole."""
    git = GitRepo(root, bare=True)
    sent(repository, git)
    git.git("fsck", "--connectivity-only")
    return git


def objects(git: GitRepo) -> set[bytes]:
    """Return the ids of everything that branches and tags reach."""
    said = git.git("rev-list", "--objects", "--no-object-names", "--branches", "--tags")
    return set(said.split())


def refs(git: GitRepo) -> dict[bytes, bytes]:
    """Return the branches and tags with what they hold."""
    said = git.git(
        "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags"
    )
    return {full: oid for full, _, oid in (line.rpartition(b" ") for line in said.splitlines())}
