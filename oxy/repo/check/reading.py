"""Reading all objects of a kind, those that are damaged among them (spec: store, ST26)."""

from collections.abc import Iterator

from oxy.errors import CorruptionError
from oxy.store.protocol import Reader


def payloads(reader: Reader, kind: int) -> Iterator[tuple[int, bytes | CorruptionError]]:
    """Yield (number, payload) of every object of a kind, or what is wrong with it.

    Cost: reads each frame once.
    """
    at, total = 1, reader.count(kind)
    while at <= total:
        try:
            for payload in reader.read_many(kind, range(at, total + 1)):
                yield at, payload
                at += 1
        except CorruptionError as error:
            yield at, error
            at += 1
