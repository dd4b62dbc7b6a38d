from oxy.actions.settings import SETTINGS, keys_of, near, setting_of

RUNS_A_PROGRAM = ("ui.pager", "ui.editor", "merge.", "mergetool.", "alias.", "hook.")


def test_a_name_is_a_setting_or_it_is_not() -> None:
    assert [each.name for each in SETTINGS] == [
        found.name for each in SETTINGS if (found := setting_of(each.name.replace("*", "x")))
    ]
    for name in (
        "",
        "user",
        "user.",
        "user.name.x",
        "alias.",
        "mergetool.cmd",
        "mergetool..cmd",
    ):
        assert setting_of(name) is None, name


def test_what_stands_for_a_star_is_one_key() -> None:
    for name, keys in {
        "user.name": ["user", "name"],
        "alias.a.b": ["alias", "a.b"],
        "mergetool.x.y.cmd": ["mergetool", "x.y", "cmd"],
    }.items():
        setting = setting_of(name)
        assert setting is not None
        assert keys_of(setting, name) == keys


def test_nothing_that_runs_a_program_comes_from_the_file_of_a_repository() -> None:
    harmless = {each.name for each in SETTINGS if each.file == "either"}
    assert harmless == {
        "user.name",
        "user.email",
        "commit.template",
        "gc.auto",
        "gc.grace",
        "gc.log",
    }
    assert not any(name.startswith(RUNS_A_PROGRAM) for name in harmless)


def test_a_name_that_is_none_has_near_ones() -> None:
    assert near("alias.") == ("alias.*",)
    assert near("zzzzzzzz") == ()
