"""What `make conformance` compares the API's documents with."""

import subprocess
from pathlib import Path

from tools.conformance.judge import base_of


def git(root: Path, *words: str) -> None:
    names = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *words], cwd=root, check=True, capture_output=True)


def test_documents_are_compared_with_the_last_release_before_the_first_one_with_what_is_committed(tmp_path: Path):
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "One.")
    assert base_of("", tmp_path) == "HEAD"
    assert base_of("main~3", tmp_path) == "main~3"
    git(tmp_path, "tag", "v1.0.0")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "Two.")
    assert base_of("", tmp_path) == "v1.0.0"
