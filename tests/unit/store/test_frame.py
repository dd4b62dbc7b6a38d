import pytest
import zstandard
from blake3 import blake3

from oxy.store import frame as frames
from oxy.store.errors import FrameDamagedError
from oxy.store.frame import HEAD_SIZE, MAGIC, RECORDS, parse_head, seal, unpacker, unseal
from oxy.store.limits import FRAME_LIMIT


def opened(data: bytes) -> bytes:
    head = parse_head(data[:HEAD_SIZE], 1, 0)
    stored = data[HEAD_SIZE : HEAD_SIZE + head.stored]
    return unseal(head, data[:HEAD_SIZE], stored, unpacker(), 1, 0)


class _Fixed:
    """Packs everything into the same bytes."""

    def __init__(self, stored: bytes) -> None:
        self.stored = stored

    def compress(self, _data: bytes, /) -> bytes:
        return self.stored


@pytest.mark.parametrize("content", [b"", b"a", b"abc" * 50_000, bytes(range(256)) * 300])
def test_content_comes_back_from_a_frame(content: bytes) -> None:
    assert opened(seal(RECORDS, content, frames.packer(3))) == content


def test_content_that_does_not_shrink_is_stored_as_it_is() -> None:
    data = seal(RECORDS, b"short", frames.packer(3))
    assert data[HEAD_SIZE:] == b"short"


def test_the_bytes_of_a_frame_never_change() -> None:
    data = seal(RECORDS, b"short", frames.packer(3))
    assert data.hex() == (
        "f54f584601000000000000000000000500000005e11490860dc4680789128c1a65152f0ac464d82a"
        "73686f7274"
    )


def test_a_frame_written_by_the_first_version_is_read() -> None:
    data = bytes.fromhex(
        "f54f584601010000000000000000001500000190a1718a664e4eb175aa213a6ff815f478cbfd0e4b"
        "28b52ffd6090005d0000206f787920010089ab8e08"
    )
    assert opened(data) == b"oxy " * 100


def test_every_flipped_bit_of_a_frame_is_found() -> None:
    data = seal(RECORDS, b"some content, some content, some content", frames.packer(3))
    for position in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[position // 8] ^= 1 << position % 8
        with pytest.raises(FrameDamagedError):
            opened(bytes(flipped))


def test_every_cut_of_a_frame_is_found() -> None:
    data = seal(RECORDS, b"some content, some content, some content", frames.packer(3))
    for length in range(len(data)):
        with pytest.raises(FrameDamagedError):
            opened(data[:length])


def test_the_magic_never_occurs_inside_a_frame() -> None:
    content = blake3(b"noise").digest(4096) + MAGIC + blake3(b"more").digest(4096)
    data = seal(RECORDS, content, frames.packer(3))
    assert content not in data
    assert data.count(MAGIC) == 1
    assert opened(data) == content


def forged(stored: bytes, raw_size: int) -> bytes:
    """Return a frame of sound head and digest that states a size of the forger's choice."""
    sealed = seal(RECORDS, b"x" * raw_size, _Fixed(stored))
    assert len(sealed) == HEAD_SIZE + len(stored)
    return sealed


def test_content_that_declares_another_size_is_refused_before_it_is_expanded() -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(64 * 1024 * 1024))
    with pytest.raises(FrameDamagedError, match="declares another size"):
        opened(forged(bomb, 10_000))


def test_content_that_declares_no_size_is_refused() -> None:
    stream = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(9_000))
    with pytest.raises(FrameDamagedError, match="declares another size"):
        opened(forged(stream, 9_000))


def test_content_that_wants_a_huge_window_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=27)
    engine = zstandard.ZstdCompressor(compression_params=parameters).compressobj(size=100_000)
    stored = engine.compress(bytes(100_000)) + engine.flush()
    content = bytearray(stored)
    # Not a single segment: the window is stated on its own, here 128 MiB.
    content[4:5] = bytes((content[4] & ~0x20,))
    content[5:5] = bytes(((27 - 10) << 3,))
    assert zstandard.get_frame_parameters(bytes(content)).window_size > FRAME_LIMIT
    with pytest.raises(FrameDamagedError):
        opened(forged(bytes(content), 100_000))


def test_content_that_is_no_zstd_is_refused() -> None:
    with pytest.raises(FrameDamagedError, match="no zstd"):
        opened(forged(b"not zstd at all", 1_000))


def test_bytes_after_the_zstd_frame_are_refused() -> None:
    stored = zstandard.ZstdCompressor().compress(bytes(1_000))
    with pytest.raises(FrameDamagedError):
        opened(forged(stored + b"more", 1_000))


def test_a_frame_over_the_limit_is_refused_by_its_head() -> None:
    data = seal(RECORDS, bytes(FRAME_LIMIT + 1), frames.packer(3))
    with pytest.raises(FrameDamagedError, match="over the limit"):
        parse_head(data[:HEAD_SIZE], 1, 0)


def test_a_frame_of_an_unknown_form_is_refused() -> None:
    data = seal(9, b"content", frames.packer(3))
    with pytest.raises(FrameDamagedError, match="unknown form"):
        parse_head(data[:HEAD_SIZE], 1, 0)
