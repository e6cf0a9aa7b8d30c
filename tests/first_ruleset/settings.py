"""The settings of the tests, with the game that lies in the folder FIRST_RULESET, and with REST as the only API."""

import os
from pathlib import Path

import games
from config import installed
from tests import settings

FOLDER = Path(os.environ["FIRST_RULESET"])
(GAME,) = (path.name for path in (FOLDER / "games").iterdir())
games.__path__.append(str(FOLDER / "games"))

globals().update({name: value for name, value in vars(settings).items() if name.isupper() and name != "FOLDER"})

RULESETS = [*settings.RULESETS, f"games.{GAME}"]
INSTALLED_APPS = installed.apps(installed.WEB, [*RULESETS, *settings.service.SHARED])
ROOT_URLCONF = "tests.first_ruleset.urls"
