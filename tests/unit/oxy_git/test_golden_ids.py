"""The same commit is the same change for ever: ids pinned (spec: git-bridge, GB5, GB6).

A digest here may change only together with the version of the import rules.
"""

from pathlib import Path

import pytest
from blake3 import blake3

from oxy_git.importer.commits import VERSION
from tests.builders.bridge import brought, ids
from tests.builders.gitcases import ALL
from tests.builders.gitrepo import GitRepo

GOLDEN = {
    "linear": "d3c647244ab1d46c",
    "merge_of_two": "483ad89f03769cf7",
    "merge_of_three": "cb0d7066228262dc",
    "same_parent_twice": "d99775aec5cfdea2",
    "parent_that_is_an_ancestor": "0369ff4f7edd01db",
    "evil_merge": "b40130cf9e78a6b1",
    "conflict_resolved": "ca18c177e163e76f",
    "ours_whose_other_side_edited": "ce01b2363ba05a81",
    "deleted_here_edited_there": "9e2be12f54b1c183",
    "both_add_the_same": "152fc9d39c753df4",
    "both_add_another": "017b41d6f84cea33",
    "added_on_many_sides": "9d3431372ba03b53",
    "crossed_merges": "45b0b0dcb2d47f64",
    "rename_and_edit": "ee61f768e8c21c22",
    "modes": "5424ef0d77f83769",
    "file_and_directory": "3b6e2e84ef9848e8",
    "kinds": "23fb372b99e9acc0",
    "submodules": "6fa7ed7bf2a69930",
    "empty_things": "0c9da46ca8e13225",
    "ends": "8b0ff3210cba0e1a",
    "ends_meet": "9c3fc5754ce1c2b2",
    "carriage_returns": "f271b76836e5d65b",
    "other_encodings": "89ca67336e324577",
    "odd_people": "cb0371694c12dcf5",
    "extra_headers": "3d9ad885370a3b78",
    "awkward_paths": "0b8e0d09c78dff40",
    "withheld_paths": "540730f9f4f5eed3",
    "padded_modes": "17179d8140734663",
    "odd_modes": "466c6af7b56330f9",
    "odd_orders": "53b2755b993fae03",
    "empty_subtree": "1acb71115397703e",
    "two_roots": "da6d21a07393dbb2",
    "case_only": "4568850e315a8acc",
}


def digest(found: dict[str, bytes]) -> str:
    """Return a digest of commits and the changes that they became."""
    pairs = sorted(found.items())
    return blake3(b"".join(bytes.fromhex(c) + i for c, i in pairs)).hexdigest()[:16]


def test_the_rules_are_of_the_version_that_is_pinned() -> None:
    assert VERSION == b"1"
    assert GOLDEN.keys() == ALL.keys()


@pytest.mark.parametrize("case", ALL)
def test_commits_become_the_changes_that_they_always_became(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    repository, _ = brought(git)
    assert digest(ids(repository, git)) == GOLDEN[case]
