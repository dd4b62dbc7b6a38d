"""`oxy bucket`: care for a repository in a bucket (spec: command-line; sync, SY25)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

COMMANDS: Table = {
    "gc": (
        "oxy.cli.verbs.bucket_gc",
        "drop what no name reaches",
        "buckets",
    ),
}
