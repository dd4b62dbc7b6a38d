"""Reading all objects of a kind, those that are damaged among them (spec: store, ST26)."""

from collections.abc import Iterator

from oxy.errors import CorruptionError
from oxy.store.protocol import Reader


def payloads(reader: Reader, kind: int) -> Iterator[tuple[int, bytes | CorruptionError]]:
    """Yield (number, payload) of every object that stays, or what is wrong with it.

    Cost: reads each frame once.
    """
    gone = set(reader.all_gone(kind))
    numbers = [number for number in range(1, reader.count(kind) + 1) if number not in gone]
    done = 0
    while done < len(numbers):
        try:
            for payload in reader.read_many(kind, numbers[done:]):
                yield numbers[done], payload
                done += 1
        except CorruptionError as error:
            yield numbers[done], error
            done += 1
