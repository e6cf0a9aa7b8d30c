"""A stage for every golden game."""

from collections.abc import Callable

import pytest

from tests.golden.stage import Story


@pytest.fixture
def story(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Story]:
    """Opens a golden game with these options."""
    return lambda **options: Story(monkeypatch, **options)
