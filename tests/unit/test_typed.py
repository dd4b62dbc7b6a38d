import pickle
import subprocess
import sys
from copy import copy
from oxy.typed import Final, Generic, Literal, NamedTuple, NewType, Protocol, TypeVar, cast
from pathlib import Path
from typing import NamedTuple as Real

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Pair(NamedTuple):
    """Two values."""

    left: int
    right: bytes = b""

    def swapped(self) -> tuple[bytes, int]:
        """Return them the other way round."""
        return self.right, self.left

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing on the right."""
        return not self.right


class RealPair(Real):
    """Two values."""

    left: int
    right: bytes = b""


class Nothing(NamedTuple):
    """No value at all."""


def test_a_named_tuple_is_what_typing_makes() -> None:
    pair = Pair(1)
    assert (pair, pair._replace(right=b"r")) == ((1, b""), (1, b"r"))
    for name in ("__doc__", "__slots__", "_fields", "_field_defaults", "__annotations__"):
        assert getattr(Pair, name) == getattr(RealPair, name)
    assert Pair.__module__ == RealPair.__module__
    assert repr(pair) == "Pair(left=1, right=b'')"
    assert not hasattr(pair, "__dict__")
    assert Nothing() == ()


def test_a_named_tuple_can_be_made_and_remade_by_field() -> None:
    pair = Pair(right=b"r", left=2)
    assert Pair._make([2, b"r"]) == pair == copy(pair) == pickle.loads(pickle.dumps(pair))  # noqa: S301 - our own
    assert type(pair._replace(left=3)) is type(copy(pair)) is Pair
    assert pair._asdict() == {"left": 2, "right": b"r"}
    match pair:
        case Pair(2, right):
            assert right == b"r"


class Two(NamedTuple):
    """Two values of any kind."""

    left: object
    right: object = None


def test_a_named_tuple_refuses_what_it_has_no_field_for() -> None:
    values: list[int] = []
    odd: dict[str, object] = {"middle": 2}
    with pytest.raises(TypeError, match=r"^Two.__new__\(\) missing 1 required .* 'left'$"):
        Two(*values)
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments"):
        Two(*[1, 2, 3])
    with pytest.raises(TypeError, match=r"Two.__new__\(\) got an unexpected .* 'middle'"):
        Two(1, **odd)
    with pytest.raises(TypeError, match=r"^Two has 2 fields, not 1$"):
        Two._make([1])
    with pytest.raises(ValueError, match=r"^Two has no field middle$"):
        Two(1)._replace(**odd)


def test_a_named_tuple_keeps_its_methods() -> None:
    assert Pair(1, b"r").swapped() == (b"r", 1)
    assert Pair(1).is_empty


def test_a_distinct_type_is_its_value_and_stands_in_unions() -> None:
    name = NewType("name", bytes)
    assert name(b"x") == b"x"

    def told(first: name | bytes, second: list[name] | None) -> None:
        del first, second

    assert set(told.__annotations__) == {"first", "second", "return"}


def test_forms_may_be_evaluated_in_annotations() -> None:
    kind = TypeVar("kind")

    class Held(Generic[kind]):
        limit: Final[int] = 3
        mode: Literal["a", "b"] = "a"

        def get(self) -> kind | None:
            return None

    class Getter(Protocol):
        def get(self) -> object: ...

    held: Getter = Held[int]()
    assert held.get() is None
    given: object = Held.limit
    assert cast("int", given) + 1 == 4


def test_nothing_of_typing_is_loaded() -> None:
    code = (
        "import sys, oxy.typed\nsys.exit(bool({'typing', 're', 'enum'} & sys.modules.keys()))"
    )
    assert sys.version_info >= (3, 14) or not subprocess.call(
        [sys.executable, "-c", code], cwd=ROOT
    )
