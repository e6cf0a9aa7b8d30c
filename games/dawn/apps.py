"""Dawn of Worlds: Celestial Horizon."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Three Ages, points and turns by the fewest, Divine Conflicts, battles."""

    name = "games.dawn"
    label = "dawn"
    verbose_name = "Dawn of Worlds"
