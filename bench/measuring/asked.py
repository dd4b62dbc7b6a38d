"""What every bench can be asked, in the same words, and the frame that each runs in."""

import os
import shutil
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from bench.measuring.machine import date, disk, load, machine, revision, sources, versions
from bench.measuring.record import Record, Row, encode
from bench.measuring.table import shown
from oxy.cli.timings import peak_memory

UNSHOWN: Final = "Does not show"
"""What a bench does not show, is told in its docstring after these words."""


_PLACES: Final = ("--dir", "--json")


def question_of(told: str | None) -> str:
    """Return the question of a bench: the first line of its docstring."""
    return (told or "").splitlines()[0]


def unshown_of(told: str | None) -> str:
    """Return the sentence of a docstring that tells what the bench does not show."""
    _, begins, rest = " ".join((told or "").split()).partition(UNSHOWN)
    return f"{begins}{rest.partition('. ')[0].removesuffix('.')}." if begins else ""


class Asked(NamedTuple):
    """What is asked of a bench.

    Attributes:
        only: what to measure; empty for all of it.
        size: how large, in what the bench says that it counts.
        iters: rounds of what can be done again.
        place: the directory in which all is made.
        json: the file that the record goes to; None for none.
    """

    only: frozenset[str]
    size: int
    iters: int
    place: str
    json: str | None

    def wants(self, name: str) -> bool:
        """Whether something is to be measured."""
        return not self.only or name in self.only


def parser(
    question: str | None, *, size: int, counts: str, iters: int, names: Sequence[str] = ()
) -> ArgumentParser:
    """Return what reads the options that all benches have; a bench may add some of its own.

    Args:
        question: the docstring of the bench.
        size: the size where none is asked for.
        counts: what the size counts.
        iters: the rounds where none are asked for.
        names: what `--only` may name; empty for anything.
    """
    made = ArgumentParser(description=question)
    made.add_argument(
        "--only", action="append", metavar="NAME", choices=names or None, help="only this"
    )
    made.add_argument("--size", type=int, default=size, metavar="N", help=f"{counts} ({size})")
    made.add_argument("--iters", type=int, default=iters, metavar="N", help=f"rounds ({iters})")
    made.add_argument("--dir", default=tempfile.gettempdir(), help="where all is made")
    made.add_argument("--json", metavar="FILE", help="write the record there too")
    made.add_argument("--ram", action="store_true", help="a RAM disk is meant")
    return made


def asked(args: Namespace) -> Asked:
    """Return what the options say that all benches have.

    Raises:
        RamDiskError: the directory is on a RAM disk, and that is not meant.
    """
    place = disk(os.path.abspath(args.dir), is_ram_meant=args.ram)
    return Asked(frozenset(args.only or ()), args.size, args.iters, place, args.json)


class Found(NamedTuple):
    """What a bench found, and what belongs under its table.

    `peak` is the most MB that the bench had, where it has looked itself; else it is asked.
    """

    rows: Sequence[Row]
    notes: Sequence[str] = ()
    peak: float = 0


def recorded(
    name: str, told: str | None, place: str, measure: Callable[[str], Found]
) -> Record:
    """Measure in a new directory, which is removed afterwards, and return the record.

    Args:
        name: of the bench.
        told: its docstring: what it answers, and what it does not show.
        place: where the directory is made.
        measure: measures in it.
    """
    before, began, commit = load(), date(), revision()
    begin = time.perf_counter()
    top = tempfile.mkdtemp(prefix="oxy-bench-", dir=place)
    try:
        found = measure(top)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    seconds, after = time.perf_counter() - begin, load()
    return Record(
        name,
        question_of(told),
        called(sys.argv),
        began,
        commit,
        machine(place),
        versions(),
        {"before": before, "after": after},
        seconds,
        found.peak or peak_memory() / 1e6,
        found.rows,
        [*found.notes, *filter(None, [unshown_of(told)])],
        sources(),
    )


def called(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a command without those that name a place on this machine."""
    found = [os.path.basename(words[0])]
    rest = iter(words[1:])
    for word in rest:
        if word in _PLACES:
            next(rest, None)
        elif not word.startswith(tuple(f"{each}=" for each in _PLACES)):
            found.append(word)
    return tuple(found)


def conclude(record: Record, file: str | None) -> None:
    """Print a record, and write it where it is asked for."""
    print(shown(record))
    if file is not None:
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(encode(record))


def tell(words: Iterable[object]) -> None:
    """Say on standard error how far one is."""
    print(*words, file=sys.stderr, flush=True)
