"""What code asks of a configuration is in the table of settings, and is all of it."""

import ast
import re
from pathlib import Path

from oxy.actions.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
READERS = {"text", "words", "held", "file_of"}
SECTION = re.compile(r"^(?:user|commit|ui|merge|mergetool|alias|hook)\.[\w*.-]+$")


def pattern(item: ast.expr) -> str | None:
    """Return the name that an expression makes, with a star for what is put in."""
    if isinstance(item, ast.Constant) and isinstance(item.value, str):
        return item.value
    if isinstance(item, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "*" for part in item.values
        )
    return None


def asked() -> set[str]:
    names = set()
    for package in ("oxy", "oxy_git"):
        for path in (ROOT / package).rglob("*.py"):
            for item in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(item, ast.Call) or len(item.args) != 2:
                    continue
                called = item.func
                name = called.id if isinstance(called, ast.Name) else ""
                found = pattern(item.args[1])
                if name in READERS and found and SECTION.match(found):
                    names.add(found)
    return names


def test_every_setting_that_code_reads_is_in_the_table_and_the_other_way_round() -> None:
    # Hooks are asked for by the one place that runs them.
    hooks = {each.name for each in SETTINGS if each.name.startswith("hook.")}
    table = {each.name for each in SETTINGS} - hooks
    assert asked() - {"hook.*"} <= table
    assert table <= asked()
