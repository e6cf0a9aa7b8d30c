"""Forgeborn."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Dice that are spent, artifacts that are held."""

    name = "games.forgeborn"
    label = "forgeborn"
    verbose_name = "Forgeborn"
