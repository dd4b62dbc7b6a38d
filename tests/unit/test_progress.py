from oxy.progress import watched


class Told:
    """Somebody who wants to know."""

    def __init__(self) -> None:
        self.said: list[tuple[int, int | None, str]] = []

    def update(self, done: int, total: int | None, what: str, _size: int = 0) -> None:
        self.said.append((done, total, what))


def test_each_item_is_told_of_before_it_is_taken() -> None:
    told = Told()
    for number in watched(range(2), 2, "files", told):
        assert told.said[-1] == (number, 2, "files")
    assert len(told.said) == 2


def test_items_are_the_same_where_nobody_watches() -> None:
    assert list(watched(iter("ab"), 2, "files", None)) == ["a", "b"]
