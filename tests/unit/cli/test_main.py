import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from blake3 import __version__ as blake3_version

from oxy import __version__
from oxy.cli.arguments import parser_of
from oxy.cli.commands import COMMANDS, Table
from oxy.cli.main import loaded, main

ROOT = Path(__file__).resolve().parents[3]
RUN = "import sys; from oxy.cli.main import main; sys.exit(main())"

PROBE = """
import os

def configure(parser):
    parser.description = "Probe the frame."
    parser.epilog = "example:\\n  oxy probe --code 1"
    parser.add_argument("--code", type=int, default=None)
    parser.add_argument("--fail", action="store_true")

def run(args, out):
    if args.fail:
        raise TypeError("probed")
    if out.as_json:
        out.record({"code": args.code})
    else:
        out.line(os.getcwd())
    return args.code
"""


@pytest.mark.parametrize(
    ("before", "options", "late"),
    [
        ("", (), b""),
        ("", ("-X", "dev"), b"freed"),
        ("import atexit; atexit.register(print, 'called', end='')", (), b"calledfreed"),
        ("sys.setprofile(eval('lambda *_: None', {}))", (), b"freed"),
    ],
)
def test_a_process_is_taken_apart_only_where_somebody_waits_for_that(
    before: str, options: tuple[str, ...], late: bytes
) -> None:
    code = (
        "import sys\nfrom oxy.cli.main import end\n"
        "class Held:\n    def __del__(self): print('freed', end='')\n"
        f"held = Held()\n{before}\nprint('told', end='')\nend(3)"
    )
    search = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, *options, "-c", code]
    done = subprocess.run(words, env=search, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"told" + late, b"")


def test_a_process_whose_output_nobody_takes_ends_as_python_ends_it() -> None:
    code = "import sys\nfrom oxy.cli.main import end\nprint('told')\nend(3)"
    search = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
    with open("/dev/full", "wb") as full:
        words = [sys.executable, "-c", code]
        done = subprocess.run(
            words, env=search, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 120
    assert b"No space left" in done.stderr


def test_the_script_and_the_module_write_all_and_end_with_the_code(tmp_path: Path) -> None:
    search = {**os.environ, "PYTHONPATH": str(ROOT)}
    for way in ([str(ROOT / "bin" / "oxy")], ["-m", "oxy"]):
        words = [sys.executable, *way, "status"]
        done = subprocess.run(words, cwd=tmp_path, env=search, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (3, b"")
        assert b"no repository" in done.stderr


@pytest.fixture
def probe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "probe_verb.py").write_text(PROBE)
    group = 'COMMANDS = {"probe": ("probe_verb", "probe in a group", "probing")}\n'
    (tmp_path / "probe_group.py").write_text(group)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(COMMANDS, "probe", ("probe_verb", "probe the frame", "probing"))
    monkeypatch.setitem(COMMANDS, "status", ("probe_verb", "stand in", "probing"))
    monkeypatch.setitem(COMMANDS, "git", ("probe_group", "probe a group", "probing"))


def oxy(*arguments: str, stdout: int) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", RUN, *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, check=False)


def rows(table: Table) -> list[str]:
    return [
        f"{verb}: {module}" for verb, (module, _, _) in table.items() if not find_spec(module)
    ]


def test_every_verb_of_the_table_has_a_module() -> None:
    assert rows(COMMANDS) == []
    assert rows({"x": ("oxy.cli.verbs.absent", "", "")}) == ["x: oxy.cli.verbs.absent"]


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_has_help_with_an_example(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", verb]) == 0
    assert "example" in capsys.readouterr().out or hasattr(
        sys.modules[COMMANDS[verb][0]], "COMMANDS"
    )


@pytest.mark.parametrize("words", [["version"], ["--version"], ["version", "--color=never"]])
def test_the_version_is_printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out == f"oxy {__version__}\n"


@pytest.mark.parametrize("words", [["--json", "version"], ["version", "--json"]])
def test_json_may_be_asked_for_before_or_after_the_verb(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"version": __version__, "digests": f"blake3 {blake3_version}"}


@pytest.mark.parametrize("words", [["help"], ["-h"], ["--help"]])
def test_help_lists_every_verb(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert all(f"  {verb} " in shown for verb in COMMANDS)


def test_help_of_a_verb_is_the_same_by_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "version"]) == 0
    first = capsys.readouterr().out
    assert main(["version", "-h"]) == 0
    assert capsys.readouterr().out == first
    assert first.startswith("usage: oxy version ")


@pytest.mark.usefixtures("probe")
def test_no_verb_is_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == f"{os.getcwd()}\n"


@pytest.mark.usefixtures("probe")
def test_what_a_verb_returns_is_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--code", "1", "--json"]) == 1
    assert capsys.readouterr().out == '{"code": 1}\n'


@pytest.mark.usefixtures("probe")
def test_a_verb_is_found_in_a_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "git", "probe"]) == 0
    assert capsys.readouterr().out == '{"code": null}\n'
    assert main(["git", "probe", "-h"]) == 0
    assert capsys.readouterr().out.startswith("usage: oxy git probe ")


