"""Makes a page of results: `python -m bench.report build/bench/*.json -o page.html`.

Every argument is a file that a bench wrote with --json. The page needs no other file.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

from bench.measuring.record import FormError, Record, decode
from bench.report.page import page

STYLE: Final = os.path.join(os.path.dirname(__file__), "style.css")


def read(names: Sequence[str]) -> list[Record]:
    """Return the records in some files.

    Raises:
        FormError: one holds none.
    """
    records: list[Record] = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            records.append(decode(file.read(), name))
    return records


def main() -> None:
    """Read, and write the page."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", default="build/bench/report.html", metavar="FILE")
    args = parser.parse_args()
    try:
        records = read(args.files)
    except (OSError, FormError) as error:
        sys.exit(str(error))
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    os.makedirs(os.path.dirname(os.path.abspath(args.output)), exist_ok=True)
    with open(args.output, "w", encoding="utf-8") as file:
        file.write(page(records, style))
    print(args.output)


if __name__ == "__main__":
    main()
