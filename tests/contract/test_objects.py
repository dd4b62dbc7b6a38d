"""What every store of objects does (spec: sync, SY22, SY23)."""

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from oxy.sync.address import Store
from oxy.sync.bucket.cloud import Cloud
from oxy.sync.bucket.directory import Directory
from oxy.sync.bucket.objects import Objects, OversizeError, whole
from tests.builders.azure import azure, azurite
from tests.builders.bucket import Shelved
from tests.builders.moto import s3

AZURE = ("az",) if azurite() else ()
"""Azure's form of it, where the server for it is installed: `.ci/run` installs it."""

SERVERS = {"s3": "environment", "az": "containers"}


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with s3() as found:
        yield found


@pytest.fixture(scope="module")
def containers() -> Iterator[dict[str, str]]:
    with azure() as found:
        yield found


@pytest.fixture(params=["memory", "directory", "s3", *AZURE])
def objects(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Objects:
    if request.param == "memory":
        return Shelved()
    if request.param == "directory":
        return Directory(os.fsencode(tmp_path))
    for name, value in request.getfixturevalue(SERVERS[request.param]).items():
        monkeypatch.setenv(name, value)
    return Cloud.at(Store(request.param, b"team", os.fsencode(tmp_path.name)))


def create(objects: Objects, name: str, data: bytes) -> bool:
    return objects.create(name, BytesIO(data), len(data))


def test_an_object_is_read_as_it_was_created(objects: Objects) -> None:
    for data in (b"", b"abc", b"x" * (3 << 20)):
        name = f"oxy/ab/{len(data)}"
        assert create(objects, name, data)
        assert whole(objects, name, len(data)) == data


def test_what_is_there_is_not_created_again(objects: Objects) -> None:
    assert create(objects, "oxy/log/1", b"first")
    assert not create(objects, "oxy/log/1", b"second")
    assert whole(objects, "oxy/log/1", 9) == b"first"


def test_one_object_is_replaced(objects: Objects) -> None:
    objects.replace("oxy/newest", b"1")
    objects.replace("oxy/newest", b"22")
    assert whole(objects, "oxy/newest", 9) == b"22"


def test_no_more_is_read_than_may_be(objects: Objects) -> None:
    create(objects, "oxy/ab/c", b"0123456789")
    with pytest.raises(OversizeError, match="the object oxy/ab/c is over 9 bytes"):
        whole(objects, "oxy/ab/c", 9)


def test_what_is_not_there_is_none(objects: Objects) -> None:
    assert objects.open("oxy/ab/none") is None
    assert objects.written("oxy/ab/none") is None
    assert list(objects.names("oxy/log")) == []
    objects.delete("oxy/ab/none")


def test_names_ascend_from_any_on(objects: Objects) -> None:
    names = [f"oxy/log/{at:020}" for at in (3, 1, 2, 10)]
    for name in names:
        create(objects, name, name.encode())
    create(objects, "oxy/logs/0", b"")
    create(objects, "oxy/ab/c", b"12")
    assert [each.name for each in objects.names("oxy/log")] == sorted(names)
    assert [each.name for each in objects.names("oxy/log", names[2])] == [names[0], names[3]]
    assert {each.name: each.size for each in objects.names("oxy")}["oxy/ab/c"] == 2


def test_when_it_was_written_is_told_in_both_ways(objects: Objects) -> None:
    create(objects, "oxy/ab/c", b"12")
    (listed,) = objects.names("oxy/ab")
    assert objects.written("oxy/ab/c") == pytest.approx(listed.written, abs=1)


def test_what_is_deleted_is_gone(objects: Objects) -> None:
    create(objects, "oxy/ab/c", b"12")
    objects.delete("oxy/ab/c")
    assert objects.open("oxy/ab/c") is None
    assert create(objects, "oxy/ab/c", b"again")


def test_a_large_object_goes_in_parts(objects: Objects) -> None:
    data = os.urandom(17 << 20)
    assert create(objects, "oxy/ab/large", data)
    assert whole(objects, "oxy/ab/large", len(data)) == data
