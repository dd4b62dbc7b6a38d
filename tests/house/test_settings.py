"""What code asks of a configuration is in the table of settings, and is all of it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from oxy.actions.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
HOOK = re.compile(r"^(?:before|after)-[a-z]+$")
BENEATH = {"safe.directory"}
"""What `oxy.repo.owner` reads itself: whether a repository's own settings count hangs on it."""

READERS = {"text", "words", "held", "file_of"}
SECTION = re.compile(
    r"^(?:user|commit|ui|merge|mergetool|gc|alias|hook|ssh|sync|signing|signers)\.[\w*.-]+$"
)


def pattern(item: ast.expr) -> str | None:
    """Return the name that an expression makes, with a star for what is put in."""
    if isinstance(item, ast.Constant) and isinstance(item.value, str):
        return item.value
    if isinstance(item, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "*" for part in item.values
        )
    return None


def parsed() -> Iterator[ast.AST]:
    for package in ("oxy", "oxy_git"):
        for path in (ROOT / package).rglob("*.py"):
            yield from ast.walk(ast.parse(path.read_text("utf-8")))


def asked() -> set[str]:
    names = set()
    for item in parsed():
        if not isinstance(item, ast.Call) or len(item.args) < len(("control", "name")):
            continue
        called = item.func.id if isinstance(item.func, ast.Name) else ""
        found = pattern(item.args[1])
        if called in READERS and found and SECTION.match(found):
            names.add(found)
    return names


def hooks_run() -> set[str]:
    return {
        f"hook.{item.value}"
        for item in parsed()
        if isinstance(item, ast.Constant)
        and isinstance(item.value, str)
        and HOOK.match(item.value)
    }


def test_every_setting_that_code_reads_is_in_the_table_and_the_other_way_round() -> None:
    table = {each.name for each in SETTINGS}
    hooks = {name for name in table if name.startswith("hook.")}
    # Hooks are asked for by the one place that runs them.
    assert asked() | BENEATH == table - hooks | {"hook.*"}
    assert hooks_run() == hooks
