"""The compiled part of zstandard, loaded without the rest of it (spec: command-line, L25).

The package asks `platform` which of its parts to load, and so loads `re`, `enum` and `typing`:
9 ms for a command that reads one frame. The part that it loads under CPython is here loaded by
itself; where that fails, the package says what there is.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, get_frame_parameters

_PACKAGE = "zstandard"
_PART = "zstandard.backend_c"


def _part() -> ModuleType:
    if _PACKAGE not in sys.modules:
        package = type(sys)(_PACKAGE)
        package.__path__ = [os.path.join(place, _PACKAGE) for place in sys.path]
        # It stands for the package while its part is found, and no longer.
        sys.modules[_PACKAGE] = package
        try:
            __import__(_PART)
        except ImportError:
            pass
        finally:
            del sys.modules[_PACKAGE]
    return sys.modules.get(_PART) or __import__(_PACKAGE)


if not TYPE_CHECKING:
    _found = _part()
    ZstdCompressor = _found.ZstdCompressor
    ZstdDecompressor = _found.ZstdDecompressor
    ZstdError = _found.ZstdError
    get_frame_parameters = _found.get_frame_parameters

__all__ = ["ZstdCompressor", "ZstdDecompressor", "ZstdError", "get_frame_parameters"]
