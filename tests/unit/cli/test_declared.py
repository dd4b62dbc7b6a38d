import pytest

from oxy.cli.declared import Declarations, UnsettledError


def test_the_name_of_a_value_is_that_of_the_first_long_option() -> None:
    declarations = Declarations()
    declarations.add_argument("-d", "--dry-run", "--trial", action="store_true")
    declarations.add_argument("-n")
    declarations.add_argument("PATH", nargs="?")
    assert [argument.dest for argument in declarations.arguments] == ["dry_run", "n", "PATH"]


def test_the_arguments_of_groups_are_kept_in_order_with_all_others() -> None:
    declarations = Declarations()
    declarations.add_argument_group("more").add_argument("-a")
    one = declarations.add_mutually_exclusive_group(required=True)
    one.add_argument("-b")
    declarations.add_argument("-c")
    assert [(a.names, a.group) for a in declarations.arguments] == [
        (("-a",), None),
        (("-b",), declarations.groups[0]),
        (("-c",), None),
    ]
    assert declarations.groups[0].is_required


def test_what_is_not_declared_plainly_is_left_to_argparse() -> None:
    declarations = Declarations()
    with pytest.raises(UnsettledError):
        declarations.add_argument("--new", action="extend")
    with pytest.raises(UnsettledError):
        declarations.add_argument("-long")
    with pytest.raises(UnsettledError):
        declarations.add_argument("--number", type=int, default="1")
    with pytest.raises(UnsettledError):
        declarations.add_argument("--new", deprecated=True)
    with pytest.raises(UnsettledError):
        declarations.add_argument("words", nargs="...")
    assert not declarations.arguments


def test_two_that_take_many_words_are_left_to_argparse() -> None:
    declarations = Declarations()
    declarations.add_argument("some", nargs="+")
    declarations.prove()
    declarations.add_argument("more", nargs="*")
    with pytest.raises(UnsettledError):
        declarations.prove()
