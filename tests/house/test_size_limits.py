"""The limits of size and naming that no linter checks."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE_LINES = 400
FUNCTION_LINES = 40
# A function without a home means a missing concept, not a drawer.
DRAWERS = {"common", "helper", "helpers", "manager", "misc", "shared", "util", "utils"}
MACHINE_PATH = re.compile(rb"(?<![\w./$}])/(?:work|home|root|Users|opt|tmp)/\w")

type_of_function = (ast.FunctionDef, ast.AsyncFunctionDef)


def modules() -> list[Path]:
    return sorted(
        path for package in ("oxy", "oxy_git") for path in (ROOT / package).rglob("*.py")
    )


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def docstring_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    if ast.get_docstring(function, clean=False) is None:
        return 0
    first = function.body[0]
    return (first.end_lineno or first.lineno) - first.lineno + 1


def functions(source: str) -> Iterator[tuple[str, int]]:
    for item in ast.walk(ast.parse(source)):
        if isinstance(item, type_of_function):
            lines = (item.end_lineno or item.lineno) - item.lineno + 1
            yield item.name, lines - docstring_lines(item)


def test_there_are_modules_to_measure() -> None:
    assert {"oxy/errors.py", "oxy_git/__init__.py"} <= {name(path) for path in modules()}


def test_a_docstring_does_not_count_as_lines_of_a_function() -> None:
    source = 'def f():\n    """One.\n\n    Two.\n    """\n    x = 1\n    return x\n'
    assert list(functions(source)) == [("f", 3)]


def test_no_module_is_longer_than_its_limit() -> None:
    sizes = {name(path): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {path: size for path, size in sizes.items() if size > MODULE_LINES} == {}


def test_no_function_is_longer_than_its_limit() -> None:
    sizes = {
        f"{name(path)}:{function}": size
        for path in modules()
        for function, size in functions(path.read_text("utf-8"))
    }
    assert {function: size for function, size in sizes.items() if size > FUNCTION_LINES} == {}


def test_no_module_is_a_drawer() -> None:
    words = {name(path): set(re.split(r"[/.]", name(path))) for path in modules()}
    assert [path for path, found in words.items() if found & DRAWERS] == []


def test_every_module_says_what_it_is_for() -> None:
    sources = {name(path): path.read_text("utf-8") for path in modules()}
    silent = [path for path, text in sources.items() if not ast.get_docstring(ast.parse(text))]
    assert silent == []


def test_a_machine_path_is_recognised() -> None:
    start = b"/"
    assert MACHINE_PATH.search(b'open("' + start + b'home/someone/file")')
    assert not MACHINE_PATH.search(b"a/home/someone and $HOME/work/x and ./tmp/y")


def test_no_tracked_file_names_a_path_of_one_machine() -> None:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    tracked = [ROOT / path.decode() for path in listing.stdout.split(b"\0") if path]
    assert tracked
    named = [
        name(path)
        for path in tracked
        if path.is_file() and MACHINE_PATH.search(path.read_bytes())
    ]
    assert named == []
