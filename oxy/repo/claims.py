"""Which node shows at a path that several claim (spec: names, N16, N17, N18, N21).

A node claims the path of its place. Where a directory or another node keeps that, it shows
beside it under a name that tells the change that placed it. All this is a function of the
state; here it is worked out from the tree of another state, for the nodes whose claims differ.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from oxy.typed import NamedTuple

from pyroaring import BitMap

from oxy.model.digest import blob_id
from oxy.model.operation import PLACE, BlobRef
from oxy.repo.directories import DIGITS, MARK
from oxy.repo.nodes import Nodes
from oxy.repo.standing import standing
from oxy.repo.tree import DISPUTED_DIRECTORY, DISPUTED_PATH, Directory, Entry, edited, subtree


class Step(NamedTuple):
    """A node between two states: the paths that it claimed and claims, and what it is now."""

    before: bytes | None
    after: bytes | None
    entry: Entry


def laid_out(
    nodes: Nodes,
    root: Directory,
    state: BitMap,
    steps: Mapping[int, Step],
    entry: Callable[[int], Entry],
) -> Directory:
    """Return the tree of a state from that of another.

    Args:
        nodes: the nodes of the repository.
        root: the tree of the other state.
        state: the state.
        steps: every node that a change in one of the two states touches, and not in both.
        entry: what another node is in the state.

    Cost: the paths that those nodes claim, and the names beside them.
    """
    layout = _Layout(nodes, root, state, steps, entry)
    layout.gather()
    return layout.tree()


class _Layout:
    """The claims to paths whose claimants differ between two states."""

    __slots__ = ("_claims", "_entry", "_gone", "_marked", "_nodes", "_root", "_state", "_steps")

    def __init__(
        self,
        nodes: Nodes,
        root: Directory,
        state: BitMap,
        steps: Mapping[int, Step],
        entry: Callable[[int], Entry],
    ) -> None:
        self._entry = entry
        self._nodes = nodes
        self._root = root
        self._state = state
        self._steps = steps
        self._gone: dict[bytes, Entry | None] = {}
        self._claims: dict[bytes, list[Entry]] = {}
        self._marked: dict[bytes, list[bytes]] = {}

    def gather(self) -> None:
        """Find who claims each path in question, and take what shows there out."""
        work: list[bytes] = []
        for before, after, entry in self._steps.values():
            if after is not None:
                self._claims.setdefault(after, []).append(entry)
            work += (path for path in (before, after) if path is not None)
        seen: set[bytes] = set()
        while work:
            path = work.pop()
            if path and path not in seen:
                seen.add(path)
                work += self._look(path)

    def tree(self) -> Directory:
        """Return the tree with every claim where it shows."""
        above = {way for path in self._claims for way in _above(path)}
        single = {path: entries[0] for path, entries in self._claims.items()}
        if not any(self._is_contested(path, above) for path in single):
            return edited(self._root, {**self._gone, **single})
        root = edited(self._root, self._gone)
        shown: dict[bytes, Entry] = {}
        losers: list[tuple[bytes, Entry]] = []
        for path, claims in sorted(self._claims.items()):
            is_directory = path in above or isinstance(subtree(root, path), Directory)
            found = self._united(claims)
            flag = DISPUTED_PATH if is_directory or len(found) > 1 else 0
            entries = [e._replace(disputed=e.disputed | flag) for e in found]
            if is_directory:
                losers += ((path, entry) for entry in entries)
            else:
                shown[path] = entries[0]
                losers += ((path, entry) for entry in entries[1:])
        for path, entry in losers:
            names = (n for n in self._names(path, entry) if n not in shown and n not in above)
            shown[next(n for n in names if not subtree(root, n))] = entry
        return edited(root, shown)

    def _united(self, claims: list[Entry]) -> list[Entry]:
        """Return claims to one path by node id, those of equal content as one."""
        ordered = sorted(claims, key=lambda entry: self._nodes.origin(entry.node)[0])
        if len(ordered) == 1:
            return ordered
        found: dict[object, Entry] = {}
        for entry in ordered:
            alike = self._content(entry)
            first = found.get(alike)
            if first is None:
                found[alike] = entry
            else:
                found[alike] = first._replace(twins=(*first.twins, entry.node))
        return list(found.values())

    def _content(self, entry: Entry) -> object:
        """Return what equal nodes share; one that is in conflict equals no other."""
        if entry.disputed & ~DISPUTED_DIRECTORY:
            return entry.node
        held = self._nodes.view(entry.node, self._state).content
        if isinstance(held, BlobRef):
            return entry.kind, entry.mode, held.id
        data = b"".join(self._nodes.content(entry.node, self._state))
        return entry.kind, entry.mode, blob_id(data)

    def _is_contested(self, path: bytes, above: set[bytes]) -> bool:
        if len(self._claims[path]) > 1 or path in above:
            return True
        return isinstance(subtree(self._root, path), Directory)

    def _look(self, path: bytes) -> Iterator[bytes]:
        """Look at what shows at a path and beside it; yield the paths that hang on it."""
        parent, _, name = path.rpartition(b"/")
        yield parent
        if MARK in name:
            yield path[: path.rindex(MARK)]
        beside = (n for n in self._losers(parent) if n.startswith(name + MARK))
        for other in (name, *beside):
            shown = parent + b"/" + other if parent else other
            entry = subtree(self._root, shown)
            if not isinstance(entry, Entry) or shown in self._gone:
                continue
            claimed = self._claimed(shown, entry)
            if claimed == path:
                self._gone[shown] = None
                alone = entry._replace(disputed=entry.disputed & ~DISPUTED_PATH, twins=())
                others = (self._entry(twin) for twin in entry.twins if twin not in self._steps)
                stays = () if entry.node in self._steps else (alone,)
                for claim in (*stays, *others):
                    self._claims.setdefault(path, []).append(claim)
            elif shown == path:
                yield claimed

    def _losers(self, parent: bytes) -> list[bytes]:
        """Return the names in a directory that may be those of losers."""
        found = self._marked.get(parent)
        if found is None:
            at = subtree(self._root, parent)
            names: Iterable[bytes] = at.entries if isinstance(at, Directory) else ()
            # Together first: hardly a directory has any.
            has_any = MARK in b"/".join(names)
            found = self._marked[parent] = [n for n in names if MARK in n] if has_any else []
        return found

    def _claimed(self, shown: bytes, entry: Entry) -> bytes:
        """Return the path that a node claimed in the state of the old tree."""
        step = self._steps.get(entry.node)
        if step is not None:
            return step.before or shown
        if MARK not in shown.rpartition(b"/")[2]:
            return shown
        return standing(self._nodes, entry.node, self._state).seen.path or shown

    def _names(self, path: bytes, entry: Entry) -> Iterator[bytes]:
        """Yield the names that a loser may have, from the shortest."""
        rank = self._nodes.rank
        values = self._nodes.registers(entry.node).values(PLACE, self._state)
        written = min((rank(c) for value in values for c in value.changes), default=b"")
        digits = written.hex() + self._nodes.origin(entry.node)[0].hex()
        for size in range(DIGITS, len(digits) + 1):
            yield path + MARK + digits[:size].encode()


def _above(path: bytes) -> Iterator[bytes]:
    """Yield the directories above a path."""
    while path := path.rpartition(b"/")[0]:
        yield path
