"""The tree view of any state (spec: checkpoints, CP3, CP10, CP26).

Trees of some states are kept in the cache. That of another state follows from the nearest one:
only the nodes that the changes between the two states touch can differ.
"""

from __future__ import annotations

from functools import partial
from oxy.typed import TYPE_CHECKING, Final

from pyroaring import BitMap

from oxy.model.operation import KIND_TEXT
from oxy.phase import phase
from oxy.repo.arrival import arrival, arrivals
from oxy.repo.cache import ROOT
from oxy.repo.keys import NONE
from oxy.repo.refs import Target, pack_target, unpack_target
from oxy.repo.states import Name
from oxy.repo.tables import CHANGED, key, unpack_numbers
from oxy.repo.tree import (
    DISPUTED_TEXT,
    EMPTY,
    ROW_KEY,
    Directory,
    Entry,
    files,
    get,
    load,
    save,
    subtree,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from oxy.repo import claims
    from oxy.repo.directories import Ways
    from oxy.repo.disputes import Moves
    from oxy.repo.registers import Registers
    from oxy.repo.repository import Repository

STEPS: Final = 4096
"""How many changes back along first heads a kept tree is looked for."""

TOGETHER: Final = 1024
"""Changes whose rows are read together."""

MANY: Final = 64
SPREAD: Final = 2
"""At least so many nodes, in a range at most so many times as long, are read as a range."""

REMEMBERED: Final = 4
"""Trees that are remembered; two of one state, or near each other, share what they have."""

FAR: Final = 128
"""Changes beyond the nearest kept tree from which on a tree is kept unasked."""

RECENT: Final = 16
EVERY: Final = 64
"""The trees of the last `RECENT` commits stay, and for good that of one in `EVERY`."""

WAITING: Final = 4
"""Trees that wait to be kept; an older one is given up for one more."""

_FORM: Final = b"3"
"""Trees that were kept when rows held less are passed over."""


def root_key(repository: Repository, name: Name) -> bytes:
    """Return the key under which the cache keeps the tree of a state.

    It tells the secret too: version keys made under another one do not compare with ours.
    """
    return _mark(repository) + pack_target(Target(name))


def _mark(repository: Repository) -> bytes:
    return repository.keys.fingerprint() + _FORM


def keep(
    repository: Repository, name: Name, root: Directory, gone: Sequence[Name] = ()
) -> None:
    """Keep the tree of a state in the cache, and let go of others.

    Cost: the directories not kept before.
    """
    saved = save(root, repository.cache)
    row = saved + arrival(repository.store, _newest(name))
    old = [root_key(repository, each) for each in gone]
    repository.cache.put(ROOT, [(root_key(repository, name), row)], old)


def keep_next(repository: Repository, change: int, name: Name, root: Directory) -> None:
    """Keep the tree of a state that a change was just recorded on.

    Of the trees kept so all but the latest and a few are let go of, so that neither the cache
    nor its proof grows with every commit. Cost: as `keep`.
    """
    old = change - RECENT
    keep(repository, name, root, [Name((old,))] if old > 0 and old % EVERY else [])


def kept_trees(repository: Repository) -> Iterator[tuple[Name, bytes]]:
    """Yield (state, key to load it by) of every tree that the cache keeps, by their heads."""
    mark = _mark(repository)
    held = [
        (unpack_target(row_key[len(mark) :]).state, row)
        for row_key, row in repository.cache.rows(ROOT)
        if row_key.startswith(mark)
    ]
    held.sort()
    told = arrivals(repository.store, [_newest(name) for name, _ in held])
    for (name, row), fit in zip(held, told, strict=True):
        if row[ROW_KEY:] == fit:
            yield name, row[:ROW_KEY]


def _newest(name: Name) -> int:
    return max((*name.heads, *name.absent), default=0)


def _believed(repository: Repository, name: Name, row: bytes) -> bytes | None:
    """Return the key of a kept tree, if its numbers mean the changes that they meant then."""
    is_fit = row[ROW_KEY:] == arrival(repository.store, _newest(name))
    return row[:ROW_KEY] if is_fit else None


def tree_of(repository: Repository, name: Name, *, is_clean: bool = False) -> Directory:
    """Return the tree of a state.

    Args:
        repository: where the state is.
        name: its name.
        is_clean: whether no text of it is in conflict, which is not proven: no graph is read.

    Cost: the nodes touched between it and the nearest state whose tree is kept. Where that is
    far, or there is none, the tree is kept once the repository is closed: so nothing that a
    transaction took back ever is.
    """
    known = repository.trees.get(name)
    if known is not None:
        return known[0]
    with phase("history"):
        base, root, away = _nearest(repository, name)
        _remember(repository, base, root, away)
        if base == name:
            return root
        old, new = repository.states.members(base), repository.states.members(name)
        tree = moved(repository, root, old, new, is_clean=is_clean)
        away += old.symmetric_difference_cardinality(new)
    if not old or away > FAR:
        repository.waiting.append(partial(keep, repository, name, tree))
        del repository.waiting[:-WAITING]
        away = 0
    _remember(repository, name, tree, away)
    return tree


def _remember(repository: Repository, name: Name, tree: Directory, away: int) -> None:
    trees = repository.trees
    trees.pop(name, None)
    trees[name] = tree, away
    while len(trees) > REMEMBERED:
        del trees[next(iter(trees))]


def _nearest(repository: Repository, name: Name) -> tuple[Name, Directory, int]:
    """Return a state near another whose tree is kept or remembered, or the empty one.

    With it come its tree, and how many changes that is away from one that is kept.
    """
    at = name
    for _ in range(STEPS):
        if at in repository.trees:
            return at, *repository.trees[at]
        row = repository.cache.get(ROOT, root_key(repository, at))
        saved = None if row is None else _believed(repository, at, row)
        if saved is not None:
            return at, load(saved, repository.cache, partial(_anew, repository, at)), 0
        if not at.heads:
            break
        if len(at.heads) > 1:
            at = repository.states.name_of_change(at.heads[0])
        else:
            at = repository.states.link(at.heads[0]).context
    return Name(), EMPTY, 0


def _anew(repository: Repository, name: Name) -> Directory:
    """Return the tree of a state without the cache, and keep it there again."""
    root = moved(repository, EMPTY, BitMap(), repository.states.members(name))
    keep(repository, name, root)
    return root


def moved(
    repository: Repository,
    root: Directory,
    old: BitMap,
    new: BitMap,
    *,
    is_clean: bool = False,
) -> Directory:
    """Return the tree of one state from that of another; for `is_clean` see `tree_of`.

    Digests of what differs are left empty. Cost: the nodes touched by the changes that only one
    of the two states has, and those below directories that they move.
    """
    # A tree that is kept is read without all this.
    from oxy.repo.claims import laid_out
    from oxy.repo.directories import Ways, moved_ever
    from oxy.repo.planting import planted

    nodes = repository.nodes
    with repository.store.snapshot():
        ever = moved_ever(nodes.reader)
        rest: BitMap | None = None
        if not old and not ever and (found := planted(repository, new)) is not None:
            root, rest = found
            if not rest:
                return root
        before, after = (Ways(ever, state, nodes.rank) for state in (old, new))
        ends = (old, before), (new, after)
        steps = _steps(repository, root, *ends, rest, is_clean=is_clean)
        entry = partial(_entry, repository, new, after)
        return laid_out(nodes, root, new, steps, entry)


def affected(repository: Repository, name: Name, new: BitMap) -> Iterable[int]:
    """Return the nodes that may differ between a named state and another. Cost: as `moved`."""
    from oxy.repo.directories import shifted
    from oxy.repo.standing import ways_of

    nodes, old = repository.nodes, repository.states.members(name)
    ways = ways_of(nodes, old), ways_of(nodes, new)
    found = _touched(repository, old, new)
    if next(shifted(*ways), None) is not None:
        _add_shifted(found, tree_of(repository, name), *ways)
    return found


def _entry(repository: Repository, state: BitMap, ways: Ways, node: int) -> Entry:
    """Return what a node is in a state, whatever shows at its path."""
    from oxy.repo.disputes import Moves

    nodes = repository.nodes
    changes = [change for change, _ in nodes.touching(node) if change in state]
    moves = Moves(nodes, node, BitMap(), state, changes)
    return _step(repository, EMPTY, moves, nodes.registers(node), (ways, ways)).entry


def twins(root: Directory, path: bytes) -> tuple[int, ...]:
    """Return the nodes that show as one with that at a path, and are retired with an edit."""
    entry = get(root, path)
    return entry.twins if entry is not None else ()


def _steps(
    repository: Repository,
    root: Directory,
    old: tuple[BitMap, Ways],
    new: tuple[BitMap, Ways],
    only: BitMap | None,
    *,
    is_clean: bool,
) -> dict[int, claims.Step]:
    """Return what becomes of every node, or only of some, that may differ between states."""
    from oxy.repo.disputes import Moves
    from oxy.repo.many import registers_of

    touched = _touched(repository, old[0], new[0], only)
    _add_shifted(touched, root, old[1], new[1])
    nodes, ways = repository.nodes, (old[1], new[1])
    apart = list(old[0] ^ new[0])
    nodes.replacements.learn(apart)
    repository.keys.learn(apart)
    steps = dict(_whole_steps(repository, touched, *ways))
    for node, held in registers_of(nodes, touched.keys() - steps.keys()):
        moves = Moves(nodes, node, old[0], new[0], touched[node], is_clean=is_clean)
        steps[node] = _step(repository, root, moves, held, ways)
    return steps


def _whole_steps(
    repository: Repository, touched: Mapping[int, list[int]], old: Ways, new: Ways
) -> Iterator[tuple[int, claims.Step]]:
    """Yield (node, what becomes of it) where its only change is in one of two states alone.

    Cost: the rows between the first and the last of the nodes; nothing where those are few or
    far from each other.
    """
    first, last = min(touched, default=0), max(touched, default=0)
    if len(touched) < MANY or last - first > len(touched) * SPREAD:
        return
    from oxy.repo.alone import made_alone
    from oxy.repo.claims import Step

    versions: dict[int, bytes] = {}
    for node, (change, kind, place, mode) in made_alone(repository.store, first, last):
        moves = touched.get(node)
        if moves == [change]:
            if change not in versions:
                versions[change] = repository.keys.moved(NONE, change)
            entry = Entry(node, kind, mode, versions[change], new.flags(place))
            yield node, Step(None, new.path(place), entry)
        elif moves == [-change]:
            yield node, Step(old.path(place), None, Entry(node, kind, 0, NONE))


def _touched(
    repository: Repository, old: BitMap, new: BitMap, only: BitMap | None = None
) -> dict[int, list[int]]:
    """Return which changes of one state alone touch each node, those of `old` negative."""
    found: dict[int, list[int]] = {}
    changes = list(old ^ new)
    for start in range(0, len(changes), TOGETHER):
        some = changes[start : start + TOGETHER]
        rows = repository.store.rows_many(CHANGED, map(key, some))
        for change in some:
            signed = change if change in new else -change
            nodes = BitMap(unpack_numbers(rows.get(key(change), b"")))
            for node in nodes if only is None else nodes & only:
                found.setdefault(node, []).append(signed)
    return found


def _add_shifted(
    found: dict[int, list[int]], root: Directory, before: Ways, after: Ways
) -> None:
    """Add the nodes below directories that show elsewhere, whether touched or not."""
    from oxy.repo.directories import shifted

    for path in shifted(before, after):
        below = subtree(root, path)
        for _, entry in files(below) if isinstance(below, Directory) else ():
            for node in (entry.node, *entry.twins):
                found.setdefault(node, [])


def _step(
    repository: Repository,
    root: Directory,
    moves: Moves,
    registers: Registers,
    ways: tuple[Ways, Ways],
) -> claims.Step:
    from oxy.repo.claims import Step
    from oxy.repo.standing import standing

    nodes, node, before = repository.nodes, moves.node, None
    after, flags = standing(nodes, node, moves.new, registers, ways[1])
    if moves.old and _stays(moves, registers, ways):
        before = after.path
    elif moves.old:
        before = standing(nodes, node, moves.old, registers, ways[0]).seen.path
    if after.path is None:
        return Step(before, None, Entry(moves.node, after.kind, after.mode, NONE))
    held = get(root, before) if before is not None else None
    if held is not None and held.node != moves.node:
        held = None
    version, changes = NONE, list(moves.changes)
    if held is not None:
        version = held.key
    else:
        changes = moves.every
    for change in changes:
        version = repository.keys.moved(version, change)
    if after.kind == KIND_TEXT and moves.is_text_disputed(held):
        flags |= DISPUTED_TEXT
    entry = Entry(moves.node, after.kind, after.mode, version, flags)
    return Step(before, after.path, entry)


def _stays(moves: Moves, registers: Registers, ways: tuple[Ways, Ways]) -> bool:
    """Tell whether a node surely has the same path in both states: one that is placed once."""
    writes, both = registers.writes, (moves.old, moves.new)
    is_placed = all(write.change in state for state in both for write in writes)
    are_plain = len({write.register for write in writes}) == len(writes)
    return bool(writes) and is_placed and are_plain and not (ways[0].places or ways[1].places)
