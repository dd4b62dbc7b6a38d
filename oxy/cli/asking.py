"""Asking about each hunk on the terminal (spec: working-copy, W18)."""

from __future__ import annotations

import sys

from oxy.actions.hunks import difference_of
from oxy.actions.patch import Manner, heading
from oxy.cli.escape import escape
from oxy.cli.hunks import write_lines
from oxy.cli.output import Styled
from oxy.cli.patch import write_patch
from oxy.worktree.hunks import TEXT, WHOLE, Hunk, Pick, hunks_of, selected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from oxy.actions.doings import Doing
    from oxy.actions.patch import FileDiff
    from oxy.cli.output import Output
    from oxy.worktree.hunks import FileHunks
    from oxy.worktree.snapshot import Snapshot
    from oxy.worktree.workcopy import WorkingCopy

HELP = {
    "y": "take this hunk",
    "n": "leave it",
    "a": "take it and the rest of the file",
    "d": "leave it and the rest of the file",
    "s": "split it where unchanged lines part it",
    "e": "edit what is taken of it, in the editor",
    "q": "leave it and all that follow",
    "?": "show this",
}


MANY = 2


class Chooser:
    """Asks about each hunk on the terminal."""

    __slots__ = ("_control", "_is_over", "_out", "_own", "_picks")

    def __init__(self, out: Output) -> None:
        self._out = out
        self._picks: list[Pick] = []
        self._is_over = False
        self._control: bytes | None = None
        self._own: dict[int, bytes] = {}

    def __call__(self, copy: WorkingCopy, snapshot: Snapshot) -> Snapshot:
        """Return what was chosen of a snapshot."""
        self._control = copy.control
        files = hunks_of(copy, snapshot.changes)
        self._ask((file, difference_of(copy, file)) for file in files)
        return selected(copy, snapshot, self._picks, self._own)

    def among(self, found: Iterable[Doing]) -> list[Pick]:
        """Return what was chosen of what a change did."""
        self._ask((doing.file, doing.diff) for doing in found)
        return self._picks

    def _ask(self, files: Iterable[tuple[FileHunks, FileDiff | None]]) -> None:
        for file, diff in files:
            self._show_file(file, diff)
            self._ask_about(file)
            if self._is_over:
                return

    def _ask_about(self, file: FileHunks) -> None:
        """Ask about the hunks of one file, and their parts where one is split."""
        work = [(hunk, Pick(hunk.number)) for hunk in reversed(file.hunks)]
        while work:
            hunk, pick = work.pop()
            self._show(file, hunk, pick)
            answer = self._answer(file, hunk, pick)
            if answer == "e" and not self._edit(file, hunk):
                answer = "n"
            if answer == "s":
                count = len(hunk.edits)
                work += [(hunk, Pick(hunk.number, part)) for part in range(count, 0, -1)]
            elif answer in {"y", "a", "e"}:
                self._picks.append(pick)
            if answer == "a":
                self._picks += [pick for _, pick in work]
            if answer in {"a", "d", "q"}:
                self._is_over = answer == "q"
                return

    def _edit(self, file: FileHunks, hunk: Hunk) -> bool:
        """Let the user edit a hunk until that can be taken; tell whether anything is left."""
        from oxy.cli.hunkediting import HunkEditError, edited

        while True:
            try:
                made = edited(self._control or b"", file.shown(hunk))
            except HunkEditError as error:
                self._out.line(str(error))
                self._out.raw(b"edit it again [y,n]? ")
                self._out.flush()
                if sys.stdin.readline().strip() != "y":
                    return False
                continue
            if made is not None:
                self._own[hunk.number] = made
            return made is not None

    def _show_file(self, file: FileHunks, diff: FileDiff | None) -> None:
        if diff is None:
            return
        if file.local is None:
            write_patch(self._out, [diff], Manner(brief=True))
            return
        for line in heading(diff):
            self._out.verbatim(Styled("heading", line))

    def _show(self, file: FileHunks, hunk: Hunk, pick: Pick) -> None:
        if hunk.kind == TEXT:
            is_whole = pick.part == WHOLE
            shown = file.shown(hunk) if is_whole else file.parts(hunk)[pick.part - 1]
            write_lines(self._out, shown)

    def _answer(self, file: FileHunks, hunk: Hunk, pick: Pick) -> str:
        """Return one of the letters; the end of the input is `q`."""
        is_text = pick.part == WHOLE and hunk.kind == TEXT
        cannot = {"s"} if pick.part != WHOLE or len(hunk.edits) < MANY else set()
        cannot |= set() if is_text and self._control is not None else {"e"}
        letters = [letter for letter in HELP if letter not in cannot]
        number = f"{pick.hunk}" if pick.part == WHOLE else f"{pick.hunk}.{pick.part}"
        what = "" if hunk.kind == TEXT else f" ({hunk.kind})"
        path = escape(file.change.path)
        question = f"take hunk {number}{what} of {path} [{','.join(letters)}]? "
        while True:
            self._out.raw(question.encode())
            self._out.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not line:
                self._out.line("")
                return "q"
            if answer in letters and answer != "?":
                return answer
            for letter in letters:
                self._out.line(letter, " - ", HELP[letter])
