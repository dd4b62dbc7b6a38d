from oxy.cli.graph import Drawing


def drawn(*changes: tuple[int, tuple[int, ...]]) -> str:
    drawing = Drawing()
    return "".join(line + "\n" for change in changes for line in drawing.put(*change))


def test_a_line_of_changes_is_one_column() -> None:
    assert drawn((3, (2,)), (2, (1,)), (1, ())) == "*\n*\n*\n"


def test_a_fork_and_its_join() -> None:
    assert drawn((4, (3, 2)), (3, (1,)), (2, (1,)), (1, ())) == (
        "*\n"
        "|\\\n"
        "* |\n"
        "| *\n"
        "|/\n"
        "*\n"
    )  # fmt: skip


def test_two_heads_stand_side_by_side() -> None:
    assert drawn((3, (1,)), (2, (1,)), (1, ())) == "*\n| *\n|/\n*\n"


def test_a_join_of_three() -> None:
    assert drawn((5, (4, 3, 2)), (4, (1,)), (3, (1,)), (2, (1,)), (1, ())) == (
        "*\n"
        "|\\\n"
        "|\\ \\\n"
        "* | |\n"
        "| * |\n"
        "|/ /\n"
        "| *\n"
        "|/\n"
        "*\n"
    )  # fmt: skip


def test_a_history_that_ends_lets_the_others_move_up() -> None:
    assert drawn((4, (3, 2)), (3, ()), (2, (1,)), (1, ())) == (
        "*\n"
        "|\\\n"
        "* |\n"
        " /\n"
        "*\n"
        "*\n"
    )  # fmt: skip


def test_a_merge_of_what_another_column_waits_for() -> None:
    # 6 joins 5 and 2, 5 joins 4 and 2: the column of 2 is there already.
    assert drawn((6, (5, 2)), (5, (4, 2)), (4, (1,)), (2, (1,)), (1, ())) == (
        "*\n"
        "|\\\n"
        "* |\n"
        "|\\|\n"
        "* |\n"
        "| *\n"
        "|/\n"
        "*\n"
    )  # fmt: skip


def test_a_way_across_other_columns_is_drawn_level() -> None:
    # Columns of 3, 4 and 5, all on 1: 5 goes home beneath 4.
    assert drawn((3, (1,)), (4, (2,)), (5, (1,)), (2, ()), (1, ())) == (
        "*\n"
        "| *\n"
        "| | *\n"
        "|_|/\n"
        "| *\n"
        "*\n"
    )  # fmt: skip


def test_a_merge_across_other_columns_is_drawn_level() -> None:
    drawing = Drawing()
    for change, parents in ((7, (4,)), (8, (5,)), (9, (6,))):
        drawing.put(change, parents)
    assert drawing.put(4, (3, 6)) == ["* | |", "|\\|_|"]
    assert drawing.put(6, (2, 3)) == ["| | *", "|_|/|"]


def test_other_lines_stand_beside_the_columns_that_are_open() -> None:
    drawing = Drawing()
    drawing.put(3, (2, 1))
    assert drawing.beside() == "| |"
