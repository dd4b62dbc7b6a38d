"""Feed one target, or each in turn, with what libFuzzer makes of good bytes: `make fuzz`.

    python -m tests.fuzz.run [--runs N] [--seconds N] [--found DIR] [TARGET...]

Without a target all run, each in a process of its own, with `--runs` shared out among them.
A target fails on anything but a refusal, on 256 MB, and on 2 seconds for one input; what it
failed on is left in DIR. How often each ran is printed at the end.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

MEMORY = 256
"""MB that a process may come to."""

HANG = 2
"""Seconds of processor time that one input may take."""

STALL = 60
"""Seconds after which one is given up by the clock on the wall."""

LONGEST = 4096
"""Bytes of an input."""

RUNS = 10_000_000
_DONE = re.compile(rb"^stat::number_of_executed_units:\s*(\d+)|^Done (\d+) runs", re.MULTILINE)


class HangError(Exception):
    """One input took too long, by the processor's time: machines may be busy."""


def timed(feed: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Return a target that fails on an input that takes too long."""

    def run(data: bytes) -> None:
        start = time.process_time()
        feed(data)
        if time.process_time() - start > HANG:
            raise HangError

    return run


def fuzz(name: str, flags: list[str]) -> None:
    """Run libFuzzer on one target; it ends the process."""
    import atheris

    with atheris.instrument_imports(include=["oxy", "oxy_git"]):
        from tests.fuzz.targets import TARGETS
    atheris.Setup([name, *flags], timed(TARGETS[name].feed))
    atheris.Fuzz()


def one(name: str, runs: int, seconds: int, found: Path) -> tuple[int, int]:
    """Run a target in a process of its own; return how often it ran, and the exit code."""
    from tests.fuzz.targets import TARGETS

    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(TARGETS[name].seeds()):
            (Path(folder) / f"seed-{number}").write_bytes(seed)
        flags = [
            folder,
            f"-runs={runs}",
            f"-max_total_time={seconds}",
            f"-rss_limit_mb={MEMORY}",
            f"-timeout={STALL}",
            f"-max_len={LONGEST}",
            f"-artifact_prefix={found}/{name}-",
            "-print_final_stats=1",
            "-verbosity=0",
        ]
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz.run", "--inside", name, "--", *flags],
            check=False,
            capture_output=True,
        )
    counts = [int(a or b) for a, b in _DONE.findall(done.stderr)]
    if done.returncode:
        sys.stderr.buffer.write(done.stdout[-4000:] + done.stderr[-2000:])
    return max(counts, default=0), done.returncode


def main() -> int:
    """Run what was asked for; return 1 where a target failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="of all targets together")
    parser.add_argument("--seconds", type=int, default=0, help="for each at most; 0: no end")
    parser.add_argument("--found", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", metavar="TARGET")
    args = parser.parse_args()
    if args.inside:
        fuzz(args.inside, args.names)
    from tests.fuzz.targets import TARGETS

    names = args.names or list(TARGETS)
    args.found.mkdir(parents=True, exist_ok=True)
    total = failed = 0
    for name in names:
        count, code = one(name, -(-args.runs // len(names)), args.seconds, args.found)
        total += count
        failed += code != 0
        print(f"{name:12} {count:>12,} executions{'' if not code else '  FAILED'}", flush=True)
    print(f"{'all':12} {total:>12,} executions, {failed} targets failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
