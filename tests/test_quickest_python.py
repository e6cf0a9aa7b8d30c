"""tools/quickest_python.sh: of the Pythons of a PATH the first that will do, unless another is quicker by a fifth."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parent.parent / "tools/quickest_python.sh"
OLD = "exit 1"  # what the probe makes of a Python before 3.11


def says(took: int, name: str) -> str:
    """A Python that takes `took` microseconds."""
    return f"echo {took} {name}"


@pytest.mark.parametrize(
    ("pythons", "chosen"),
    [
        ([says(1000, "/first"), says(950, "/second")], "/first"),
        ([says(1000, "/first"), says(800, "/second")], "/first"),
        ([says(1000, "/first"), says(799, "/second")], "/second"),
        ([says(1000, "/first"), says(700, "/second"), says(600, "/third")], "/second"),
        ([says(700, "/first"), says(1000, "/second")], "/first"),
        ([OLD, says(1000, "/second")], "/second"),
        ([says(1000, "/with a blank/python3.12")], "/with a blank/python3.12"),
        ([OLD, OLD], "python3"),
        ([], "python3"),
    ],
)
def test_the_python_that_is_chosen(pythons: list[str], chosen: str, tmp_path: Path) -> None:
    folders = [tmp_path / "empty"]
    for number, script in enumerate(pythons):
        folder = tmp_path / f"folder {number}"
        folder.mkdir()
        (folder / "python3").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "python3").chmod(0o755)
        folders.append(folder)
    assert quickest(folders) == chosen


def test_a_real_python_is_measured_and_called_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "python3").chmod(0o755)
    assert quickest([tmp_path]) == os.path.realpath(sys.executable)


def quickest(folders: list[Path]) -> str:
    """What the tool prints with these folders as its PATH."""
    environment = {"PATH": os.pathsep.join(map(str, folders))}
    done = subprocess.run(["/bin/sh", TOOL], env=environment, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.removesuffix("\n")
