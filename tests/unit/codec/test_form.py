from collections.abc import Iterator

import pytest

from oxy.codec.decode import decode
from oxy.codec.encode import encode
from oxy.codec.form import proven_header, proven_operations
from oxy.codec.wire import FormatError, MalformedError, unpack
from tests.golden.changes import GOLDEN

WRONG: tuple[object, ...] = ("text", 1.5, True, {}, [])


def _raw(name: str) -> tuple[object, object]:
    _, payload = encode(*GOLDEN[name])
    end = 4 + int.from_bytes(payload[:4], "big")
    return unpack(payload[4:end]), unpack(payload[end:])


def _broken(value: object) -> Iterator[object]:
    """Yield value with one part after the other of a type that is not in use."""
    if isinstance(value, tuple):
        for place, item in enumerate(value):
            for other in _broken(item):
                yield (*value[:place], other, *value[place + 1 :])
    yield from WRONG


def _resized(value: object) -> Iterator[object]:
    """Yield value with one row after the other a field longer; lists are left alone."""
    if isinstance(value, tuple):
        for place, item in enumerate(value):
            for other in _resized(item):
                yield (*value[:place], other, *value[place + 1 :])
        if any(type(item) is not type(value[0]) for item in value):
            yield (*value, None)
            yield value[:-1]


@pytest.mark.parametrize("name", GOLDEN)
def test_a_wrong_type_anywhere_is_refused(name: str) -> None:
    head, body = _raw(name)
    for value in _broken(head):
        with pytest.raises(MalformedError, match="header"):
            proven_header(value)
    for value in _broken(body):
        with pytest.raises(MalformedError, match="operations"):
            proven_operations(value)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_row_of_another_length_anywhere_is_refused(name: str) -> None:
    head, body = _raw(name)
    for value in _resized(head):
        with pytest.raises(MalformedError, match="header"):
            proven_header(value)
    for value in _resized(body):
        with pytest.raises(MalformedError, match="operations"):
            proven_operations(value)


@pytest.mark.parametrize("name", GOLDEN)
def test_what_has_the_form_is_returned_as_it_is(name: str) -> None:
    head, body = _raw(name)
    assert proven_header(head) is head
    assert proven_operations(body) is body


def test_a_newer_header_is_told_from_a_malformed_one() -> None:
    with pytest.raises(FormatError):
        proven_header((2,))
    for value in ((), (True,), (b"2",), 2, None, [2]):
        with pytest.raises(MalformedError):
            proven_header(value)


def test_the_golden_changes_decode() -> None:
    # What the tests above break was whole.
    assert all(decode(encode(*parts)[1])[1:] == parts for parts in GOLDEN.values())
