"""A skipped test fails a continuous build."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
PLAIN = "def test_passes():\n    assert True\n"
SKIPPED = "import pytest\n\n@pytest.mark.skip\ndef test_is_left_out():\n    pass\n"
XFAILED = "import pytest\n\n@pytest.mark.xfail\ndef test_fails_as_known():\n    assert False\n"
MODULE = "import pytest\n\npytest.skip('all', allow_module_level=True)\n"


@pytest.mark.parametrize(
    ("source", "ci", "code", "named"),
    [
        (SKIPPED, "true", 1, "test_case.py::test_is_left_out"),
        (MODULE, "true", 1, "test_case.py"),
        (SKIPPED, "", 0, None),
        (XFAILED, "true", 0, None),
    ],
)
def test_only_a_skip_in_a_continuous_build_fails(
    tmp_path: Path, source: str, ci: str, code: int, named: str | None
) -> None:
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_plain.py").write_text(PLAIN)
    (tmp_path / "test_case.py").write_text(source)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "1"],
        cwd=tmp_path,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    report = done.stdout.partition("skipped tests fail this build")[2]
    assert (named in report.splitlines()) if named else (report == "")
