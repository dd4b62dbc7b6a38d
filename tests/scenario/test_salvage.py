"""What can be brought out of a damaged repository, and how that is told."""

import json

from tests.builders.desk import Desk


def damaged(desk: Desk) -> tuple[str, str]:
    """Record two changes and damage what the second added; return their ids."""
    (desk.root / "plain").write_text("one\n")
    first = desk.commit("first")
    (desk.root / "plain").write_text("two\n")
    (desk.root / "picture").write_bytes(bytes(1 << 21))
    second = desk.commit("second")
    path = desk.root / ".oxy/segments/000001.oxs"
    data = bytearray(path.read_bytes())
    at = data.rindex(b"\xf5OXF\x03") + 60
    data[at] ^= 4
    path.write_bytes(data)
    return first, second


def test_salvage_brings_what_is_whole_and_tells_what_is_not(desk: Desk) -> None:
    first, second = damaged(desk)
    assert desk.run("fsck", "--salvage", str(desk.root / "new")) == 4
    lines = desk.out.replace(str(desk.root), "ROOT").splitlines()
    areas = [line.partition(":")[0] for line in lines[:-2]]
    assert areas == ["segment", "segment", "change", "name", "file"]
    lines = lines[1:]
    assert lines[1].startswith(f"change: change {second} needs blob ")
    assert lines[2] == "name: bookmark 'main' lost changes; what is whole of it came"
    assert lines[3].startswith("file: a file of 'main' cannot be read: blob ")
    assert lines[3].endswith(" (picture)")
    assert lines[-2:] == [
        "5 things wrong",
        "brought to ROOT/new: changes 1, names 1, files anew 1",
    ]
    assert (desk.root / "new/plain").read_text() == "two\n"
    assert not (desk.root / "new/picture").exists()
    assert desk.run("-C", "new", "fsck") == 0
    assert desk.run("-C", "new", "log", "--json") == 0
    told = [json.loads(line) for line in desk.out.splitlines()]
    assert [record["message"] for record in told] == [
        "Files of main that a damaged repository could still read",
        "first",
    ]
    assert told[1]["id"] == first


def test_salvage_as_json_and_what_it_refuses(desk: Desk) -> None:
    (desk.root / "f").write_text("x\n")
    desk.commit("one")
    assert desk.run("fsck", "--salvage", str(desk.root / "a"), "--json") == 0
    assert json.loads(desk.out) == {
        "salvaged": str(desk.root / "a"),
        "changes": 1,
        "names": 1,
        "files": 0,
    }
    assert desk.refuses("fsck", "--salvage", str(desk.root / "a"), code=2) == (
        "oxy: ROOT/a is not empty\n"
    )
    assert desk.refuses("fsck", "--salvage", "b", "--rebuild", code=2).startswith(
        "oxy: --salvage and --rebuild do not go together\n"
    )


def test_what_was_collected_is_not_missed(desk: Desk) -> None:
    for name in ("one", "two", "three"):
        (desk.root / name).write_text(name)
        desk.commit(name)
    desk.says("unrecord", "main")
    desk.says("gc", "--grace", "0")
    assert desk.run("fsck", "--salvage", str(desk.root / "new"), "--json") == 0, desk.out
    assert json.loads(desk.out)["names"] == 1
    assert desk.run("-C", "new", "fsck") == 0
