"""The forms of `typing` that declarations need, without loading it (spec: command-line, L25).

`typing` loads `re`, `enum` and `contextlib`: 7 ms, nearly what a bare start takes. So what runs
takes these names from here; for those who check types they are the same forms. From Python 3.14
on annotations are evaluated late, and `typing` is light: there it is taken.
"""

from __future__ import annotations

import sys
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING or sys.version_info >= (3, 14):
    from typing import (
        Final,
        Generic,
        Literal,
        NamedTuple,
        NewType,
        NoReturn,
        Protocol,
        TypeAlias,
        TypeVar,
        cast,
        overload,
    )
else:
    # What typing.NewType calls, in C.
    from _typing import _idfunc

    _MADE = {"__annotations__", "__module__", "__qualname__"}

    class _Form:
        """Stands in annotations for a form, a type variable or a distinct type."""

        __slots__ = ("_name",)

        def __init__(self, name: str, *_kinds: object) -> None:
            self._name = name

        def __repr__(self) -> str:
            return self._name

        __call__ = _idfunc

        def __getitem__(self, _kinds: object) -> _Form:
            return self

        def __or__(self, _other: object) -> _Form:
            return self

        __ror__ = __or__

    class _Base:
        """A base class that says something to those who check types only."""

        __slots__ = ()

        def __class_getitem__(cls, _kinds: object) -> type:
            return cls

    class _Values(type):
        """Makes a tuple with named fields of the annotations of a class."""

        def __new__(cls, name: str, _bases: tuple[type, ...], space: dict[str, object]) -> type:
            fields = space.get("__annotations__", {})
            defaults = [space[field] for field in fields if field in space]
            home = space["__module__"]
            made = namedtuple(name, fields, defaults=defaults, module=home)  # noqa: PYI024 - beneath it
            made.__annotations__ = fields
            for key, value in space.items():
                if key not in fields and key not in _MADE:
                    setattr(made, key, value)
            return made

    def cast(_kind: object, value: object) -> object:
        """Return the value."""
        return value

    def overload(function: object) -> object:
        """Return the function, which one without a mark takes the place of."""
        return function

    Final, Literal, NoReturn, TypeAlias = map(
        _Form, ("Final", "Literal", "NoReturn", "TypeAlias")
    )
    NewType = TypeVar = _Form
    Generic = type("Generic", (_Base,), {})
    Protocol = type("Protocol", (_Base,), {})
    NamedTuple = type.__new__(_Values, "NamedTuple", (), {})

__all__ = [
    "TYPE_CHECKING",
    "Final",
    "Generic",
    "Literal",
    "NamedTuple",
    "NewType",
    "NoReturn",
    "Protocol",
    "TypeAlias",
    "TypeVar",
    "cast",
    "overload",
]
