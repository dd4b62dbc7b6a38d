from oxy.diff.trim import Middle, middle_of


def test_the_middle_is_widened_to_whole_lines() -> None:
    assert middle_of(b"a\nbcd\ne\n", b"a\nbXd\ne\n") == Middle(2, 6, 6, 8, 8)


def test_an_insertion_has_an_empty_old_middle() -> None:
    assert middle_of(b"a\nb\n", b"a\nx\nb\n") == Middle(2, 2, 4, 4, 6)


def test_head_and_tail_never_overlap() -> None:
    assert middle_of(b"a\n" * 3, b"a\n" * 5) == Middle(6, 6, 10, 6, 10)


def test_a_prefix_without_line_feed_is_no_common_line() -> None:
    assert middle_of(b"ab", b"abc") == Middle(0, 2, 3, 2, 3)


def test_the_far_tail_is_left_out_but_for_its_first_line() -> None:
    tail = b"t" * 99 + b"\n"
    middle = middle_of(b"a\n" + tail * 100, b"b\n" + tail * 100)
    assert middle == Middle(0, 2, 2, 802, 802)


def test_a_difference_beyond_the_first_probe_is_found() -> None:
    head, tail = b"h" * 70_000 + b"\n", b"\n" + b"t" * 70_000
    middle = middle_of(head + b"old" + tail, head + b"newer" + tail)
    assert (middle.head, middle.old_end, middle.new_end) == (70_001, 70_005, 70_007)
