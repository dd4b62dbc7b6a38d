import re

from bench.baseline import BASELINES, PAGE, page_of
from bench.compare import read
from bench.scenarios import SCENARIOS


def test_the_page_is_that_of_the_baselines() -> None:
    assert (BASELINES / PAGE).read_text("utf-8") == page_of()


def test_a_baseline_carries_revision_sources_machine_and_command() -> None:
    for name, record in read(str(BASELINES)).items():
        assert name in SCENARIOS
        assert re.fullmatch(r"[0-9a-f]{12}", record.revision)
        assert {*record.sources} == {"bench", "oxy", "oxy_git"}
        assert all(re.fullmatch(r"[0-9a-f]{16}", digest) for digest in record.sources.values())
        assert {"cores", "processor", "memory", "system", "file system"} == {*record.machine}
        assert record.command[0] == f"bench {name}"
        assert record.rows
