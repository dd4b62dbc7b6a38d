"""Signatures shown to people, and as JSON (spec: command-line, L81)."""

from __future__ import annotations

from oxy.actions.signing import GOOD, UNSIGNED, judged
from oxy.actions.sshkeys import Keygen, allowed_file
from oxy.cli.output import Styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from oxy.actions.signing import Verdict
    from oxy.cli.output import Part, Style
    from oxy.cli.records import Record
    from oxy.repo.repository import Repository

STYLES: dict[str, Style] = {GOOD: "added", UNSIGNED: "warning"}


def parts_of(verdict: Verdict) -> tuple[Part, ...]:
    """Return a verdict in words."""
    word = Styled(STYLES.get(verdict.word, "removed"), verdict.word)
    who = f" by {', '.join(verdict.signers)}" if verdict.signers else ""
    return word, who, f" ({verdict.key})" if verdict.key else ""


def records_of(verdicts: Iterable[Verdict]) -> list[Record]:
    """Return verdicts for JSON; of a change that is not signed there are none."""
    return [
        {"verdict": each.word, "signers": list(each.signers), "key": each.key}
        for each in verdicts
        if each.word != UNSIGNED
    ]


class Signatures:
    """Tells of the signatures of changes, as the user's file of allowed signers has it."""

    __slots__ = ("_allowed", "_keygen", "_repository")

    def __init__(self, repository: Repository) -> None:
        """Know whom to believe.

        Raises:
            NoSignersError: nobody said.
        """
        self._repository = repository
        self._allowed = allowed_file()
        self._keygen = Keygen()

    def lines(self, change: int) -> list[tuple[Part, ...]]:
        """Return a line for each signature of a change, or that there is none."""
        return [("signature: ", *parts_of(each)) for each in self._verdicts(change)]

    def records(self, change: int) -> list[Record]:
        """Return its signatures for JSON."""
        return records_of(self._verdicts(change))

    def _verdicts(self, change: int) -> tuple[Verdict, ...]:
        found = next(judged(self._repository, [change], self._allowed, self._keygen))
        return found.verdicts
