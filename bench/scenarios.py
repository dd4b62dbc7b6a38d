"""Which scenarios there are, by name, and at which sizes all of them take a few minutes."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Final, NamedTuple


class Scenario(NamedTuple):
    """A bench that can be run by its name.

    Attributes:
        module: whose `main` it is, and whose docstring tells what it answers.
        small: the words that make it small.
        is_alone: whether it is run only when it is named: it needs sources, or takes long.
    """

    module: str
    small: Sequence[str]
    is_alone: bool = False

    @property
    def told(self) -> str:
        """What it answers, and what it does not show."""
        return import_module(self.module).__doc__ or ""

    def run(self) -> None:
        """Run it on the words of the command line."""
        import_module(self.module).main()


_PERCENT: Final = ("--size", "5", "--iters", "3")

AREAS: Final = (
    "hashing",
    "storing",
    "changes",
    "texts",
    "histories",
    "naming",
    "copies",
    "exchanging",
    "importing",
    "compressing",
)
"""The areas of operations, each a module."""

SCENARIOS: Final[Mapping[str, Scenario]] = MappingProxyType(
    {
        "appends": Scenario("bench.appends", _PERCENT),
        **{name: Scenario(f"bench.operations.{name}", _PERCENT) for name in AREAS},
        "startup": Scenario("bench.startup", ("--iters", "3")),
        "commands": Scenario("bench.commands", ("--size", "1000", "--changes", "100")),
        "merge-curves": Scenario("bench.merge_curves", ("--size", "20")),
        "receive-curves": Scenario("bench.receive_curves", ("--size", "20")),
        "curves": Scenario("bench.curves", ("--size", "5", "--iters", "3")),
        "merge-large": Scenario("bench.merge_large", ("--size", "1000", "--changes", "100")),
        "import-git": Scenario("bench.import_git", ("--size", "300")),
        "blame-git": Scenario("bench.blame_git", ("--size", "20")),
        "threshold": Scenario("bench.threshold.__main__", ("--size", "500", "--changes", "50")),
        "walk": Scenario("bench.walk", ("--size", "1000", "--iters", "3"), is_alone=True),
        "peers": Scenario("bench.peers", ("--size", "300", "--iters", "3"), is_alone=True),
        "serving": Scenario("bench.serving", ("--iters", "1"), is_alone=True),
    }
)
"""All of them, in the order in which `all` runs them."""
