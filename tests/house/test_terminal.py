"""All that is written passes through one module (spec: threat-model, T11, T21)."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = "oxy/cli/output.py"
"""The only module that knows the streams."""

STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
SPEAKERS = {"print", "input", "breakpoint"}
MODULES = {"warnings": {"warn", "warn_explicit"}, "traceback": {"print_exc", "print_exception"}}
RAW = {
    "oxy/cli/asking.py": "questions, whose paths are escaped",
    "oxy/cli/bundlefile.py": "a bundle, never to a terminal",
    "oxy/cli/confirming.py": "a question, escaped",
    "oxy/cli/differing.py": "-z, for programs",
    "oxy/cli/logs.py": "lines that were rendered already",
    "oxy/cli/short.py": "-z, for programs",
    "oxy/cli/verbs/cat.py": "content that was asked for; escaped on a terminal",
    "oxy/cli/verbs/completion.py": "a script of oxy's own",
    "oxy/cli/verbs/files.py": "-z, for programs",
    "oxy/cli/verbs/log.py": "lines that were rendered already",
}
"""Modules that write bytes as they are, and what."""

FREE = {
    "oxy/actions/mergetool.py": "the user's merge tool",
    "oxy/cli/editor.py": "the user's editor",
    "oxy/cli/hooks.py": "the user's hooks",
    "oxy/cli/pager.py": "the user's pager",
    "oxy/cli/verbs/bisect_run.py": "the user's command",
}
"""Modules whose programs may have the terminal."""


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    packages = (ROOT / "oxy", ROOT / "oxy_git")
    paths = [path for package in packages for path in sorted(package.rglob("*.py"))]
    return tuple((str(path.relative_to(ROOT)), ast.parse(path.read_bytes())) for path in paths)


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def names_a_stream(node: ast.AST) -> bool:
    """Tell whether a node is a stream of `sys`, or what writes to one by itself."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        known = STREAMS if node.value.id == "sys" else MODULES.get(node.value.id, set())
        return node.attr in known
    if isinstance(node, ast.ImportFrom) and node.module == "sys":
        return any(name.name in STREAMS for name in node.names)
    return False


def is_told(call: ast.Call) -> bool:
    """Tell whether a call writes past `Output`."""
    if isinstance(call.func, ast.Name):
        return call.func.id in SPEAKERS
    first = call.args[0] if call.args else None
    is_write = isinstance(call.func, ast.Attribute) and call.func.attr in {"write", "writev"}
    return is_write and isinstance(first, ast.Constant) and first.value in (1, 2)


def speaks(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that write past `Output`."""
    for node in ast.walk(tree):
        if names_a_stream(node) or (isinstance(node, ast.Call) and is_told(node)):
            yield getattr(node, "lineno", 0)


def test_nothing_else_knows_the_streams() -> None:
    found = [(name, line) for name, tree in modules() if name != PLACE for line in speaks(tree)]
    assert found == []
    assert any(True for name, tree in modules() if name == PLACE for _ in speaks(tree))


def test_bytes_are_written_as_they_are_only_where_it_is_said_why() -> None:
    found = {
        name
        for name, tree in modules()
        for call in calls(tree)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "raw"
        and ast.unparse(call.func.value).endswith("out")
    }
    assert found == set(RAW)


def test_programs_have_the_terminal_only_where_it_is_said_why() -> None:
    found = set()
    for name, tree in modules():
        for call in calls(tree):
            called = ast.unparse(call.func)
            given = {keyword.arg for keyword in call.keywords}
            if called.endswith("Popen") or called == "subprocess.run":
                is_silent = "capture_output" in given or {"stdout", "stderr"} <= given
                if not is_silent:
                    found.add(name)
    assert found == set(FREE)
