"""The benchmarks still fit the code that they measure: each can be imported. What they measure stands in no test."""

from importlib import import_module
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.mark.parametrize("path", sorted(BENCH.rglob("*.py")), ids=lambda path: str(path.relative_to(BENCH)))
def test_a_benchmark_can_be_imported(path: Path) -> None:
    name = ".".join(path.relative_to(BENCH.parent).with_suffix("").parts)
    assert import_module(name).__doc__
