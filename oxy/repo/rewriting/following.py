"""Where what replaced changes made is among what others recorded in their place (spec: S47).

The new changes were made elsewhere, so nobody has noted which of their lines is which of the
old ones. Nodes are found by their places, and lines by comparing what the states read.
"""

from collections.abc import Iterator, Mapping

from pyroaring import BitMap

from oxy.diff.lines import edits
from oxy.graph.draft import flat
from oxy.graph.weave import SHIFT
from oxy.model.operation import KIND_TEXT, PLACE
from oxy.repo.repository import Repository
from oxy.repo.rewriting.images import Images
from oxy.repo.rewriting.parts import Key, Part, own, take_apart
from oxy.repo.rewriting.wanted import lines_of

Follows = Mapping[int, tuple[int, ...]]
"""By a replaced change: those that stand in for it."""


def follow(repository: Repository, images: Images, follows: Follows) -> None:
    """Note the images of what replaced changes made, as far as there are any.

    Texts are compared as the states of the old changes read them, and as those of the new do.
    Cost: reads the changes, and compares the texts that the old ones touch.
    """
    of_change = repository.states.of_change
    new = BitMap(change for news in follows.values() for change in news)
    before = BitMap.union(*map(of_change, follows))
    after = BitMap.union(*map(of_change, new))
    parts = {old: take_apart(repository, old).parts for old in follows}
    for old, news in follows.items():
        _nodes(repository, images, parts[old], news)
    texts: dict[int, list[int]] = {}
    for old, news in follows.items():
        for key, part in parts[old].items():
            _stand(repository, images, old, news, key)
            if isinstance(key, int) and part.deed is not None:
                texts.setdefault(key, []).append(old)
    for node, olds in texts.items():
        pairs = [
            pair
            for pair in _pairs(repository, images, node, before, after)
            if pair[1] >> SHIFT in new
        ]
        for old in olds:
            own_pairs = [pair for pair in pairs if pair[0] >> SHIFT == old]
            images.place(node, old, own_pairs)


def _nodes(
    repository: Repository, images: Images, parts: Mapping[Key, Part], news: tuple[int, ...]
) -> None:
    """Note which node that a new change creates is that of an old one."""
    made = [part for change in news for part in _created(take_apart(repository, change).parts)]
    for part in _created(parts):
        place = _place(part)
        alike = [o.key for o in made if _place(o) == place and o.created == part.created]
        if alike and isinstance(part.key, int) and isinstance(alike[0], int):
            images.make(part.key, alike[0])


def _created(parts: Mapping[Key, Part]) -> Iterator[Part]:
    return (part for part in parts.values() if own(part))


def _place(part: Part) -> object:
    return next((write.value for write in part.writes if write.register == PLACE), None)


def _stand(
    repository: Repository, images: Images, old: int, news: tuple[int, ...], key: Key
) -> None:
    """Note which new change does to a node what an old one did, where one does."""
    image: Key | None = key
    if isinstance(key, int):
        image = images.node(key, repository.nodes.origin(key)[1])
    for change in news:
        if image is not None and image in take_apart(repository, change).parts:
            images.stand(old, key, change)
            return


def _pairs(
    repository: Repository, images: Images, node: int, before: BitMap, after: BitMap
) -> Iterator[tuple[int, int]]:
    """Yield (old line, new line) of lines that the two states read alike."""
    nodes = repository.nodes
    image = images.node(node, nodes.origin(node)[1])
    if image is None or nodes.kind(image) != KIND_TEXT:
        return
    one = flat(nodes.reading(node, before))
    other = flat(nodes.reading(image, after))
    was, became = lines_of(one), lines_of(other)
    done = at = 0
    changed = [*edits(nodes.text(node, one), nodes.text(image, other))]
    for first, dropped, start, inserted in [*changed, (len(was), 0, len(became), 0)]:
        yield from zip(was[done:first], became[at:start], strict=True)
        done, at = first + dropped, start + inserted
