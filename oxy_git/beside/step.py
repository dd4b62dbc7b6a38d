"""Where both sides were when they were last in step (spec: git-bridge, GB61).

A cache: without it, what differs between the two sides is taken for moved on both.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple, cast

import msgpack

from oxy.repo.refs import Target, pack_target
from oxy.repo.states import Name
from oxy_git.beside.glance import DIRECTORY

NOTHING: Final = Name()

_FORM: Final = 1
_NAME: Final = DIRECTORY + b"/step"


class Agreed(NamedTuple):
    """A ref that both sides have: the object that Git's holds, and the state that oxy's does.

    The state is as `pack_target` writes it.
    """

    oid: bytes
    state: bytes


class Step(NamedTuple):
    """What both sides held.

    Attributes:
        refs: by the full names of Git.
        head: what Git's HEAD held, as `Theirs` has it.
        here: what the working copy was of, as `pack_target` writes it.
        told: what of refs could not be brought into step, and has been told.
    """

    refs: Mapping[bytes, Agreed] = {}
    head: tuple[bytes, bytes] = (b"", b"")
    here: bytes = b""
    told: tuple[tuple[bytes, bytes], ...] = ()


class Taken(NamedTuple):
    """What both sides hold by now, what is to be told, and how many commits came in."""

    refs: dict[bytes, Agreed]
    said: list[tuple[str | bytes, ...]]
    commits: int = 0


def packed(state: Name) -> bytes:
    """Return a state as a step notes it."""
    return pack_target(Target(state))


def load(control: bytes) -> Step:
    """Return what was noted in `.oxy`; nothing where there is no such note."""
    try:
        with open(control + _NAME, "rb") as file:
            raw = cast("tuple[object, ...]", msgpack.unpackb(file.read(), use_list=False))
        form, refs, head, here, told = raw
        if form != _FORM:
            return Step()
        held = cast("tuple[tuple[bytes, bytes, bytes], ...]", refs)
        return Step(
            {full: Agreed(oid, state) for full, oid, state in held},
            cast("tuple[bytes, bytes]", head),
            cast("bytes", here),
            cast("tuple[tuple[bytes, bytes], ...]", told),
        )
    except (OSError, ValueError, TypeError):
        return Step()


def save(control: bytes, step: Step) -> None:
    """Note it, if that can be done."""
    refs = [(full, *agreed) for full, agreed in sorted(step.refs.items())]
    packed = msgpack.packb((_FORM, refs, step.head, step.here, step.told))
    path = control + _NAME
    with suppress(OSError):
        os.makedirs(control + DIRECTORY, exist_ok=True)
        with open(path + b".new", "wb") as file:
            file.write(packed)
        os.replace(path + b".new", path)
