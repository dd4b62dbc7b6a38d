import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

ROUND = """
packed = zstd.ZstdCompressor(level=3).compress(b"text" * 100)
assert zstd.get_frame_parameters(packed).content_size == 400
assert zstd.ZstdDecompressor().decompress(packed) == b"text" * 100
try:
    zstd.ZstdDecompressor().decompress(b"none")
except zstd.ZstdError:
    pass
else:
    raise AssertionError
"""


def ran(*lines: str) -> int:
    return subprocess.call([sys.executable, "-c", "\n".join(lines)], cwd=ROOT)


def test_the_package_is_not_loaded_and_can_be_afterwards() -> None:
    assert not ran(
        "import sys",
        "from oxy.store import zstd",
        "assert not {'zstandard', 'platform', 'typing'} & sys.modules.keys()",
        ROUND,
        "import zstandard",
        "assert zstandard.ZstdError is zstd.ZstdError",
        "assert zstandard.backend == 'cext' and zstandard.__version__",
    )


def test_a_package_that_is_there_already_is_taken() -> None:
    assert not ran(
        "import zstandard",
        "from oxy.store import zstd",
        "assert zstd.ZstdError is zstandard.ZstdError",
        ROUND,
    )


def test_where_the_part_is_not_found_the_package_is_asked() -> None:
    assert not ran(
        "import sys",
        "class Found:",
        "    def find_spec(self, name, path, target=None):",
        "        is_whole = hasattr(sys.modules.get('zstandard'), 'platform')",
        "        if name == 'zstandard.backend_c' and not is_whole:",
        "            raise ImportError(name)",
        "sys.meta_path.insert(0, Found())",
        "from oxy.store import zstd",
        "assert 'platform' in sys.modules",
        ROUND,
    )
