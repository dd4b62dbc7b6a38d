"""One Git commit becomes one change (spec: git-bridge, GB4 to GB18)."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgpack

from oxy.errors import CorruptionError
from oxy.graph.straight import straighten
from oxy.graph.text import Deed
from oxy.phase import phase
from oxy.repo.recording import Intent
from oxy.repo.repository import Repository
from oxy.repo.tree import Directory, Entry, edited, subtree
from oxy.repo.writing import Writing
from oxy_git.importer.ahead import Ahead, Told
from oxy_git.importer.caches import Readings, RegisterCache, Texts
from oxy_git.importer.content import Want
from oxy_git.importer.drafting import Drafted, Drafter
from oxy_git.importer.gittree import mark, withheld
from oxy_git.importer.moves import Came, Went, matched
from oxy_git.importer.rawtrees import RawTrees
from oxy_git.importer.tally import Tally
from oxy_git.importer.union import Known, Union, Uniter
from oxy_git.importer.wanted import Wanted, differing
from oxy_git.reader.commit import Commit, parse
from oxy_git.reader.extra import BLOBS, COMMIT, MESSAGE, PARTIAL, RULES, TREES
from oxy_git.reader.git import Git
from oxy_git.reader.objects import DamagedObjectError, MissingObjectError, Objects
from oxy_git.reader.partial import NOTHING, Partial, lacking, pack
from oxy_git.reader.stream import Arrived, Difference, Stream, is_edit, wants
from oxy_git.reader.trees import TREE, RawTree, TreeMismatchError, git_mode, tree_id

VERSION: Final = b"2"
"""The version of everything that decides what a commit becomes (spec: git-bridge, GB6)."""


class WrongTreeError(CorruptionError):
    """What was made of a commit is not its tree: a mistake in oxy; nothing was recorded."""

    def __init__(self, commit: bytes, path: bytes) -> None:
        where = path.decode("utf-8", "backslashreplace")
        super().__init__(f"commit {commit.hex()} cannot be recorded as it is, at '{where}'")
        self.commit = commit
        self.path = path


class Committer:
    """Records commits, each after its parents."""

    __slots__ = (
        "_allows_missing",
        "_drafter",
        "_git",
        "_lacking",
        "_missed",
        "_objects",
        "_raw_trees",
        "_readings",
        "_registers",
        "_repository",
        "_texts",
        "_uniter",
        "ahead",
        "tally",
    )

    def __init__(
        self, repository: Repository, git: Git, *, allows_missing: bool = False
    ) -> None:
        self._repository = repository
        self._git = git
        self._allows_missing = allows_missing
        self._lacking = lacking(repository)
        self._missed: list[tuple[bytes, bytes]] = []
        self._objects = Objects(git)
        self._raw_trees = RawTrees()
        self._texts = Texts(self._objects.read)
        self._readings = Readings()
        self._registers = RegisterCache(repository)
        self._drafter = Drafter(repository, self._texts, self._readings, self._registers)
        self._uniter = Uniter(
            repository, self._texts, self._readings, self._registers, self._drafter.plain
        )
        self.tally = Tally()
        self.ahead: Ahead | None = None
        """Where diffs of commits with one parent are worked out ahead, if anywhere."""

    def close(self) -> None:
        """End the process that it reads with."""
        self._objects.close()

    @property
    def compared(self) -> tuple[int, int]:
        """How many texts were compared, and how many were rendered for merges."""
        return self._drafter.compared, self._uniter.rendered

    def read(self, oid: bytes) -> bytes:
        """Return the bytes of an object of Git."""
        return self._objects.read(oid)

    def learn(self) -> None:
        """Learn of directories that were moved: changes of oxy came."""
        self._uniter.learn()

    def pass_over(self, arrived: Arrived, stream: Stream) -> None:
        """Go past a commit that is known for what it is; the stream has its blobs."""
        if len(arrived.listed.parents) <= 1:
            for difference in filter(wants, arrived.files):
                self._texts.put(difference.new_oid, stream.blob(difference))
            if self.ahead is not None:
                for _ in filter(is_edit, arrived.files):
                    self.ahead.take()
        self.tally.recognised += 1

    def record(
        self, work: Writing, arrived: Arrived, parents: list[Known], stream: Stream
    ) -> Known:
        """Record a commit whose parents are known.

        Raises:
            WrongTreeError: what would be recorded does not have the commit's tree.
            MissingObjectError: the Git repository lacks an object; it names commit and path.
        """
        oid = arrived.listed.oid
        try:
            return self._record(work, arrived, parents, stream)
        except MissingObjectError as error:
            same = (d.path for d in (*arrived.files, *arrived.trees) if d.new_oid == error.oid)
            raise type(error)(error.oid, oid, next(same, b"")) from error
        except TreeMismatchError as error:
            raise WrongTreeError(oid, error.path) from error

    def _record(
        self, work: Writing, arrived: Arrived, parents: list[Known], stream: Stream
    ) -> Known:
        commit = parse(arrived.raw)
        first = parents[0].tree if parents else _nothing()
        with phase("bases"):
            union = self._uniter.unite(parents, first)
        self._drafter.begin(work.transaction, work.next_change(), union)
        wanted = differing(arrived.files, union, first, self.tally.withhold)
        is_merge = len(arrived.listed.parents) > 1
        self._missed = []
        drafted = self._drafts(self._whole(wanted, None if is_merge else stream))
        drafted += map(self._drafter.retired, union.surplus)
        drafted = sorted(filter(_does_something, drafted), key=lambda item: item.path)
        tree = edited(union.tree, _layout(drafted)) if drafted else union.tree
        ids = {d.path: d.new_oid for d in arrived.trees if d.new_mode == TREE}
        ids[b""] = commit.tree
        read = self._objects.read
        tree, raw = mark(tree, ids, first, read, self._lacking, self._raw_trees)
        self.tally.raw_trees += len(raw)
        blobs = list(self._withheld(withheld(tree, raw, first, read)))
        partial = Partial(arrived.listed.lacks, tuple(sorted(self._missed)))
        is_partial = partial != NOTHING or any(parent.is_partial for parent in parents)
        intent = _intent(commit, raw, blobs, partial if is_partial else None)
        with phase("store"):
            known = self._store(work, arrived, intent, union, drafted, tree)
        return known._replace(is_partial=is_partial)

    def _whole(
        self, wanted: list[Wanted], stream: Stream | None
    ) -> Iterator[tuple[Wanted, Told | None]]:
        """Yield what a commit wants, without the files that are missing where that is allowed.

        With each comes its diff, if that was worked out ahead.

        Raises:
            MissingObjectError: one is missing and that is not allowed.
        """
        for item in wanted:
            told = None
            try:
                if stream is not None and item.difference is not None:
                    told = self._told(item.difference, item.have)
                    if wants(item.difference):
                        blob = stream.blob(item.difference)
                        self._texts.put(item.difference.new_oid, blob)
                elif self._allows_missing and item.is_new:
                    self._data(item.want)
            except MissingObjectError as error:
                self._miss(item.path, error)
                yield item._replace(want=None), None
            else:
                yield item, told

    def _withheld(self, oids: list[bytes]) -> Iterator[bytes]:
        for oid in oids:
            try:
                if oid not in self._lacking:
                    yield self._objects.read(oid)
            except MissingObjectError as error:
                self._miss(b"", error)

    def _miss(self, path: bytes, error: MissingObjectError) -> None:
        """Note that a file is missing, where that is allowed."""
        if not self._allows_missing or isinstance(error, DamagedObjectError):
            raise error
        if self._git.holds_file(error.oid):
            raise DamagedObjectError(error.oid) from error
        self._missed.append((path, error.oid))
        self._lacking.add(error.oid)
        self.tally.missing[path] = error.oid

    def _drafts(self, wanted: Iterable[tuple[Wanted, Told | None]]) -> list[Drafted]:
        drafted: list[Drafted] = []
        gone: list[Went] = []
        new: list[Came] = []
        for (path, have, want, _), told in wanted:
            if want is None:
                gone += [] if have is None else [Went(path, have)]
            elif have is None:
                new.append(Came(path, want))
            elif have.digest != want.oid or git_mode(have) != want.plain_mode:
                data = self._data(want)
                drafted.append(self._drafter.changed(path, path, have, want, data, told))
        return drafted + self._moved(gone, new)

    def _told(self, difference: Difference, have: Entry | None) -> Told | None:
        """Take the diff of two files that was worked out ahead, if it is of what is there."""
        if self.ahead is None or not is_edit(difference):
            return None
        told = self.ahead.take()
        return told if have is not None and have.digest == difference.old_oid else None

    def _data(self, want: Want | None) -> bytes:
        is_file = want is not None and not want.is_submodule
        return self._texts.get(want.oid) if want is not None and is_file else b""

    def _moved(self, gone: list[Went], new: list[Came]) -> list[Drafted]:
        """Draft files that went, came or moved; a move goes to the most alike."""
        drafted: list[Drafted] = []
        moved = matched(gone, new, self._texts)
        self.tally.renames += len(moved)
        for place, (path, want) in enumerate(new):
            data = self._data(want)
            if place in moved:
                old = gone[moved[place]]
                drafted.append(self._drafter.changed(path, old.path, old.entry, want, data))
            else:
                drafted.append(self._drafter.created(path, want, data))
        stayed = set(moved.values())
        drafted += [
            self._drafter.deleted(*old) for place, old in enumerate(gone) if place not in stayed
        ]
        return drafted

    def _store(
        self,
        work: Writing,
        arrived: Arrived,
        intent: Intent,
        union: Union,
        drafted: list[Drafted],
        tree: Directory,
    ) -> Known:
        """Record the drafts; the tree is proven by now, and gets its nodes here."""
        number = self._drafter.change
        drafts = [item.draft for item in drafted]
        done = work.record(intent, union.name, drafts, number)
        self._uniter.note(number, done.nodes)
        fresh = iter(done.nodes)
        for item in drafted:
            node = item.draft.node or next(fresh)
            self._settle(tree, item, node, number)
        self.tally.commits += 1
        self.tally.merges += len(arrived.listed.parents) > 1
        self.tally.files += len(drafted)
        return Known(self._repository.states.name_of_change(number), tree)

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
        entry = Entry(node, item.kind, item.want.executable, version, digest=item.want.oid)
        above, _, name = item.path.rpartition(b"/")
        directory = subtree(tree, above)
        if isinstance(directory, Directory):
            directory.entries[name] = entry
        if item.reading is not None:
            self._readings.put(node, version, item.reading)
            if draft.created:
                self._drafter.plain.add(node)


def _nothing() -> Directory:
    """Return the tree before the first commit; marks go onto trees, so none is used twice."""
    nothing = Directory({})
    nothing.mark = tree_id(b"")
    return nothing


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
            layout[item.path] = Entry(0, item.kind, want.executable, b"", digest=want.oid)
    return layout


def _intent(
    commit: Commit, raw: list[RawTree], blobs: list[bytes], partial: Partial | None
) -> Intent:
    extra = [(COMMIT, commit.head), (RULES, VERSION)]
    if commit.message != commit.raw_message:
        extra.append((MESSAGE, commit.raw_message))
    if raw:
        extra.append((TREES, msgpack.packb(raw)))
    if partial is not None:
        extra.append((PARTIAL, pack(partial)))
    if blobs:
        extra.append((BLOBS, msgpack.packb(blobs)))
    return Intent(commit.author, commit.time, commit.message, tuple(sorted(extra)))
