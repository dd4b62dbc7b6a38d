from blake3 import blake3

from oxy.model.digest import (
    DIGEST_SIZE,
    ROOT,
    ChangeId,
    blob_id,
    change_id,
    digest,
    directory_id,
    node_id,
    short,
)

CHANGE = ChangeId(bytes(range(32)))


def test_a_digest_is_blake3_of_256_bits() -> None:
    assert digest(b"abc") == blake3(b"abc").digest()
    assert len(digest(b"")) == DIGEST_SIZE


def test_an_id_is_shown_by_its_first_digits() -> None:
    assert short(CHANGE) == "000102030405"


def test_a_blob_is_named_by_the_digest_of_its_bytes() -> None:
    assert blob_id(b"abc") == digest(b"abc")


def test_a_change_id_covers_both_parts_apart() -> None:
    assert change_id(b"ab", b"c") != change_id(b"a", b"bc")
    assert change_id(b"a", b"b") != change_id(b"b", b"a")


def test_ids_of_nodes_and_directories_have_the_values_of_the_specification() -> None:
    first = ChangeId(
        bytes.fromhex("2e2e3ae679a0a88ed625e6f33225b31f2624c70696082e7a3469f43c75d1f932")
    )
    node = "3a8046b3343ce4350a692249df9ba795e1504b1e3a128f2eaf3a63abb31fafd5"
    directory = "1e5f13361475380ab73266a21f6516da0f1ee08ac4aac50f380931ad799ffc78"
    assert node_id(first, 0).hex() == node
    assert directory_id(ROOT, b"src", 0).hex() == directory


def test_every_part_of_a_directory_counts_in_its_id() -> None:
    parent = directory_id(ROOT, b"a", 0)
    ids = {
        parent,
        directory_id(ROOT, b"a", 1),
        directory_id(ROOT, b"b", 0),
        directory_id(parent, b"a", 0),
        ROOT,
    }
    assert len(ids) == 5


def test_the_last_node_that_a_change_may_create_has_an_id() -> None:
    assert node_id(CHANGE, (1 << 32) - 1) != node_id(CHANGE, 0)
