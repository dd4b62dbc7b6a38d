"""What the user's own Git configuration says, where oxy's is silent (spec: L21)."""

import os


def environment() -> dict[bytes, bytes]:
    """Return the environment without what would make Git read some repository's settings."""
    return {
        name: value
        for name, value in os.environb.items()
        if name not in (b"GIT_DIR", b"GIT_WORK_TREE", b"GIT_CONFIG")
    }


def of_git(name: str) -> str | None:
    """Return a value of the user's own Git configuration; that of no repository is read.

    Cost: a run of Git.
    """
    import subprocess

    try:
        done = subprocess.run(
            ["git", "config", "--get", name],
            cwd="/",
            env={**environment(), b"GIT_CEILING_DIRECTORIES": b"/"},
            capture_output=True,
            check=False,
        )
    except OSError:
        return None
    return os.fsdecode(done.stdout).strip() or None
