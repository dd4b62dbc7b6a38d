"""Whatever is asked, wherever: an answer and an exit code that are told, never a bug's."""

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from oxy.cli.arguments import parser_of
from oxy.cli.commands import COMMANDS, Table
from oxy.cli.failure import BUG, UNREAD
from oxy.cli.main import loaded, main
from oxy.cli.topics import EXIT_CODES
from tests.builders.desk import AUTHOR, Desk

ROOT = Path(__file__).resolve().parents[2]
RUN = "import sys; from oxy.cli.main import main; sys.exit(main())"
NOBODY = 65534
# A directory above is still the test's own: what is asked for may well be done.
ODD = (
    "",
    "x",
    "-1",
    "\udcff\x1b[31m",
    "..",
    f"{os.devnull}/x",
    "a" * 5_000,
    "9" * 40,
    "{",
    "[",
)
PLAIN: tuple[list[str], ...] = ([], ["x"])


def verbs(table: Table, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for verb, (name, _, _) in table.items():
        inner: Table | None = getattr(loaded(name), "COMMANDS", None)
        if inner is None:
            yield (*above, verb)
        else:
            yield from verbs(inner, (*above, verb))


def actions_of(verb: tuple[str, ...]) -> list[argparse.Action]:
    table = COMMANDS
    for word in verb:
        module = loaded(table[word][0])
        table = getattr(module, "COMMANDS", {})
    return parser_of(" ".join(verb), module.configure)._actions  # noqa: SLF001 - argparse tells them in no other way


def lines(verb: tuple[str, ...]) -> Iterator[list[str]]:
    """Yield what may be typed behind a verb: nothing, too much, odd words, odd values."""
    yield []
    yield ["--none-such"]
    yield ["--", "-x"]
    yield ["a", "b", "c", "d", "e"]
    for odd in ODD:
        yield [odd]
    yield ["--json", "x", "\udcff"]
    for action in actions_of(verb):
        if not action.option_strings or action.dest in {"help", "directories"}:
            continue
        name = action.option_strings[-1]
        yield [name]
        if action.nargs != 0:
            yield from ([name, odd] for odd in ODD)
            yield [name, "x", "y"]


VERBS = list(verbs(COMMANDS))

ENDLESS = (("serve",), ["--http"])
"""What is answered by serving until a signal comes."""


@pytest.fixture
def place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Path:
    """Return a directory with a small repository in it."""
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("OXY_EDITOR", "false")
    desk = Desk(tmp_path / "some/work", capfdbinary)
    desk.root.mkdir(parents=True)
    desk.says("init")
    desk.write("x", "1\n")
    desk.write("d/y", "1\n")
    desk.commit("First")
    desk.write("x", "2\n")
    desk.commit("Second")
    desk.write("x", "3\n")
    return desk.root


class Asker:
    """Runs verbs, and refuses what only a bug explains."""

    def __init__(
        self, capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._capture = capture
        self._monkeypatch = monkeypatch

    def ask(self, where: Path, verb: tuple[str, ...], typed: Iterable[list[str]]) -> None:
        """Run a verb from a directory, with each of the lines behind it."""
        found = []
        for line in typed:
            if (verb, line) == ENDLESS:
                continue
            self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
            self._capture.readouterr()
            code = main(["-C", str(where), *verb, *line])
            told = self._capture.readouterr().err
            if code == BUG or code not in EXIT_CODES or b"Traceback" in told:
                found.append((line, code, told))
        assert found == []


@pytest.fixture
def asker(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Asker:
    monkeypatch.setenv("OXY_AUTHOR", AUTHOR)
    monkeypatch.setenv("OXY_EDITOR", "false")
    return Asker(capfdbinary, monkeypatch)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_odd_words_are_answered_in_a_repository(
    verb: tuple[str, ...], place: Path, asker: Asker
) -> None:
    asker.ask(place, verb, lines(verb))


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_odd_words_are_answered_where_there_is_no_repository(
    verb: tuple[str, ...], tmp_path: Path, asker: Asker
) -> None:
    where = tmp_path / "some/where"
    where.mkdir(parents=True)
    asker.ask(where, verb, lines(verb))


def gone(file: Path) -> None:
    file.unlink()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def half(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def noise(file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 40)


@pytest.mark.parametrize(
    ("what", "damage"),
    [
        ("index.db", gone),
        ("index.db", empty),
        ("index.db", half),
        ("index.db", noise),
        ("segments/*", gone),
        ("segments/*", half),
        ("segments/*", noise),
        ("cache/*", noise),
        ("config.toml", noise),
    ],
)
def test_a_damaged_repository_is_told_of(
    what: str, damage: Callable[[Path], None], place: Path, asker: Asker
) -> None:
    (place / ".oxy/config.toml").write_text('user.name = "Ada"\n')
    hurt = place.parent / "hurt"
    for verb in VERBS:
        shutil.copytree(place, hurt)
        for file in (hurt / ".oxy").glob(what):
            if file.is_file():
                file.chmod(0o644)
                damage(file)
        asker.ask(hurt, verb, PLAIN)
        shutil.rmtree(hurt)


def closed(directory: Path) -> None:
    """Let nobody write below a directory."""
    for path in [directory, *directory.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def opened(directory: Path) -> None:
    """Let it be removed again."""
    for path in [directory, *directory.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)


def test_a_repository_that_nobody_may_write_is_told_of(place: Path, asker: Asker) -> None:
    # The directories of pytest are its user's alone, and the superuser may write everywhere.
    outer = Path(tempfile.mkdtemp())
    is_super = os.geteuid() == 0
    try:
        outer.chmod(0o755)
        shutil.copytree(place, outer / "work")
        closed(outer)
        if is_super:
            for path in [outer, *outer.rglob("*")]:
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
            os.seteuid(NOBODY)
        for verb in VERBS:
            asker.ask(outer / "work", verb, PLAIN)
    finally:
        if is_super:
            os.seteuid(0)
        opened(outer)
        shutil.rmtree(outer)


@pytest.mark.parametrize(
    "words",
    [
        "status",
        "log",
        "show",
        "diff",
        "files",
        "cat x",
        "blame x",
        "help",
        "log --json",
        "op log",
    ],
)
def test_a_pipe_that_nobody_reads_is_no_failure(words: str, place: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words.split()],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def unread(where: Path, words: list[str], told: Path) -> int:
    """Run a command whose output nobody reads in a process of its own; return how it ended."""
    reader, writer = os.pipe()
    os.close(reader)
    with told.open("wb") as errors:
        child = os.fork()
        if not child:
            code = BUG
            try:
                os.dup2(writer, 1)
                os.dup2(errors.fileno(), 2)
                sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False))
                sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", closefd=False))
                sys.stdin = io.TextIOWrapper(io.BytesIO())
                code = main(["-C", str(where), *words])
            finally:
                os._exit(code)
    os.close(writer)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("behind", [[], ["x"], ["--json"], ["-h"]], ids=" ".join)
def test_no_command_minds_that_nobody_reads(
    behind: list[str], place: Path, tmp_path: Path
) -> None:
    found, codes = [], set()
    for verb in VERBS:
        code = unread(place, [*verb, *behind], tmp_path / "told")
        told = (tmp_path / "told").read_bytes()
        codes.add(code)
        if code == BUG or code not in EXIT_CODES or b"Traceback" in told:
            found.append((verb, code, told))
    assert found == []
    assert UNREAD in codes
