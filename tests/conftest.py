"""Profiles of the property tests, and the rule that a skipped test fails a continuous build."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Whether data comes quickly depends on what else the machine does, so it is no reason to fail.
CALM = [HealthCheck.too_slow]

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=100,
    suppress_health_check=CALM,
)
settings.register_profile(
    "slow",
    deadline=None,
    max_examples=int(os.environ.get("OXY_EXAMPLES", "2000")),
    print_blob=True,
    suppress_health_check=CALM,
)
settings.load_profile(os.environ.get("OXY_PROFILE", "ci"))

# What the developer has configured for himself is no part of a test.
os.environ["XDG_CONFIG_HOME"] = os.devnull
os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
os.environ["GIT_CONFIG_NOSYSTEM"] = "1"

skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember what was skipped; an expected failure reports as skipped too, and is not."""
    if report.skipped and not hasattr(report, "wasxfail"):
        skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Remember a module that skipped itself as a whole."""
    if report.skipped:
        skipped.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a continuous build that skipped a test: it would otherwise rot unseen."""
    if os.environ.get("CI") == "true" and skipped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the skipped tests."""
    if os.environ.get("CI") == "true" and skipped:
        terminalreporter.section("skipped tests fail this build")
        for nodeid in skipped:
            terminalreporter.line(nodeid)
