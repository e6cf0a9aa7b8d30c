"""By day Hypothesis draws the same examples in each run, whatever a process has imported before."""

import importlib
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import forms


def drawn() -> list[int]:
    """The whole numbers that a property is tried with."""
    seen: list[int] = []

    @settings(max_examples=300, database=None)
    @given(st.integers())
    def record(number: int) -> None:
        seen.append(number)

    record()
    return seen


@pytest.mark.skipif(forms.AT_RANDOM, reason="by night examples are new ones")
def test_examples_do_not_depend_on_what_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn()
    (tmp_path / "odd_numbers.py").write_text(f"NUMBERS = {[123457 + 7919 * k for k in range(300)]}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "odd_numbers", importlib.import_module("odd_numbers"))
    assert drawn() == before
