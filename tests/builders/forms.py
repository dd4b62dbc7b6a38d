"""The forms of JSON that the specification tells, read from its table (spec: L19)."""

import re
from pathlib import Path

from oxy.cli.records import Json

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r'"(\w+)"(\?)?')


class Form:
    """What one command writes: the keys of its objects, and all that stand deeper in them.

    `objects` are the forms that the whole may have, each as the keys that it needs; `known` are
    all keys that may come somewhere.
    """

    def __init__(self, cell: str) -> None:
        self.objects = [needed(each) for each in objects(cell)]
        self.known = {key for key, _ in KEY.findall(cell)}

    def refuses(self, written: dict[str, Json]) -> str | None:
        """Return what is wrong with something that was written, or None."""
        unknown = sorted(keys(written) - self.known)
        if unknown:
            return f"{', '.join(unknown)} not told"
        if any(each <= written.keys() for each in self.objects):
            return None
        missing = min((each - written.keys() for each in self.objects), key=len)
        return f"{', '.join(sorted(missing))} missing"


def keys(value: Json) -> set[str]:
    """Return all keys at every depth; one of bytes goes with its text (L17)."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    own = {key for key in value if key.removesuffix("_bytes") not in value.keys() - {key}}
    return own.union(*(keys(each) for each in value.values()))


def objects(cell: str) -> list[str]:
    """Return the outermost objects of a cell."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(cell):
        if letter == "{":
            start = start if depth else at
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                found.append(cell[start : at + 1])
    return found


def needed(text: str) -> set[str]:
    """Return the keys of an object that are always there, without those of inner ones."""
    inside = text[1:-1]
    while True:
        flat = re.sub(r"\{[^{}]*\}|\[[^][]*\]", "", inside)
        if flat == inside:
            break
        inside = flat
    return {key for key, mark in KEY.findall(inside) if not mark}


def quoted(cell: str) -> list[str]:
    """Return what stands between backticks."""
    return cell.split("`")[1::2]


def forms() -> dict[str, Form]:
    """Return the form of each command."""
    chapter = (ROOT / "spec/command-line.md").read_text("utf-8")
    table = chapter[chapter.index("**L19.**") : chapter.index("**L20.**")]
    cells: dict[str, str] = {}
    for row in table.splitlines():
        if row.startswith("| `"):
            commands, cell = row.strip("|").replace("\\|", "/").split("|", 1)
            for command in quoted(commands):
                assert command not in cells, f"{command} is told twice"
                cells[command] = cell
    found: dict[str, Form] = {}
    for command in cells:
        whole(command, cells, found)
    return found


def whole(command: str, cells: dict[str, str], found: dict[str, Form]) -> Form:
    """Return the form of a command, with what it takes from others that its cell names."""
    if command in found:
        return found[command]
    cell = cells[command]
    form = found[command] = Form(cell)
    named = [name for name in quoted(cell) if name in cells]
    if "likewise" in cell:
        named.append(list(cells)[list(cells).index(command) - 1])
    others = [whole(name, cells, found) for name in named if name != command]
    for other in others:
        form.known |= other.known
    if not form.objects or cell.strip().startswith(("as ", "likewise")):
        form.objects = others[0].objects
    return form
