"""Make the store small, and let go of what nothing reaches (spec: store, ST29 to ST31)."""

from oxy.typed import Final, NamedTuple

from oxy.actions.config import text
from oxy.errors import RequestError
from oxy.progress import Progress
from oxy.repo.collecting.run import Collected, Terms, collect, plan, sizes, told, waits
from oxy.repo.repository import Repository

DAY: Final = 86_400_000_000

GRACE: Final = 14
LOG: Final = 90


class DaysError(RequestError):
    """A number of days is none."""

    def __init__(self, name: str, given: str) -> None:
        super().__init__(f"{name} is '{given}', which is no number of days")
        self.given = given


class Request(NamedTuple):
    """When it is done, in microseconds, and for how many days what nothing reaches stays."""

    now: int
    grace: str | None = None


def gc(repository: Repository, request: Request, progress: Progress) -> Collected:
    """Collect; see `collect`.

    Raises:
        DaysError: a number of days is none.
    """
    return collect(repository, _terms(repository, request), progress)


def would(repository: Repository, request: Request) -> Collected:
    """Return what `gc` would remove, doing nothing.

    Raises:
        DaysError: a number of days is none.
    """
    gone, lost = plan(repository, _terms(repository, request))
    now = sizes(repository)
    return Collected(now, now, told(gone), waits(gone, lost), 0)


def _terms(repository: Repository, request: Request) -> Terms:
    given = text(repository.control, "gc.grace") if request.grace is None else request.grace
    name = "gc.grace" if request.grace is None else "--grace"
    grace = _days(name, given, GRACE)
    return Terms(request.now, grace, _days("gc.log", text(repository.control, "gc.log"), LOG))


def _days(name: str, given: str | None, default: int) -> int:
    """Return days in microseconds.

    Raises:
        DaysError: it is no number from 0 on.
    """
    if given is None:
        return default * DAY
    digits = given.removesuffix("d")
    if not digits.isascii() or not digits.isdigit() or len(digits) > len("36500"):
        raise DaysError(name, given)
    return int(digits) * DAY
