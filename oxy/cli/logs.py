"""The log of some changes: filtered, laid out, with what they did (spec: command-line, L53).

`oxy log` without any of this is shown by the verb alone, which then loads nothing of it.
"""

from __future__ import annotations

import os
from io import BytesIO

from oxy.actions.sifting import Sieve, below, closed, counted, sifted
from oxy.cli.changes import lines_of, summary_of, write_count
from oxy.cli.differing import form_of, manner_of, write
from oxy.cli.front import UsageError
from oxy.cli.graph import write_beside
from oxy.cli.listing import Shower
from oxy.cli.output import Output, Styled
from oxy.cli.people import mapped, record_of
from oxy.cli.proof import signatures_for
from oxy.repo.states import Name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from pyroaring import BitMap

    from oxy.actions.lineage import Lineage, Stretch
    from oxy.actions.log import Entry
    from oxy.actions.sifting import Found
    from oxy.cli.graph import Drawing
    from oxy.cli.output import Part
    from oxy.cli.people import Mapping
    from oxy.cli.records import Record
    from oxy.cli.template import Template
    from oxy.repo.repository import Repository


class Log:
    """One log: what is asked for, and where it goes."""

    __slots__ = (
        "_args",
        "_lineages",
        "_mapping",
        "_out",
        "_repository",
        "_signatures",
        "_template",
    )

    def __init__(
        self, args: Namespace, out: Output, repository: Repository, mapping: Mapping | None
    ) -> None:
        self._args = args
        self._out = out
        self._repository = repository
        self._mapping = mapping
        self._lineages: list[Lineage] = []
        self._signatures = signatures_for(args, repository)
        self._template: Template | None = None
        if args.template is not None:
            from oxy.cli.template import Template

            self._template = Template(args.template)

    def show(self, changes: Name | BitMap, paths: Sequence[bytes]) -> None:
        """Write it."""
        state = closed(self._repository, changes)
        sieve = self._sieve(changes, state, paths)
        if self._args.count:
            write_count(self._out, counted(self._repository, state, sieve))
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
            told = self._told(entry, held.get(entry.change, ()))
            write_beside(self._out, drawing, entry, told)
            self._write_deeds(each, drawing)

    def _told(self, entry: Entry, names: Sequence[bytes]) -> Iterable[tuple[Part, ...]]:
        """Return the lines of a change before what it did."""
        if self._template is not None:
            text = self._template.text(entry, names)
            return [(line.removesuffix(b"\r"),) for line in text.split(b"\n")]
        if self._args.oneline:
            return [summary_of(entry, names)]
        signatures = self._signatures
        more = signatures.lines(entry.change) if signatures is not None else ()
        return lines_of(entry, names, more)

    def _write_deeds(self, found: Found, drawing: Drawing | None) -> None:
        """Write what a change did, if that is asked for."""
        if not self._shows_deeds:
            return
        tray = Tray(is_terminal=self._out.is_terminal)
        out = Output(tray, None) if drawing is not None else self._out
        if drawing is not None:
            out.choose_colour("always" if self._out.is_coloured else "never")
        is_whole = self._template is None and not self._args.oneline
        if self._write_diffs(out, found) and is_whole:
            out.line()
        if drawing is not None:
            left = drawing.beside().encode().ljust(1) + b" "
            for line in tray.getvalue().split(b"\n")[:-1]:
                self._out.raw((left + line if line else left.rstrip()) + b"\n")

    @property
    def _shows_deeds(self) -> bool:
        """Whether what changes did is shown: asked for, or lines are looked at."""
        args = self._args
        is_brief = args.oneline or args.template is not None
        return bool(args.patch or form_of(args) or (args.lines and not is_brief))

    def _write_diffs(self, out: Output, found: Found) -> int:
        """Write what a change did to the files that are looked at; return to how many."""
        if not self._lineages or form_of(self._args):
            from oxy.actions.show import show

            diffs = show(self._repository, found.entry.change, nodes=found.nodes)
            return write(out, diffs, self._args, Shower(self._repository.root).path)
        stretches = self._stretches(found)
        for each in stretches:
            write_stretch(out, each)
        return len(stretches)

    def _stretches(self, found: Found) -> list[Stretch]:
        """Return what a change did to the lines that are looked at."""
        from oxy.actions.lineage import stretch

        change = found.entry.change
        some = (
            stretch(self._repository, change, each)
            for each in self._lineages
            if change in each.changes
        )
        return [each for each in some if each is not None]

    def _record(self, found: Found) -> Record:
        record = record_of(found.entry, self._mapping)
        if self._shows_deeds:
            record["files"] = list(self._files(found))
        if self._signatures is not None:
            record["signatures"] = self._signatures.records(found.entry.change)
        return record

    def _files(self, found: Found) -> Iterator[Record]:
        from oxy.actions.patch import says_nothing
        from oxy.actions.show import show
        from oxy.cli.patch import brief_record_of
        from oxy.cli.patch import record_of as record_of_diff

        if self._lineages and not form_of(self._args):
            for each in self._stretches(found):
                yield {**brief_record_of(each.file), "patch": patch_of(each)}
            return
        of = brief_record_of if form_of(self._args) else record_of_diff
        manner = manner_of(self._args, self._out)
        for diff in show(self._repository, found.entry.change, nodes=found.nodes):
            if not says_nothing(diff, manner):
                yield of(diff, manner)


def write_stretch(out: Output, found: Stretch) -> None:
    """Write what a change did to lines as a patch of one hunk."""
    from oxy.actions.patch import heading
    from oxy.cli.patch import painted

    for line in heading(found.file):
        out.verbatim(Styled("heading", line))
    out.verbatim(Styled("author", found.hunk.header()))
    for line in found.hunk.lines:
        out.verbatim(painted(line))


def patch_of(found: Stretch) -> bytes:
    """Return that patch."""
    from oxy.actions.patch import heading

    lines = (*heading(found.file), found.hunk.header(), *found.hunk.lines)
    return b"".join(line + b"\n" for line in lines)


class Tray(BytesIO):
    """Holds what is written until it is put beside a drawing."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Tell whether it ends at a terminal, where text is escaped."""
        return self._is_terminal
