"""Every limit is in the specification with its value, and there is no other (spec: T22)."""

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOMES = (
    "oxy.codec.limits",
    "oxy.store.limits",
    "oxy.sync.limits",
    "oxy_git.reader.limits",
)
"""Modules of which every number is a limit, or a size that stands beside one."""

BESIDE = {
    "oxy.actions.grammar": ("LONGEST", "MOST_STEPS"),
    "oxy.actions.mailmap": ("MOST",),
    "oxy.actions.seeking": ("LONGEST",),
    "oxy.diff.literal": ("LIMIT",),
    "oxy.model.pathrule": ("MAX_DEPTH", "MAX_NAME", "MAX_PATH"),
    "oxy.repo.userfile": ("DEPTH", "SIZE"),
    "oxy.worktree.patternfile": ("MAX_IGNORE_FILE",),
}
"""Limits that one module alone goes by, beside what goes by them."""

ROW = re.compile(r"^\| `([a-z_.]+)` \| `([A-Z_]+)` \| ([0-9.^x -]+) \|", re.MULTILINE)
NAME = re.compile(r"(?:^|_)(LIMIT|MAX|MOST|LONGEST|CAP)(?:_|$)")
FREE = {
    "MAX_CANDIDATES", "MAX_FILES", "MAX_LINES", "MAX_ROUNDS", "MAX_SHARERS", "MAX_BYTES",
    "_MOST_BLANKS", "_MOST_FREQUENT", "_MOST_INDENT", "_MOST_PLACES",
    "TAIL_MOST",
}  # fmt: skip
"""How hard a diff, a search for renames or a collection tries; then it goes another way."""


SMALL = {
    "_JOURNAL_LIMIT", "_LIMIT", "_LONGEST", "_MAX_OFFSET", "MOST",
}  # fmt: skip
"""Sizes of caches and buffers, and of what oxy itself wrote."""


def shown(value: float) -> str:
    """Return a number as the table has it."""
    whole = int(value)
    power = whole.bit_length() - 1
    if whole == value and power > 15 and whole == 1 << power:
        return f"2^{power}"
    if whole == value and power > 15 and whole + 1 == 1 << (power + 1):
        return f"2^{power + 1} - 1"
    if whole == value and whole > 1 << 20 and whole % (1 << 20) == 0:
        return f"{whole >> 20} x 2^20"
    return f"{value:g}" if whole != value else str(whole)


def limits() -> dict[tuple[str, str], str]:
    """Return every limit, by module and name."""
    found = {}
    for home in HOMES:
        for name, value in vars(importlib.import_module(home)).items():
            if name.isupper() and isinstance(value, int | float):
                found[home, name] = shown(value)
    for module, names in BESIDE.items():
        found |= {
            (module, name): shown(getattr(importlib.import_module(module), name))
            for name in names
        }
    return found


def test_the_specification_has_every_limit_and_no_other() -> None:
    text = (ROOT / "spec/threat-model.md").read_text()
    table = {(module, name): value.strip() for module, name, value in ROW.findall(text)}
    wanted = limits()
    rows = [f"| `{module}` | `{name}` | {value} |" for (module, name), value in wanted.items()]
    assert table == wanted, "\n".join(rows)


def numbers(tree: ast.Module) -> set[str]:
    """Return the names that a module gives to numbers."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                found.add(target.id)
    return found


@pytest.mark.parametrize("package", ["oxy", "oxy_git"])
def test_what_is_called_a_limit_is_among_them(package: str) -> None:
    known = {name for _, name in limits()}
    for path in (ROOT / package).rglob("*.py"):
        for name in numbers(ast.parse(path.read_bytes())):
            if NAME.search(name) and name not in known | FREE | SMALL:
                raise AssertionError((path, name))
