"""The model of a bucket counts what is asked, and finds that it does not grow (spec: SY98)."""

from bench.bucket_model import run


def test_what_a_push_and_a_pull_ask_does_not_grow() -> None:
    small, large = (run(changes, 250) for changes in (30_000, 300_000))
    for name, most in (("requests of a push", 11.0), ("requests of a pull", 260.0)):
        found = [each[name] for each in (small, large)]
        assert all(isinstance(each, float) and 4 < each < most for each in found), found
    assert [each["pushes"] for each in (small, large)] == [250, 250]
