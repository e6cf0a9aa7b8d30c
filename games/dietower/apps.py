"""The Die Tower game."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Checks, one shared tower, Wishes, encounters."""

    name = "games.dietower"
    label = "dietower"
    verbose_name = "Die Tower"
