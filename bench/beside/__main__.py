"""Prints the worst ratios of some runs of `bench/peers.py`, and what grew and need not."""

import sys

from bench.beside.marks import growths, shown
from bench.measuring.record import decode


def main() -> int:
    """Read the records that are named, print; 1 where something grew that need not."""
    records = []
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            records.append(decode(file.read(), name))
    print(shown(records))
    return int(any(each.is_over for each in growths(records)))


if __name__ == "__main__":
    sys.exit(main())
