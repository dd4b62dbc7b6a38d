"""Authors as they are shown (spec: command-line, L50)."""

from __future__ import annotations

import os

from oxy.cli.changes import record_of as record_of_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from oxy.actions.log import Entry
    from oxy.cli.records import Record, Scalar

    Mapping: TypeAlias = Callable[[bytes], bytes]


def add_mailmap(parser: ArgumentParser) -> None:
    """Declare the option by which authors are shown as changes have them."""
    parser.add_argument(
        "--no-mailmap",
        dest="is_mapped",
        action="store_const",
        const=False,
        default=True,
        help="show authors as changes have them, whatever .mailmap says",
    )


def mapping_of(args: Namespace, root: bytes) -> Mapping | None:
    """Return what maps an author to the one to be shown, or None where all are as they are."""
    held = (os.path.join(root, b".mailmap"), os.path.join(root, b".oxy", b"authors"))
    if not args.is_mapped or not any(map(os.path.lexists, held)):
        return None
    from oxy.actions.mailmap import read

    found = read(root)
    return None if found is None else found.author


def mapped(entry: Entry, mapping: Mapping | None) -> Entry:
    """Return a change with its author as it is to be shown."""
    if mapping is None:
        return entry
    header = entry.header
    author = mapping(header.author)
    if author == header.author:
        return entry
    return entry._replace(header=header._replace(author=author))


def record_of(
    entry: Entry, mapping: Mapping | None
) -> dict[str, bytes | Scalar | Record | Sequence[Scalar | Record]]:
    """Return a change for JSON, also with the author that is shown where that is another."""
    record: dict[str, bytes | Scalar | Record | Sequence[Scalar | Record]] = {
        **record_of_change(entry)
    }
    author = entry.header.author
    if mapping is not None and mapping(author) != author:
        record["mapped_author"] = mapping(author)
    return record
