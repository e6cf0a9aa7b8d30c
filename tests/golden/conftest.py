"""A stage for every golden game."""

from collections.abc import Callable

import pytest

from tests.golden.evening import Evening
from tests.golden.forge import Forge
from tests.golden.horizon import Horizon
from tests.golden.slots import look_through_ids
from tests.golden.stage import Story
from tests.golden.states import look_at_states
from tests.golden.storm import Storm
from tests.golden.undo import check_undo


@pytest.fixture(autouse=True)
def undo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is undone in a golden game leaves nothing behind."""
    check_undo(monkeypatch)


@pytest.fixture(autouse=True)
def states(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each viewer is shown of a golden game fits its schema."""
    look_at_states(monkeypatch)


@pytest.fixture(autouse=True)
def ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every id that a golden game answers with is one of its own."""
    look_through_ids(monkeypatch)


@pytest.fixture
def story(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Story]:
    """Opens a golden game with these options."""
    return lambda **options: Story(monkeypatch, **options)


@pytest.fixture
def storm(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Storm]:
    """Opens a golden game of Albraxas with the dice of this secret and these options."""
    return lambda dice, **options: Storm(monkeypatch, dice, **options)


@pytest.fixture
def horizon(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Horizon]:
    """Opens a golden game of Dawn with the dice of this secret, this map and these options."""
    return lambda dice, *rows, **options: Horizon(monkeypatch, dice, *rows, **options)


@pytest.fixture
def evening(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Evening]:
    """Opens a golden game of the Die Tower with the dice of this secret and these options."""
    return lambda dice, **options: Evening(monkeypatch, dice, **options)


@pytest.fixture
def forge(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Forge]:
    """Opens a golden game of Forgeborn with the dice of this secret and these options."""
    return lambda dice, **options: Forge(monkeypatch, dice, **options)
