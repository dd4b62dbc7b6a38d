"""The log of some changes: filtered, laid out, with what they did (spec: command-line, L44).

`oxy log` without any of this is shown by the verb alone, which then loads nothing of it.
"""

from __future__ import annotations

import os
from io import BytesIO

from oxy.actions.sifting import Sieve, below, closed, counted, sifted
from oxy.cli.changes import lines_of, record_of, summary_of
from oxy.cli.drawn import write
from oxy.cli.front import UsageError
from oxy.cli.output import Output, Styled
from oxy.cli.people import mapped
from oxy.repo.states import Name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from pyroaring import BitMap

    from oxy.actions.lineage import Lineage, Stretch
    from oxy.actions.sifting import Found
    from oxy.cli.filters import Mapping
    from oxy.cli.graph import Drawing
    from oxy.cli.output import Part
    from oxy.cli.records import Record, Scalar
    from oxy.cli.template import Template
    from oxy.repo.repository import Repository


class Log:
    """One log: what is asked for, and where it goes."""

    __slots__ = ("_args", "_lineages", "_mapping", "_out", "_repository", "_template")

    def __init__(
        self, args: Namespace, out: Output, repository: Repository, mapping: Mapping | None
    ) -> None:
        self._args = args
        self._out = out
        self._repository = repository
        self._mapping = mapping
        self._lineages: list[Lineage] = []
        self._template: Template | None = None
        if args.template is not None:
            from oxy.cli.template import Template

            self._template = Template(args.template)

    def show(self, changes: Name | BitMap, paths: Sequence[bytes]) -> None:
        """Write it."""
        state = closed(self._repository, changes)
        sieve = self._sieve(changes, state, paths)
        if self._args.count:
            total = counted(self._repository, state, sieve)
            if self._out.as_json:
                self._out.record({"count": total})
            else:
                self._out.line(str(total))
            return
        found = sifted(self._repository, state, sieve)
        if self._out.as_json:
            for each in found:
                self._out.record(self._record(each))
        else:
            self._write(found)

    def _sieve(self, changes: Name | BitMap, state: Name, paths: Sequence[bytes]) -> Sieve:
        from oxy.cli.filters import content_test, header_test

        args = self._args
        sieve = Sieve(
            header=header_test(args, self._mapping),
            content=content_test(args, self._repository),
            limit=args.limit,
            reverse=args.reverse,
            draws=args.graph,
        )
        if args.lines:
            sieve = self._along(state, paths, sieve)
        elif paths:
            sieve = below(self._repository, state, paths, sieve)
        if isinstance(changes, Name):
            return sieve
        among = changes if sieve.changes is None else sieve.changes & changes
        return sieve._replace(changes=among)

    def _along(self, state: Name, paths: Sequence[bytes], sieve: Sieve) -> Sieve:
        """Return a sieve for the changes that lines come from."""
        from pyroaring import BitMap

        from oxy.actions.lineage import lineage, text_lines
        from oxy.actions.paths import inside
        from oxy.cli.ranges import parted, resolved

        if paths:
            message = "-L names its file behind a colon, and goes with no other path"
            raise UsageError(message)
        here = os.getcwdb()
        for given in self._args.lines:
            wanted, name = parted(given)
            path = inside(self._repository.root, here, os.fsencode(name))
            first, last = resolved(wanted, text_lines(self._repository, state, path))
            self._lineages.append(lineage(self._repository, state, path, first, last))
        nodes = BitMap(each.node for each in self._lineages)
        changes = BitMap().union(*(each.changes for each in self._lineages))
        return sieve._replace(nodes=nodes, changes=changes)

    def _write(self, found: Iterable[Found]) -> None:
        from oxy.actions.names import holders
        from oxy.cli.graph import Drawing

        held = holders(self._repository)
        drawing = Drawing() if self._args.graph else None
        for each in found:
            entry = mapped(each.entry, self._mapping)
            lines = self._lines(entry_lines(self, entry, held.get(entry.change, ())))
            write(self._out, drawing, entry, lines)
            self._write_below(each, drawing)
'''
