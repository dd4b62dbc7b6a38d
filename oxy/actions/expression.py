"""A regular expression as a user writes it (spec: command-line, L67). Pure.

What Python warns of, it would write to standard error itself, past the one place that writes.
"""

import re  # noqa: TID253 - what it is made of; loaded for that
import warnings


class ExpressionError(ValueError):
    """An expression is none, or too large to be one; whoever asked says where it stood."""


def expression(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return an expression, ready to be searched for.

    Raises:
        ExpressionError: it is none.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(text, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise ExpressionError(str(error)) from error
