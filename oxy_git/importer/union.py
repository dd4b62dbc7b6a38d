"""The union of a merge's parents, as a tree (spec: git-bridge, GB14, GB15).

What only one side touched is as that side has it, and is neither rendered nor compared. What
both touched is rendered at the union of their states.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from pyroaring import BitMap

from oxy.graph.candidates import candidates
from oxy.graph.reading import Reading
from oxy.model.operation import KIND_TEXT
from oxy.repo.directories import Ways, moved_ever, shifted
from oxy.repo.origin import is_imported
from oxy.repo.registers import Registers, View, view
from oxy.repo.repository import Repository
from oxy.repo.standing import standing
from oxy.repo.states import Name
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.repo.tree import Directory, Entry, differences, edited, get, subtree
from oxy.repo.trees import moved
from oxy_git.importer.caches import Readings, RegisterCache, Texts
from oxy_git.reader.objects import object_id
from oxy_git.reader.texts import Texts as LastRead

if TYPE_CHECKING:
    from collections.abc import Mapping


UNION_BYTES: Final = 16 << 20
"""Bytes of the texts of unions that are remembered."""

ABOVE: Final = 256
"""Changes to one text whose states are looked at for what all of them know."""

CHANGES: Final = 20_000
"""Changes of which it is remembered what they touch."""


class Known(NamedTuple):
    """A commit whose children are still to come: its state and its tree.

    `is_partial` tells that it, or one beneath it, was not imported whole (GB25); `is_own` that
    it became a change, so that each text of it reads in one way, with nothing beneath (GB15).
    """

    name: Name
    tree: Directory
    is_partial: bool = False
    is_own: bool = True


class Union(NamedTuple):
    """The state that a commit is recorded on.

    Attributes:
        name: its name.
        state: its changes.
        tree: its tree; files that are in conflict have no digest.
        paths: the paths where it may differ from the first parent.
        surplus: nodes that must go, since another has their path or they have none.
        readings: what the texts read that more than one parent touched.
        is_sound: whether all other texts that show read in one way, with nothing beneath.
    """

    name: Name
    state: BitMap
    tree: Directory
    paths: frozenset[bytes]
    surplus: tuple[int, ...]
    readings: dict[int, Reading]
    is_sound: bool = True


class Uniter:
    """Makes unions."""

    __slots__ = (
        "_moved",
        "_nodes_of",
        "plain",
        "readings",
        "registers",
        "rendered",
        "repository",
        "texts",
        "unions",
    )

    def __init__(
        self,
        repository: Repository,
        texts: Texts,
        readings: Readings,
        registers: RegisterCache,
        plain: set[int],
    ) -> None:
        self.plain = plain
        self.repository = repository
        self.texts = texts
        self.unions = LastRead(repository.nodes, UNION_BYTES)
        self.readings = readings
        self.registers = registers
        self.rendered = 0
        self._nodes_of: dict[int, tuple[int, ...]] = {}
        self._moved: Mapping[bytes, Registers] = {}
        self.learn()

    def learn(self) -> None:
        """Learn which directories were ever moved: no import does it. Cost: those."""
        self._moved = moved_ever(self.repository.store)

    @property
    def knows_moves(self) -> bool:
        """Whether a directory was ever moved."""
        return bool(self._moved)

    def ways(self, state: BitMap) -> Ways:
        """Return where directories show in a state."""
        return Ways(self._moved, state, self.repository.nodes.rank)

    def are_shifted(self, one: BitMap, other: BitMap) -> bool:
        """Return whether two states have a directory at two places."""
        return self.knows_moves and any(shifted(self.ways(one), self.ways(other)))

    def note(self, change: int, nodes: tuple[int, ...]) -> None:
        """Remember which nodes a change touches."""
        if len(self._nodes_of) >= CHANGES:
            self._nodes_of.clear()
        self._nodes_of[change] = nodes

    def nodes_of(self, change: int) -> tuple[int, ...]:
        """Return the nodes that a change touches."""
        found = self._nodes_of.get(change)
        if found is None:
            row = self.repository.store.row(CHANGED, key(change)) or b""
            found = unpack_numbers(row)
            self.note(change, found)
        return found

    def ground(self, common: BitMap) -> BitMap | None:
        """Return the state of a commit that lies in what parents share: it reads clean (GB15).

        A change of oxy's own may have been recorded on a conflict. Cost: a header.
        """
        newest = common.max() if common else 0
        if not newest or not is_imported(self.repository.store, newest):
            return None
        state = self.repository.states.of_change(newest)
        return state if state <= common else None

    def unite(self, parents: list[Known], empty: Directory) -> Union:
        """Return the union of the states of parents.

        Cost: the nodes that the others touched and the first parent lacks; the rendering of
        those that both touched.
        """
        states = self.repository.states
        if not parents:
            return Union(Name(), BitMap(), empty, frozenset(), (), {})
        first = parents[0]
        fold = _Fold(self, states.members(first.name), first.tree)
        for other in parents[1:]:
            fold.add(other)
        name = states.join(tuple(parent.name for parent in parents))
        return Union(
            name,
            fold.state,
            fold.tree,
            frozenset(fold.paths),
            tuple(sorted(fold.surplus)),
            fold.readings,
            all(parent.is_own for parent in parents),
        )


class _Fold:
    """Parents added one after the other."""

    __slots__ = (
        "_ground",
        "_parents",
        "_uniter",
        "paths",
        "readings",
        "state",
        "surplus",
        "tree",
    )

    def __init__(self, uniter: Uniter, state: BitMap, tree: Directory) -> None:
        self._uniter = uniter
        self.state = state
        self._parents = [state]
        self._ground: BitMap | None = None
        """The state of a commit that all parents have."""
        self.tree = tree
        self.paths: set[bytes] = set()
        self.surplus: set[int] = set()
        self.readings: dict[int, Reading] = {}

    def add(self, other: Known) -> None:
        """Add a parent."""
        theirs = self._uniter.repository.states.members(other.name)
        extra = theirs - self.state
        if not extra:
            return
        self._parents.append(theirs)
        self._ground = self._uniter.ground(BitMap.intersection(*self._parents))
        if self._uniter.are_shifted(self.state, theirs):
            self._add_shifted(other, theirs)
        else:
            self._add_plain(other, theirs, extra)

    def _add_plain(self, other: Known, theirs: BitMap, extra: BitMap) -> None:
        """Add a parent that has its directories where all others have them."""
        nodes_of = self._uniter.nodes_of
        ours = {node for change in self.state - theirs for node in nodes_of(change)}
        steps: dict[int, list[int]] = {}
        for change in extra:
            for node in nodes_of(change):
                steps.setdefault(node, []).append(change)
        union = self.state | theirs
        gone: dict[bytes, int] = {}
        placed: list[tuple[bytes, Entry]] = []
        for node, changes in sorted(steps.items()):
            # What it read with fewer parents says nothing any more.
            self.readings.pop(node, None)
            before = self._view(node, self.state).path
            shown = get(self.tree, before) if before is not None else None
            if before is not None and shown is not None and shown.node == node:
                # A node in surplus is at a path where another shows.
                gone[before] = node
            if node in ours:
                placed += self._shared(node, changes, before, union)
            else:
                after = self._view(node, theirs).path
                entry = get(other.tree, after) if after is not None else None
                if after is not None and entry is not None and entry.node == node:
                    placed.append((after, entry))
        self._put(gone, placed)
        self.state = union

    def _add_shifted(self, other: Known, theirs: BitMap) -> None:
        """Add a parent that has directories elsewhere: oxy's own trees know of that.

        Cost: what oxy's merge of the two costs, and the content of what both touched.
        """
        uniter = self._uniter
        union = self.state | theirs
        tree = moved(uniter.repository, self.tree, self.state, union)
        known: dict[tuple[int, bytes], bytes] = {}
        for _, old, new in differences(self.tree, other.tree):
            known |= {(each.node, each.key): each.digest for each in (old, new) if each}
        changes: dict[bytes, Entry | None] = {}
        for path, old, new in differences(self.tree, tree):
            self.paths.add(path)
            self.readings.pop(old.node if old else 0, None)
            if new is not None:
                uniter.plain.discard(new.node)
                self.readings.pop(new.node, None)
                oid = b"" if new.disputed else known.get((new.node, new.key))
                changes[path] = new._replace(digest=self._digest(new, union, oid))
        self.tree = edited(tree, changes) if changes else tree
        self.state = union

    def _digest(self, entry: Entry, union: BitMap, known: bytes | None) -> bytes:
        """Return Git's id of a file at a union, and remember what it reads if that is new."""
        if known:
            return known
        uniter, nodes = self._uniter, self._uniter.repository.nodes
        reading: Reading | None = None
        if entry.kind == KIND_TEXT:
            rank = uniter.repository.nodes.rank
            reading = candidates(nodes.graph(entry.node), union, self._parents, rank)
            self.readings[entry.node] = reading
        if known is not None:
            return b""
        return self._oid(entry.node, union, self._view(entry.node, union), reading)

    def _view(self, node: int, state: BitMap) -> View:
        registers = self._uniter.registers.get(node)
        rank = self._uniter.repository.nodes.rank
        seen = view(registers, registers.created, state, rank)
        if seen.path is None or not self._uniter.knows_moves:
            return seen
        return seen._replace(path=self._uniter.ways(state).path(seen.path))

    def _shared(
        self,
        node: int,
        changes: list[int],
        before: bytes | None,
        union: BitMap,
    ) -> list[tuple[bytes, Entry]]:
        """Return where a node is that both sides touched, rendered at their union."""
        uniter, repository = self._uniter, self._uniter.repository
        seen = self._view(node, union)
        old = get(self.tree, before) if before is not None else None
        if old is not None and old.node == node:
            version = old.key
        else:
            version = bytes(16)
            changes = [c for c, _ in repository.nodes.touching(node) if c in union]
        for change in changes:
            version = repository.keys.moved(version, change)
        reading: Reading | None = None
        # Lines live on where another kind shows.
        uniter.plain.discard(node)
        if seen.kind == KIND_TEXT:
            uniter.rendered += 1
            graph, rank = repository.nodes.graph(node), repository.nodes.rank
            grounds = self._grounds(union & graph.touched)
            reading = candidates(graph, union, self._parents, rank, grounds)
            self.readings[node] = reading
            if reading.is_clean:
                uniter.readings.put(node, version, reading)
        registers = uniter.registers.get(node)
        shown, flags = standing(repository.nodes, node, union, registers, uniter.ways(union))
        if seen.path is None:
            is_live = reading is not None and (reading.starts or reading.conflicts)
            if is_live or shown.path is not None:
                self.surplus.add(node)
            return []
        oid = b"" if flags else self._oid(node, union, seen, reading)
        return [(seen.path, Entry(node, seen.kind, seen.mode, version, flags, oid))]

    def _grounds(self, present: BitMap) -> Iterator[BitMap]:
        """Yield states that a text of a union can be looked at above, the larger first.

        Lines that the newest commit of all parents lost were edited besides where a branch
        began before it. Then the newest that all who edited know is one to stand on.
        """
        ground, states = self._ground, self._uniter.repository.states
        if ground is None:
            return
        yield ground
        above = present - ground
        if len(above) <= ABOVE:
            known = BitMap.intersection(*self._parents, *map(states.of_change, above))
            lower = self._uniter.ground(known)
            if lower is not None:
                yield lower

    def _oid(self, node: int, union: BitMap, seen: View, reading: Reading | None) -> bytes:
        if reading is not None and reading.conflicts:
            return b""
        nodes = self._uniter.repository.nodes
        if reading is None:
            data = b"".join(nodes.content(node, union, seen))
        else:
            data = self._uniter.unions.data(node, reading)
            data = data if seen.final_lf else data[:-1]
        if data.startswith(b"git:") and seen.kind != KIND_TEXT:
            return bytes.fromhex(data[4:].decode("ascii"))
        oid = object_id(b"blob", data)
        self._uniter.texts.put(oid, data)
        return oid

    def _put(self, gone: dict[bytes, int], placed: list[tuple[bytes, Entry]]) -> None:
        """Put nodes at their places; of two at one path the first parent's stays."""
        moved = set(gone.values())
        changes: dict[bytes, Entry | None] = dict.fromkeys(gone)
        origin = self._uniter.repository.nodes.origin
        for path, entry in sorted(placed, key=lambda item: (item[0], origin(item[1].node)[0])):
            there = subtree(self.tree, path)
            is_free = there is None or (isinstance(there, Entry) and there.node in moved)
            if changes.get(path) is not None or not is_free or self._is_below_file(path, moved):
                self.surplus.add(entry.node)
            else:
                changes[path] = entry
                self.surplus.discard(entry.node)
        self.paths.update(changes)
        self.paths.update(path for path, _ in placed)
        self.tree = edited(self.tree, changes)

    def _is_below_file(self, path: bytes, moved: set[int]) -> bool:
        above = path.rpartition(b"/")[0]
        while above:
            there = subtree(self.tree, above)
            if isinstance(there, Entry):
                return there.node not in moved
            above = above.rpartition(b"/")[0]
        return False
