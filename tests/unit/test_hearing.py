from oxy.hearing import listen, pass_on


def test_whoever_listens_last_hears() -> None:
    first: list[str] = []
    second: list[str] = []
    listen(first.append)
    pass_on("one")
    listen(second.append)
    pass_on("two")
    assert (first, second) == (["one"], ["two"])
