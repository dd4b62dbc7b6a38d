import warnings

import pytest

from oxy.actions.expression import ExpressionError, expression


def test_an_expression_is_compiled_and_nothing_is_warned_of() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert expression("[[a]x").search("ax") is not None
    assert told == []


@pytest.mark.parametrize("text", ["(", "a{99999999999}", "(" * 5000])
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        expression(text)
