from oxy.worktree.generated import MANY, Generated, generated


def test_much_in_a_directory_that_tools_fill_is_told_by_the_outermost() -> None:
    paths = [b"web/node_modules/a/dist/%d" % n for n in range(MANY)]
    paths += [b"src/%d.py" % n for n in range(10 * MANY)]
    assert generated(paths) == (Generated(b"web/node_modules", MANY),)
    assert generated(paths[1:]) == ()


def test_many_small_directories_of_one_name_are_much_together() -> None:
    paths = [b"p%d/__pycache__/%d.x" % (n % 2, n) for n in range(MANY)]
    assert generated(paths) == (
        Generated(b"p0/__pycache__", MANY // 2),
        Generated(b"p1/__pycache__", MANY // 2),
    )


def test_what_compilers_write_is_told_by_its_ending() -> None:
    paths = [b"src/%d.o" % n for n in range(MANY + 1)]
    assert generated(paths) == (Generated(b"*.o", MANY + 1),)
    assert generated(b"build%d" % n for n in range(MANY)) == ()


def test_the_most_comes_first() -> None:
    paths = [b"build/%d" % n for n in range(MANY)]
    paths += [b"target/%d" % n for n in range(MANY + 1)]
    assert [what for what, _ in generated(paths)] == [b"target", b"build"]
