from pathlib import Path

import pytest

from oxy.actions.config import (
    GivenWithCommand,
    Held,
    NoSettingError,
    ValueRefusedError,
    file_of,
    held,
    names_in,
    text,
    words,
)
from oxy.repo.userfile import ConfigError, user_file


@pytest.fixture
def control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home/oxy").mkdir(parents=True)
    (tmp_path / "work/.oxy").mkdir(parents=True)
    return bytes(tmp_path / "work/.oxy")


def users(tmp_path: Path, content: str) -> None:
    (tmp_path / "home/oxy/config.toml").write_text(content)


def repositorys(tmp_path: Path, content: str) -> None:
    (tmp_path / "work/.oxy/config.toml").write_text(content)


def test_the_file_of_the_repository_comes_first(tmp_path: Path, control: bytes) -> None:
    users(tmp_path, '[user]\nname = "Ada"\nemail = "a@x"\n')
    repositorys(tmp_path, '[user]\nname = "Grace"\n')
    assert text(control, "user.name") == "Grace"
    assert text(control, "user.email") == "a@x"
    assert text(None, "user.name") == "Ada"
    assert held(control, "user.email") == Held("a@x", user_file())
    assert text(control, "commit.template") is None


def test_what_runs_a_program_is_not_read_from_the_repository(
    tmp_path: Path, control: bytes
) -> None:
    repositorys(
        tmp_path,
        'ui.pager = "evil"\nui.editor = "evil"\nalias.st = "evil"\nmerge.tool = "evil"\n'
        'mergetool.x.cmd = "evil"\n[hook]\nbefore-commit = ["evil"]\n',
    )
    for name in ("ui.pager", "ui.editor", "alias.st", "merge.tool", "mergetool.x.cmd"):
        assert text(control, name) is None, name
    assert words(control, "hook.before-commit") == []


def test_only_what_is_asked_for_is_checked(tmp_path: Path, control: bytes) -> None:
    users(tmp_path, 'nonsense = 1\n[user]\nname = 3\nemail = "a@x"\n[hook]\nafter-pull = "x"\n')
    assert text(control, "user.email") == "a@x"
    with pytest.raises(ConfigError, match=r"user\.name is no text"):
        text(control, "user.name")
    with pytest.raises(ConfigError, match="after-pull is no list of words"):
        words(control, "hook.after-pull")
    users(tmp_path, '[ui]\ncolor = "blue"\n')
    with pytest.raises(ConfigError, match=r"ui\.color is one of auto, always, never"):
        text(control, "ui.color")


@pytest.mark.parametrize("content", [b"[", b"\xff = 1", b"a = 1\na = 2"])
def test_a_file_that_is_no_toml_is_named(
    tmp_path: Path, control: bytes, content: bytes
) -> None:
    (tmp_path / "home/oxy/config.toml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"home/oxy/config\.toml: not TOML"):
        text(control, "user.name")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, control: bytes) -> None:
    (tmp_path / "home/oxy/config.toml").mkdir()
    with pytest.raises(ConfigError, match="Is a directory"):
        text(control, "user.name")


def test_a_name_that_is_no_setting_cannot_be_asked_for(control: bytes) -> None:
    with pytest.raises(NoSettingError) as refused:
        held(control, "user.nme")
    assert refused.value.near[0] == "user.name"


def test_what_is_given_with_the_command_counts_before_all_files(
    tmp_path: Path, control: bytes
) -> None:
    repositorys(tmp_path, '[user]\nname = "Grace"\n')
    given = ["user.name=Ada", "user.name=Bea=", "hook.after-pull=make 'a b'"]
    with GivenWithCommand(given):
        assert text(control, "user.name") == "Bea="
        assert words(control, "hook.after-pull") == ["make", "a b"]
    assert text(control, "user.name") == "Grace"
    assert words(control, "hook.after-pull") == []


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("user.name", r"user\.name needs a value"),
        ("hook.after-pull='a", "is no list of words: No closing"),
        ("hook.after-pull=", "has one value"),
        ("ui.color=blue", "is one of auto"),
        ("user.nme=x", r"no setting is called 'user\.nme'"),
    ],
)
def test_what_is_given_wrongly_is_refused_and_nothing_of_it_holds(
    control: bytes, given: str, why: str
) -> None:
    with (
        pytest.raises((NoSettingError, ValueRefusedError), match=why),
        GivenWithCommand(["user.email=x", given]),
    ):
        pass
    assert text(control, "user.email") is None


def test_a_file_is_named_from_the_root_of_the_repository(
    tmp_path: Path, control: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    assert file_of(control, "commit.template", bytes(tmp_path / "work")) is None
    repositorys(tmp_path, 'commit.template = "form"\n')
    assert file_of(control, "commit.template", bytes(tmp_path / "work")) == bytes(
        tmp_path / "work/form"
    )
    repositorys(tmp_path, "")
    for named, found in {"/a/b": b"/a/b", "~/b": b"/somewhere/b", "": None}.items():
        users(tmp_path, f'commit.template = "{named}"\n')
        assert file_of(control, "commit.template", bytes(tmp_path / "work")) == found


@pytest.mark.parametrize("named", ["/etc/passwd", "../x", "link/x", "."])
def test_the_file_of_a_repository_names_no_file_outside(
    tmp_path: Path, control: bytes, named: str
) -> None:
    (tmp_path / "work/link").symlink_to(tmp_path)
    repositorys(tmp_path, f'commit.template = "{named}"\n')
    with pytest.raises(ConfigError, match="names a file outside of the repository"):
        file_of(control, "commit.template", bytes(tmp_path / "work"))


def test_the_names_in_a_table_are_told(tmp_path: Path) -> None:
    assert names_in("alias") == []
    (tmp_path / "x").mkdir()


def test_names_are_those_of_the_user(tmp_path: Path, control: bytes) -> None:
    users(tmp_path, 'alias.st = "status"\nalias.d = 3\nuser = 1\n')
    repositorys(tmp_path, 'alias.no = "status"\n')
    assert names_in("alias") == ["st", "d"]
    assert names_in("user") == []
    assert control
