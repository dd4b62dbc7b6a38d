"""The help of oxy as a whole, and of a group of verbs (spec: command-line, L3)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oxy.cli.commands import Table

HEAD = """\
usage: oxy [-C DIR] [-c NAME=VALUE] [--json] [--color WHEN] COMMAND [ARGUMENT...]

Version control in which text files are graphs of lines and history is a set of changes.
`oxy` alone is `oxy status`; `oxy help COMMAND` tells about one command.
"""
FOOT = """
options of every command, before or after it:
  -C DIR            run as if started in DIR
  --json            write JSON, one object a line
  --color WHEN      auto, always or never
  --no-pager        page nothing
and before it only:
  -c NAME=VALUE     let a setting hold for this command
"""


def rows(table: Table) -> str:
    """Return a table's verbs under the headings of their groups, in the order of the table."""
    headings = dict.fromkeys(group for _, _, group in table.values())
    parts = []
    for heading in headings:
        parts.append(f"\n{heading}:\n")
        parts += [
            f"  {verb:<16}  {summary}\n"
            for verb, (_, summary, group) in table.items()
            if group == heading
        ]
    return "".join(parts)


def overview(table: Table) -> str:
    """Return the help of `oxy` itself."""
    from oxy.cli.topics import TOPICS

    topics = "".join(f"  {name:<16}  {what}\n" for name, what in TOPICS.items())
    return f"{HEAD}{rows(table)}\ntopics, for `oxy help TOPIC`:\n{topics}{FOOT}"


def overview_of_group(name: str, table: Table) -> str:
    """Return the help of a group of verbs, such as `oxy git`."""
    usage = f"usage: oxy {name} COMMAND [ARGUMENT...]\n"
    return f"{usage}{rows(table)}\n`oxy {name} COMMAND -h` tells about one.\n"
