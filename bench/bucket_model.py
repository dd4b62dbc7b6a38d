"""Do requests and bytes of a push and of a pull stay as they are while a bucket grows?

A model: the log, the index and the walk are oxy's own, the store is in memory and counts, each
request takes 30 ms, and changes are ids without content. 100 writers push a change each to one
of 1,000 bookmarks about once a minute; a reader who has all that was there a minute ago pulls.
What was there before was pushed in loads of 500 changes, and is never opened: reading it fails.
"""

import argparse
import heapq
import json
import random
from collections.abc import Iterator
from io import BytesIO
from statistics import mean
from typing import NamedTuple

from oxy.model.digest import ChangeId
from oxy.repo.refs import BOOKMARK
from oxy.sync.bucket.bucket import DOUBLINGS, PAUSE
from oxy.sync.bucket.index import Load, Row, bounds, encode_leaf
from oxy.sync.bucket.kept import Kept
from oxy.sync.bucket.log import Doing, Log, Read
from oxy.sync.bucket.uploading import listed
from oxy.sync.bucket.walking import lacking
from oxy.sync.endpoint import Offered
from oxy.sync.shelf import File
from tests.builders.bucket import Shelved

BOOKMARKS = 1000
WRITERS = 100
BETWEEN = 60.0
"""Seconds between two pushes of a writer, and between two pulls."""
REQUEST = 0.03
LOADED = 500
CONTENT = 700
"""Bytes of the load of one change, about as a commit of one line takes."""


class Cost(NamedTuple):
    """What something asked of the store."""

    requests: int
    size: int


class Counted:
    """Adds up what is asked while it is open."""

    def __init__(self, objects: Shelved) -> None:
        self._objects = objects
        self._asked, self._moved = len(objects.asked), objects.moved

    def cost(self) -> Cost:
        """Return what was asked since it was made."""
        objects = self._objects
        return Cost(len(objects.asked) - self._asked, objects.moved - self._moved)


class Forgetful(Shelved):
    """Objects of which leaves of the past have no content: reading one fails."""

    def create(self, name: str, file: File, size: int) -> bool:
        """See Objects; three rows or more, of seven items each, are those of a leaf."""
        data = file.read(size)
        is_leaf = data[:1] > b"\x92" and data[1:2] == b"\x97" and size > 32 * LOADED
        return super().create(name, BytesIO(b"" if is_leaf else data), 0 if is_leaf else size)


