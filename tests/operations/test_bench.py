"""The benchmarks still fit the code that they measure: each can be imported. What they measure stands in no test."""

from importlib import import_module
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCH.glob("*.py")))
def test_a_benchmark_can_be_imported(name: str) -> None:
    assert import_module(f"bench.{name}").__doc__
