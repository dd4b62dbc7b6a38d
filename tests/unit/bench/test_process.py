import os
import sys

import pytest

from bench.measuring.process import FailedError, environment, watched

BUSY = "held = bytearray(64 << 20)\nimport time\ntime.sleep(0.3)\n"
TELLS = (
    "import sys, time\n"
    "for done in range(1, 11):\n"
    "    sys.stderr.write(f'\\r{done} of 10 commits')\n"
    "    sys.stderr.flush()\n"
    "    time.sleep(0.02)\n"
)
STARTS = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}])\n"


def run(code: str) -> list[str]:
    return [sys.executable, "-I", "-c", code]


def test_what_a_process_writes_and_how_it_ends_is_told() -> None:
    ran = watched(run("print('said')"))
    assert (ran.code, ran.output) == (0, b"said\n")
    assert ran.seconds > 0
    assert ran.processor > 0


def test_a_process_that_fails_is_no_result() -> None:
    with pytest.raises(FailedError, match=r"exit code 3.*told why"):
        watched(run("import sys\nprint('told why', file=sys.stderr)\nsys.exit(3)"))


def test_an_exit_code_that_is_expected_is_a_result() -> None:
    assert watched(run("raise SystemExit(1)"), codes=(0, 1)).code == 1


def test_the_memory_of_a_process_and_of_its_children_is_told_apart() -> None:
    if os.path.isdir("/proc/self/task"):
        assert watched(run(BUSY)).peak > 64
        ran = watched(run(STARTS))
        assert ran.peak < 64 < ran.children


def test_progress_gives_the_memory_at_every_tenth() -> None:
    assert len(watched(run(TELLS)).curve) == 10
    assert watched(run("pass")).curve == ()


def test_no_setting_of_the_user_reaches_what_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_DIR", "elsewhere")
    monkeypatch.setenv("OXY_TIMINGS", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", "elsewhere")
    found = environment()
    assert "GIT_DIR" not in found
    assert "OXY_TIMINGS" not in found
    assert found["GIT_CONFIG_GLOBAL"] == os.devnull
    assert found["HOME"] != os.environ.get("HOME")
    assert "XDG_CONFIG_HOME" not in found
