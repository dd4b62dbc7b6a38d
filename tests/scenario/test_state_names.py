"""What states are called, through the real command line, to the letter."""

from tests.builders.desk import Desk


def fork(desk: Desk) -> None:
    """Record a base, a change on topic, and two on main, of which one needs the base."""
    desk.write("a", "1\n")
    desk.commit("Base")
    desk.says("switch", "-c", "topic")
    desk.write("b", "1\n")
    desk.commit("On topic")
    desk.says("switch", "main")
    desk.write("c", "1\n")
    desk.commit("On main")
    desk.write("a", "2\n")
    desk.commit("More on main")


def test_states_are_named_by_steps_moves_and_sets(desk: Desk) -> None:
    fork(desk)

    def subjects(called: str) -> list[str]:
        lines = desk.says("log", "--oneline", called).splitlines()
        return [line.split("] ")[-1].removeprefix("ID ") for line in lines]

    assert subjects("main~2") == ["Base"]
    assert subjects("main@{1}") == ["On main", "Base"]
    assert subjects("topic@{now}") == ["On topic", "Base"]
    assert subjects("main-topic") == ["More on main", "On main"]
    assert subjects("(main | topic)~1 - main@{2}") == ["On main", "On topic"]
    assert subjects("main & topic") == ["Base"]
    assert desk.says("cat", "a", "--at", "main~1") == "1\n"
    assert desk.says("files", "main~1|topic") == "a\nb\nc\n"


def test_what_is_no_state_is_told(desk: Desk) -> None:
    fork(desk)
    assert desk.says("switch", "--help").startswith("usage: oxy switch")
    desk.run("switch", "main-topic")
    told = desk.err.splitlines()
    assert told[0].startswith("oxy: 'main-topic' is no state: its change ")
    assert told[0].endswith("(Base), which it lacks")
    assert told[1] == "hint: `oxy log` shows it as the set of changes that it is"
    assert desk.refuses("switch", "main^", code=2) == (
        "oxy: 'main^' is no name of a state: `^` is not used: ~1 is what it was before\n"
        "hint: NAME~N, NAME@{TIME}, A|B, A&B, A-B, (A), and a name of other signs in double "
        "quotes\n"
    )
    assert desk.refuses("switch", "main~9", code=2) == (
        "oxy: 'main~9' goes back too far: the empty state is 3 back\n"
    )
    assert desk.refuses("log", "main@{1999-01-01}", code=2) == (
        "oxy: nothing was called 'main' at '1999-01-01'\n"
    )
    assert desk.refuses("log", "main | tpoic", code=2) == (
        "oxy: no bookmark, tag or change is called 'tpoic'\nhint: did you mean topic?\n"
    )


def test_a_state_with_several_newest_changes_names_them(desk: Desk) -> None:
    fork(desk)
    desk.says("merge", "topic")
    desk.run("show", "main")
    assert desk.err.startswith("oxy: 'main' is no single change; its newest: ")
    assert "(On topic)" in desk.err
    assert "(More on main)" in desk.err


def test_going_to_a_quoted_bookmark_is_going_to_the_bookmark(desk: Desk) -> None:
    fork(desk)
    desk.says("bookmark", "a&b", "main")
    assert desk.says("switch", '"a&b"') == "on a&b at ID\n"
