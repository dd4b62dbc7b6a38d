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
    "linear": "04aff150c3fcf219",
    "merge_of_two": "9f9db4d0192c3bf1",
    "merge_of_three": "b0d9d8f092f9696b",
    "same_parent_twice": "535e55cd8286e61e",
    "parent_that_is_an_ancestor": "dfa2781bd51f6a37",
    "evil_merge": "7108a0ed32407a2c",
    "conflict_resolved": "d84ac48319178d97",
    "ours_whose_other_side_edited": "75d7049492442a09",
    "deleted_here_edited_there": "1c518f3e78d696fa",
    "both_add_the_same": "18e3f07b97003d37",
    "both_add_another": "a1c5b51f364b588b",
    "added_on_many_sides": "f08bc6fd36302bbe",
    "crossed_merges": "d1bca5ad97b7d9c9",
    "rename_and_edit": "aab7e13b29e5125d",
    "modes": "177f2b889b0e7ece",
    "file_and_directory": "c046a1de801f8aba",
    "kinds": "3a178f9c8bf94d80",
    "submodules": "44d9b8e261f650c3",
    "empty_things": "cc01835c16d2ad9f",
    "ends": "57e19ba895f36a2c",
    "ends_meet": "2e45e1517285c7d5",
    "carriage_returns": "a11c1430a3ee0793",
    "other_encodings": "11fdf4a21ed67465",
    "odd_people": "ce12667ecadd4f13",
    "extra_headers": "d69b779bad2e24d5",
    "awkward_paths": "f2c504f995c8760f",
    "withheld_paths": "ffef4ea40dbcd6c0",
    "padded_modes": "bc45b61f78cedbbc",
    "odd_modes": "45942dd6e2ba8131",
    "odd_orders": "9422b1df98345fa8",
    "empty_subtree": "d1d9b779bb46adbf",
    "two_roots": "ab2b8ac105a324e0",
    "case_only": "803c6d4ba27648d5",
}


def digest(found: dict[str, bytes]) -> str:
    """Return a digest of commits and the changes that they became."""
    pairs = sorted(found.items())
    return blake3(b"".join(bytes.fromhex(c) + i for c, i in pairs)).hexdigest()[:16]


def test_the_rules_are_of_the_version_that_is_pinned() -> None:
    assert VERSION == b"2"
    assert GOLDEN.keys() == ALL.keys()


@pytest.mark.parametrize("case", ALL)
def test_commits_become_the_changes_that_they_always_became(case: str, tmp_path: Path) -> None:
    git = GitRepo(tmp_path / "git")
    ALL[case](git)
    repository, _ = brought(git)
    assert digest(ids(repository, git)) == GOLDEN[case]