@pytest.mark.usefixtures("probe")
@pytest.mark.parametrize("words", [["git"], ["git", "-h"], ["help", "git"]])
def test_a_group_alone_lists_its_verbs(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert "  probe             probe in a group\n" in capsys.readouterr().out


@pytest.mark.usefixtures("probe")
@pytest.mark.parametrize("words", [["prob"], ["git", "prob"], ["help", "prob"]])
def test_an_unknown_verb_gets_near_names(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert told.startswith("oxy: no command is called 'prob'\nhint: did you mean probe?\n")


@pytest.mark.usefixtures("probe")
def test_directories_hold_for_one_command_each_from_the_one_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    before = os.getcwd()
    assert main(["-C", str(tmp_path / "a"), "probe", "-C", "b"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'a' / 'b'}\n"
    assert os.getcwd() == before


def test_an_absent_directory_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(tmp_path / "absent"), "version"]) == 2
    assert capsys.readouterr().err == f"oxy: {tmp_path}/absent: No such file or directory\n"


@pytest.mark.usefixtures("probe")
def test_wrong_arguments_are_told_with_where_to_read_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["probe", "--code", "x\x1b"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("oxy: argument --code: invalid int value: ")
    assert told.endswith("\nhint: `oxy help probe` tells what it takes\n")
    assert "\x1b" not in told


@pytest.mark.usefixtures("probe")
def test_a_bug_in_a_verb_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--fail"]) == 70
    assert "this is a bug in oxy: TypeError: probed" in capsys.readouterr().err


def test_timings_are_printed_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OXY_TIMINGS", "1")
    assert main(["version", "--json"]) == 0
    told = capsys.readouterr().err
    order = [told.index(name) for name in ("start-up", "imports", "arguments", "all")]
    assert order == sorted(order)


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = oxy("help", stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_disk_behind_the_output_is_told() -> None:
    with open("/dev/full", "wb") as full:
        done = oxy("version", stdout=full.fileno())
    assert (done.returncode, done.stderr) == (3, b"oxy: No space left on device\n")


def test_a_closed_standard_output_is_told() -> None:
    script = textwrap.dedent('exec "$0" -c "$1" version >&-')
    command = ["/bin/sh", "-c", script, sys.executable, RUN]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (5, b"oxy: standard output is closed\n")


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "oxy", "version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"oxy {__version__}\n")


def leaves(table: Table, above: str = "") -> Iterator[tuple[str, ModuleType]]:
    for verb, (name, _, _) in table.items():
        module = loaded(name)
        inner: Table | None = getattr(module, "COMMANDS", None)
        if inner is None:
            yield f"{above} {verb}".lstrip(), module
        else:
            yield from leaves(inner, f"{above} {verb}".lstrip())


def test_every_command_that_takes_many_paths_takes_them_from_a_list_too() -> None:
    lacking = []
    for verb, module in leaves(COMMANDS):
        actions = parser_of(verb, module.configure)._actions  # noqa: SLF001 - argparse tells them in no other way
        options = {option for action in actions for option in action.option_strings}
        many = [str(each.metavar) for each in actions if each.nargs in {"*", "+"}]
        if any("PATH" in each for each in many) and "--paths-from" not in options:
            lacking.append(verb)
    assert lacking == []


def test_every_command_tells_its_exit_codes_and_an_example() -> None:
    lacking = [
        verb
        for verb, module in leaves(COMMANDS)
        for told in [parser_of(verb, module.configure).epilog or ""]
        if "example" not in told or ("exit codes" not in told and verb != "version")
    ]
    assert lacking == []