class Model:
    """A bucket of which only the newest is ever looked at."""

    def __init__(self, changes: int) -> None:
        self.chance = random.Random(changes)  # noqa: S311 -- a model
        self.objects = Forgetful()
        self.kept = Kept(self.objects)
        self.log = Log(self.objects, self.kept)
        self.heads: list[ChangeId] = [ChangeId(b"")] * BOOKMARKS
        self.fresh: set[bytes] = set()
        rows = listed(self.kept, self._past(changes))
        names = tuple(self._name(at) for at in range(BOOKMARKS) if self.heads[at])
        self.log.append(self.log.newest(), Doing(rows, names))
        self.objects.asked.clear()

    def _past(self, changes: int) -> Iterator[Load]:
        for at in range(changes // LOADED):
            data = self.chance.randbytes(32 * LOADED)
            ids = tuple(ChangeId(data[32 * i : 32 * i + 32]) for i in range(LOADED))
            bookmark = at % BOOKMARKS
            needs = (self.heads[bookmark],) if self.heads[bookmark] else ()
            self.heads[bookmark] = ids[-1]
            yield Load(self.chance.randbytes(40), 1 << 20, ids, (), (), ids[-1:], needs)

    def _name(self, at: int) -> Offered:
        return Offered(BOOKMARK, b"team/feature-%04d" % at, (self.heads[at],))

    def upload(self, change: ChangeId, needs: tuple[ChangeId, ...]) -> Row:
        """Write what a push of one change writes."""
        content = self.chance.randbytes(CONTENT)
        where = self.kept.keep((content,))
        loads = [Load(*where, (change,), (), (), (change,), needs)]
        return Row(0, *self.kept.keep_list(encode_leaf(loads)), *bounds(loads))

    def held(self, ids: object) -> list[bytes]:
        """Tell what the reader has: all but what came since it last pulled."""
        return [each for each in ids if each not in self.fresh]  # type: ignore[attr-defined] # a sequence


class Writer(NamedTuple):
    """A push on its way: what it has read and written, and what that took so far."""

    on: Read
    bookmark: int
    change: ChangeId
    row: Row
    spent: Cost
    tries: int = 0
    is_late: bool = False

    def after(self, cost: Cost) -> "Writer":
        """Return it with what it has spent since."""
        spent = Cost(self.spent.requests + cost.requests, self.spent.size + cost.size)
        return self._replace(spent=spent)


def run(changes: int, pushes: int) -> dict[str, object]:
    """Let the writers push, and a reader pull; return what each took."""
    model = Model(changes)
    chance, objects = model.chance, model.objects
    done: list[tuple[Cost, int]] = []
    pulls: list[Cost] = []
    order = 0
    queue: list[tuple[float, int, Writer | None]] = []
    for _ in range(WRITERS):
        order += 1
        heapq.heappush(queue, (chance.uniform(0, BETWEEN), order, None))
    next_pull = BETWEEN
    while len(done) < pushes:
        now, _, writer = heapq.heappop(queue)
        order += 1
        while now > next_pull:
            next_pull += BETWEEN
            pulls.append(_pulled(model))
        counted = Counted(objects)
        if writer is None:
            begun = _begun(model, chance.randrange(BOOKMARKS))
            begun = begun._replace(spent=counted.cost())
            heapq.heappush(queue, (now + REQUEST * begun.spent.requests, order, begun))
            continue
        name = Offered(BOOKMARK, b"team/feature-%04d" % writer.bookmark, (writer.change,))
        if writer.is_late:
            writer = writer._replace(on=model.log.newer(writer.on), is_late=False)
            cost = counted.cost()
            heapq.heappush(queue, (now + 2 * REQUEST, order, writer.after(cost)))
            continue
        appended = model.log.append(writer.on, Doing((writer.row,), (name,)))
        cost = counted.cost()
        writer = writer.after(cost)
        if appended is None:
            wait = 2 * REQUEST + chance.uniform(0, PAUSE * 2 ** min(writer.tries, DOUBLINGS))
            late = writer._replace(tries=writer.tries + 1, is_late=True)
            heapq.heappush(queue, (now + wait, order, late))
            continue
        model.heads[writer.bookmark] = writer.change
        model.fresh.add(writer.change)
        done.append((writer.spent, writer.tries))
        heapq.heappush(queue, (now + chance.expovariate(1 / BETWEEN), order, None))
    return _told(changes, done, pulls, model.log.newest())


def _begun(model: Model, bookmark: int) -> Writer:
    on = model.log.newest()
    change = ChangeId(model.chance.randbytes(32))
    needs = (model.heads[bookmark],) if model.heads[bookmark] else ()
    return Writer(on, bookmark, change, model.upload(change, needs), Cost(0, 0))


def _pulled(model: Model) -> Cost:
    counted = Counted(model.objects)
    read = model.log.newest().state
    wanted = [each.heads[0] for each in read.names]
    found = lacking(model.kept, read.rows, wanted, model.held)
    for load in found.loads:
        with_bytes = model.kept.opened(load)
        assert with_bytes.read(load.size + 1)
        with_bytes.close()
    model.fresh.clear()
    return counted.cost()


def _told(
    changes: int, done: list[tuple[Cost, int]], pulls: list[Cost], newest: Read
) -> dict[str, object]:
    requests = sorted(cost.requests for cost, _ in done)
    sizes = sorted(cost.size for cost, _ in done)
    return {
        "changes": changes,
        "pushes": len(done),
        "requests of a push": round(mean(requests), 2),
        "of 95 %": requests[len(requests) * 95 // 100],
        "at most": requests[-1],
        "KB of a push": round(mean(sizes) / 1000, 1),
        "KB at most": round(sizes[-1] / 1000, 1),
        "pushes that were late once or more": round(mean(tries > 0 for _, tries in done), 3),
        "tries at most": 1 + max(tries for _, tries in done),
        "requests of a pull": round(mean(cost.requests for cost in pulls), 1),
        "KB of a pull": round(mean(cost.size for cost in pulls) / 1000, 1),
        "rows of the index": len(newest.state.rows),
    }


def main() -> None:
    """Print a column for each size."""
    reads = argparse.ArgumentParser(description=__doc__)
    reads.add_argument("--sizes", type=int, nargs="+", default=[10**4, 10**5, 10**6, 10**7])
    reads.add_argument("--pushes", type=int, default=3000)
    reads.add_argument("--json", help="a file for the figures")
    said = reads.parse_args()
    found = [run(size, said.pushes) for size in said.sizes]
    for name in found[0]:
        print(f"{name:36}", *(f"{each[name]!s:>12}" for each in found))
    if said.json:
        with open(said.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)


if __name__ == "__main__":
    main()
