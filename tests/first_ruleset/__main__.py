"""The game of `docs/engine.md` in a process of its own: its tests, its tables, its requests, its log.

    FIRST_RULESET=<folder> DJANGO_SETTINGS_MODULE=tests.first_ruleset.settings python -m tests.first_ruleset

The folder holds the files of the page at their paths; the database is that of the environment (`tests.migrated`). What
was done is printed as JSON; where something is not as the page says, the exit status is 1.
"""

import json
from importlib.util import module_from_spec, spec_from_file_location

import django

django.setup()

import pytest  # noqa: E402  (settings first)
from django.core.management import call_command  # noqa: E402

from games import registry  # noqa: E402
from games.engine.game_state import dump  # noqa: E402
from games.models import Game  # noqa: E402
from games.storage import log  # noqa: E402
from tests.first_ruleset.settings import FOLDER, GAME  # noqa: E402
from tests.pages import ROOT, KnownGame, Reading  # noqa: E402

PAGE = ROOT / "docs" / "engine.md"


def try_rules() -> list[str]:
    """Run the tests of the page, which need neither a database nor fixtures; their names."""
    found = []
    for file in sorted(FOLDER.glob("tests/rules/*/test_*.py")):
        spec = spec_from_file_location(file.stem, file)
        assert spec and spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        tests = [name for name in vars(module) if name.startswith("test_")]
        for name in tests:
            getattr(module, name)()
        found += tests
    return found


def play() -> Reading:
    """Send the requests of the page in their order, with the clock that they turn."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        known = KnownGame(monkeypatch, b"low water")
        reading = Reading(PAGE.read_text(encoding="utf-8"), known.tokens("gaia", "ana"), sleep=known.sleep)
        reading.run()
    return reading


def replay() -> Game:
    """The game that was played; its log leads to its rows, and the chain of its digests is whole."""
    game = Game.objects.get()
    assert dump(log.fold(game)) == dump(registry.store(GAME).load(game))
    assert list(log.broken_links(game)) == []
    return game


if __name__ == "__main__":
    call_command("makemigrations", GAME, verbosity=0)
    call_command("migrate", GAME, verbosity=0)
    tests, reading = try_rules(), play()
    played = replay()
    done = {"tests": tests, "requests": reading.requests, "quotes": reading.quotes, "status": played.status}
    print(json.dumps(done))  # noqa: T201
