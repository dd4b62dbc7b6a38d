import os
from pathlib import Path

import pytest

from oxy.actions.config import NoSettingError, ValueRefusedError, text, words
from oxy.actions.configuring import files, found_in, remove, write
from oxy.repo.userfile import ConfigError

KEPT = """\
# Mine.
[user]
email = "a@x"   # work

[alias]
st = "status"
"""


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home/oxy/config.toml"


def test_a_file_keeps_its_comments_and_its_order(users: Path) -> None:
    users.parent.mkdir(parents=True)
    users.write_text(KEPT)
    users.chmod(0o600)
    assert write(bytes(users), "user.name", ["Ada"], is_user=True) == "Ada"
    assert write(bytes(users), "user.email", ["b@x"], is_user=True) == "b@x"
    assert users.read_text() == KEPT.replace(
        'email = "a@x"   # work\n', 'email = "b@x"   # work\nname = "Ada"\n'
    )
    assert users.stat().st_mode & 0o777 == 0o600
    assert os.listdir(users.parent) == ["config.toml"]


@pytest.mark.parametrize(
    ("given", "held"),
    [
        (["a@x"], ["a@x"]),
        (['["a@x", "b@x"]'], ["a@x", "b@x"]),
        (["[ -f x ]"], ["[ -f x ]"]),
        (["[1]"], ["[1]"]),
        (["[", "x"], ["[", "x"]),
    ],
)
def test_a_list_is_given_in_words_or_as_the_file_writes_it(
    users: Path, given: list[str], held: list[str]
) -> None:
    assert write(bytes(users), "signers.main", given, is_user=True) == held
    assert words(None, "signers.main") == held


def test_a_file_is_made_where_there_is_none(users: Path) -> None:
    write(bytes(users), "mergetool.a.b.cmd", ['x "$MERGED"'], is_user=True)
    write(bytes(users), "hook.after-pull", ["make", "-s"], is_user=True)
    assert text(None, "mergetool.a.b.cmd") == 'x "$MERGED"'
    assert words(None, "hook.after-pull") == ["make", "-s"]


def test_a_link_stays_one(users: Path, tmp_path: Path) -> None:
    users.parent.mkdir(parents=True)
    users.symlink_to(tmp_path / "dotfiles")
    write(bytes(users), "user.name", ["Ada"], is_user=True)
    assert users.is_symlink()
    assert (tmp_path / "dotfiles").read_text() == '[user]\nname = "Ada"\n'


def test_what_cannot_be_set_leaves_the_file_alone(users: Path) -> None:
    users.parent.mkdir(parents=True)
    users.write_text('user = "me"\nalias = []\n')
    with pytest.raises(NoSettingError):
        write(bytes(users), "user.nme", ["x"], is_user=True)
    with pytest.raises(ValueRefusedError, match="has one value"):
        write(bytes(users), "user.name", ["x", "y"], is_user=True)
    with pytest.raises(ValueRefusedError, match="counts in the user's file only"):
        write(bytes(users), "ui.pager", ["x"], is_user=False)
    with pytest.raises(ConfigError, match="user is no table"):
        write(bytes(users), "user.name", ["x"], is_user=True)
    users.write_text('mergetool = "me"\n')
    with pytest.raises(ConfigError, match="there is no room for a table x"):
        write(bytes(users), "mergetool.x.cmd", ["x"], is_user=True)
    users.write_text("[")
    with pytest.raises(ConfigError, match="not TOML"):
        write(bytes(users), "user.name", ["x"], is_user=True)
    assert users.read_text() == "["


def test_a_setting_is_taken_out_once(users: Path) -> None:
    users.parent.mkdir(parents=True)
    users.write_text(KEPT + '[ui]\nblink = "yes"\n')
    assert remove(bytes(users), "alias.st")
    assert not remove(bytes(users), "alias.st")
    assert not remove(bytes(users), "user.name.x")
    assert remove(bytes(users), "ui.blink")
    assert users.read_text() == KEPT.replace('st = "status"\n', "") + "[ui]\n"


def test_what_is_wrong_in_a_file_is_named(users: Path, tmp_path: Path) -> None:
    control = tmp_path / ".oxy"
    control.mkdir()
    (control / "config.toml").write_text('ui.pager = "x"\nuser.name = "Ada"\n')
    users.parent.mkdir(parents=True)
    users.write_text('user.nme = "Ada"\nuser.email = 3\nui.pager = "less"\n')
    own, other = files(bytes(control))
    assert own == bytes(control / "config.toml")
    assert files(None) == [other] == [bytes(users)]
    found = found_in(own, bytes(control))
    assert [line.name for line in found.lines] == ["user.name"]
    assert [each.what for each in found.problems] == ["ui.pager counts in the user's file only"]
    found = found_in(other, bytes(control))
    assert [(line.name, line.held.value) for line in found.lines] == [("ui.pager", "less")]
    assert [(each.what, each.near[:1]) for each in found.problems] == [
        ("no setting is called 'user.nme'", ("user.name",)),
        ("user.email is no text", ()),
    ]


@pytest.mark.parametrize("named", ["/etc/passwd", "../x", "a/../../x"])
def test_a_repository_names_no_file_outside(users: Path, tmp_path: Path, named: str) -> None:
    control = tmp_path / ".oxy"
    control.mkdir()
    own = control / "config.toml"
    own.write_text(f'commit.template = "{named}"\n')
    found = found_in(bytes(own), bytes(control))
    assert found.lines == []
    assert [each.what for each in found.problems] == [
        "commit.template names a file outside of the repository"
    ]
    own.unlink()
    with pytest.raises(ValueRefusedError, match="names a file outside"):
        write(bytes(own), "commit.template", [named], is_user=False)
    assert not own.exists()
    write(bytes(users), "commit.template", [named], is_user=True)
