"""One Git commit becomes one change (spec: git-bridge, GB5 to GB24)."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgpack

from oxy.diff.renames import Candidate, match_renames
from oxy.diff.similarity import Fingerprint, fingerprint
from oxy.graph.straight import straighten
from oxy.graph.text import Deed
from oxy.model.operation import KIND_SUBREPO
from oxy.model.pathrule import path_refusal
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.tables import BRIDGE, key
from oxy.repo.tree import Directory, Entry, edited, get, subtree
from oxy.repo.writing import Writing
from oxy_git.importer.caches import Readings, RegisterCache, Texts
from oxy_git.importer.content import Want, git_mode
from oxy_git.importer.drafting import Drafted, Drafter
from oxy_git.importer.gittree import TreeIds
from oxy_git.importer.union import Known, Union, Uniter
from oxy_git.reader.commit import Commit, parse
from oxy_git.reader.git import Git
from oxy_git.reader.objects import Objects
from oxy_git.reader.stream import GONE, TREE, Arrived, Difference, Stream, wants

COMMITS: Final = BRIDGE
"""The table of Git commits: id to change number."""

RULES: Final = b"1"
"""The version of everything that decides what a commit becomes (spec: git-bridge, GB10)."""

EMPTY: Final = Directory({})


class Wanted(NamedTuple):
    """A path where a commit may differ from what it is recorded on."""

    path: bytes
    have: Entry | None
    want: Want | None


class Tally:
    """What an import has met."""

    __slots__ = ("changes", "commits", "files", "merges", "raw_trees", "renames", "withheld")

    def __init__(self) -> None:
        self.commits = 0
        self.merges = 0
        self.files = 0
        self.renames = 0
        self.changes = 0
        self.raw_trees = 0
        self.withheld: dict[bytes, str] = {}


class Committer:
    """Records commits, each after its parents."""

    __slots__ = (
        "_drafter",
        "_ids",
        "_objects",
        "_readings",
        "_registers",
        "_repository",
        "_texts",
        "_uniter",
        "tally",
    )

    def __init__(self, repository: Repository, git: Git) -> None:
        self._repository = repository
        self._objects = Objects(git)
        self._texts = Texts(self._objects.read)
        self._readings = Readings()
        self._registers = RegisterCache(repository)
        self._drafter = Drafter(repository, self._texts, self._readings, self._registers)
        self._uniter = Uniter(
            repository, self._texts, self._readings, self._registers, self._drafter.plain
        )
        self._ids = TreeIds(self._objects.read)
        self.tally = Tally()

    def close(self) -> None:
        """End the processes that it reads with."""
        self._objects.close()

    @property
    def compared(self) -> tuple[int, int]:
        """How many texts were compared, and how many were rendered for merges."""
        return self._drafter.compared, self._uniter.rendered

    def record(
        self, work: Writing, arrived: Arrived, parents: list[Known], stream: Stream
    ) -> Known:
        """Record a commit whose parents are known.

        Raises:
            TreeMismatchError: what was recorded does not have the commit's tree.
            MissingObjectError: the Git repository lacks a blob.
        """
        commit = parse(arrived.raw)
        union = self._uniter.unite(parents, EMPTY)
        self._drafter.begin(work.transaction, work.next_change(), union)
        merge = len(parents) > 1
        wanted = self._wanted(arrived.files, union, parents)
        drafted = self._drafts(wanted, union, None if merge else stream)
        drafted += map(self._drafter.retired, union.surplus)
        return self._store(work, arrived, commit, union, drafted)

    def _wanted(
        self, files: Iterable[Difference], union: Union, parents: list[Known]
    ) -> list[tuple[Difference | None, Wanted]]:
        found: dict[bytes, tuple[Difference | None, Wanted]] = {}
        for difference in files:
            path = difference.path
            want = (
                None
                if difference.new_mode == GONE
                else Want(difference.new_mode, difference.new_oid)
            )
            found[path] = (difference, Wanted(path, get(union.tree, path), want))
        for path in union.paths:
            if path not in found:
                entry = get(parents[0].tree, path)
                want = Want(git_mode(entry), entry.digest) if entry else None
                found[path] = (None, Wanted(path, get(union.tree, path), want))
        return [found[path] for path in sorted(found)] if union.paths else list(found.values())

    def _drafts(
        self,
        wanted: list[tuple[Difference | None, Wanted]],
        union: Union,
        stream: Stream | None,
    ) -> list[Drafted]:
        drafted: list[Drafted] = []
        gone: list[Wanted] = []
        new: list[Wanted] = []
        for difference, item in wanted:
            path, have, want = item
            if stream is not None and difference is not None and wants(difference):
                self._texts.put(difference.new_oid, stream.blob(difference))
            if want is not None and (refused := path_refusal(path)) is not None:
                self.tally.withheld[path] = refused
                continue
            if want is None:
                gone += [item] if have is not None else []
            elif have is None:
                new.append(item)
            elif have.digest != want.oid or git_mode(have) != want.plain_mode:
                drafted.append(self._drafter.changed(path, path, have, want, self._data(want)))
        return drafted + self._moved(gone, new)

    def _data(self, want: Want) -> bytes:
        return b"" if want.is_submodule else self._texts.get(want.oid)

    def _moved(self, gone: list[Wanted], new: list[Wanted]) -> list[Drafted]:
        """Draft files that went, came or moved; a move goes to the most alike."""
        drafted: list[Drafted] = []
        moved: dict[int, int] = {}
        if gone and new:
            pairs = match_renames(
                [self._candidate(w.path, _blob_of(w.have)) for w in gone],
                [self._candidate(w.path, _blob_wanted(w.want)) for w in new],
            )
            moved = {pair.added: pair.removed for pair in pairs}
        for place, (path, _, want) in enumerate(new):
            if want is None:
                continue
            old = gone[moved[place]] if place in moved else None
            if old is None or old.have is None:
                drafted.append(self._drafter.created(path, want, self._data(want)))
            else:
                self.tally.renames += 1
                drafted.append(
                    self._drafter.changed(path, old.path, old.have, want, self._data(want))
                )
        stayed = set(moved.values())
        drafted += [
            self._drafter.deleted(old.path, old.have)
            for place, old in enumerate(gone)
            if place not in stayed and old.have is not None
        ]
        return drafted

    def _candidate(self, path: bytes, oid: bytes) -> Candidate:
        def load() -> Fingerprint:
            return fingerprint(self._texts.get(oid) if oid else b"")

        return Candidate(path, oid, load)

    def _store(
        self,
        work: Writing,
        arrived: Arrived,
        commit: Commit,
        union: Union,
        drafted: list[Drafted],
    ) -> Known:
        """Record the drafts; the tree is proven before, and gets its nodes after."""
        number = self._drafter.change
        drafted = sorted(filter(_does_something, drafted), key=lambda item: item.path)
        tree = edited(union.tree, _layout(drafted)) if drafted else union.tree
        ids = {d.path: d.new_oid for d in arrived.trees if d.new_mode == TREE}
        raw = self._ids.mark(tree, ids, commit.tree)
        drafts = [item.draft for item in drafted]
        done = work.record(_intent(commit, raw), union.name, drafts, number)
        work.transaction.put(COMMITS, arrived.listed.oid, key(number))
        self._uniter.note(number, done.nodes)
        fresh = iter(done.nodes)
        for item in drafted:
            node = item.draft.node or next(fresh)
            self._settle(tree, item, node, number)
        self.tally.commits += 1
        self.tally.merges += len(arrived.listed.parents) > 1
        self.tally.files += len(drafted)
        self.tally.raw_trees += len(raw)
        return Known(number, tree)

    def _settle(self, tree: Directory, item: Drafted, node: int, number: int) -> None:
        """Bring what is remembered of a node up to a change."""
        draft = item.draft
        if draft.settings and not draft.created:
            self._registers.drop(node)
        graph = self._repository.nodes.loaded(node)
        if graph is not None and draft.deed is not None:
            deps = self._repository.states.link(number).deps
            needs = tuple(dep for dep in deps if dep in graph.touched)
            graph.apply(number, draft.deed._replace(needs=needs))
            if draft.deed.orders:
                straighten(graph)
        if item.want is None:
            return
        version = self._repository.keys.moved(item.key, number)
        entry = Entry(node, item.kind, item.want.executable, version, item.want.oid)
        above, _, name = item.path.rpartition(b"/")
        directory = subtree(tree, above)
        if isinstance(directory, Directory):
            directory.entries[name] = entry
        if item.reading is not None:
            self._readings.put(node, version, item.reading)
            if draft.created:
                self._drafter.plain.add(node)


def _blob_of(entry: Entry | None) -> bytes:
    """Return the blob of a file; none for a pin, or where a conflict has none."""
    return entry.digest if entry is not None and entry.kind != KIND_SUBREPO else b""


def _blob_wanted(want: Want | None) -> bytes:
    return want.oid if want is not None and not want.is_submodule else b""


def _does_something(item: Drafted) -> bool:
    draft = item.draft
    return bool(draft.created or draft.settings or (draft.deed and draft.deed != Deed()))


def _layout(drafted: list[Drafted]) -> dict[bytes, Entry | None]:
    """Return what is where after drafts, with nodes and keys still open."""
    layout: dict[bytes, Entry | None] = {}
    for item in drafted:
        if item.old_path:
            layout.setdefault(item.old_path, None)
    for item in drafted:
        if item.want is not None:
            want = item.want
            layout[item.path] = Entry(0, item.kind, want.executable, b"", want.oid)
    return layout


def _intent(commit: Commit, raw: list[tuple[bytes, bytes]]) -> Intent:
    extra = [(b"git:commit", commit.head), (b"git:import-rules", RULES)]
    if commit.message != commit.raw_message:
        extra.append((b"git:message", commit.raw_message))
    if raw:
        extra.append((b"git:trees", msgpack.packb(raw)))
    return Intent(commit.author, commit.time, commit.message, tuple(extra))
