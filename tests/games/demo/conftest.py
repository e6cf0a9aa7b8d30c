"""A demo that has written no file yet, in a folder of its own; a step has a minute."""

import pytest

from games import registry
from games.models import Game
from games.workers import demo
from tests.games.demo.stage import MINUTE, finish


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    """The demo is on and has written no file yet; a step has a minute."""
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, tmp_path, MINUTE
    return tmp_path


@pytest.fixture
def open_demo(monkeypatch):
    """Opens the demo of one ruleset alone, anew each time it is called; its game. Albraxas unless it is said."""

    def anew(ruleset: str = "albraxas") -> Game:
        monkeypatch.setattr(registry, "demos", lambda: {ruleset: registry.demo(ruleset)})
        finish(Game.objects.filter(is_demo=True))
        return Game.objects.get(pk=demo.prepare()["game"])

    return anew
