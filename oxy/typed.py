"""The forms of `typing` that declarations need, without loading it (spec: command-line, L25).

`typing` loads `re`, `enum` and `contextlib`: 7 ms, nearly what a bare start takes; and each
named tuple that it makes takes 50 us. So what runs takes these names from here, where one takes
10; for those who check types they are the same forms. From Python 3.14 on annotations are
evaluated late, and `typing` is light: there it is taken.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType

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
    # What typing.NewType and collections.namedtuple are made of, in C.
    from _collections import _tuplegetter
    from _typing import _idfunc

    _function = type(lambda: None)

    class _Form:
        """Stands in annotations for a form, a type variable or a distinct type."""

        __slots__ = ("_name",)

        def __init__(self, name: str, *_kinds: object, **_rules: object) -> None:
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

    class _Values(tuple):
        """What all named tuples do; `collections.namedtuple` makes it anew for each."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values: Iterable[object]) -> _Values:
            """Return one of an iterable that has a value for each field."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                message = f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}"
                raise TypeError(message)
            return made

        def _replace(self, /, **changes: object) -> _Values:
            """Return one with other values in some fields."""
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                message = f"{type(self).__name__} has no field {', '.join(changes)}"
                raise ValueError(message)
            return made

        def _asdict(self) -> dict[str, object]:
            """Return the values by field."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            shown = (f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(shown)})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    _new = tuple.__new__
    _makers: dict[int, CodeType] = {}

    def _maker(fields: tuple[str, ...]) -> CodeType:
        """Return the code of `__new__`; it is compiled once for each number of fields."""
        count = len(fields)
        if count not in _makers:
            names = "".join(f"_{at}, " for at in range(count))
            made = eval(f"lambda _cls, {names}: _new(_cls, ({names}))")  # noqa: S307 - our own
            _makers[count] = made.__code__
        return _makers[count].replace(co_varnames=("_cls", *fields), co_name="__new__")

    class _Making(type):
        """Makes a tuple with named fields of the annotations of a class."""

        def __new__(cls, name: str, _bases: tuple[type, ...], space: dict[str, object]) -> type:
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space[field] for field in fields if field in space}
            new = _function(_maker(fields), globals(), "__new__", tuple(defaults.values()))
            new.__qualname__ = f"{name}.__new__"
            space |= {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            space |= {
                "__new__": new,
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return type(name, (_Values,), space)

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
    NamedTuple = type.__new__(_Making, "NamedTuple", (), {})

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
