"""Albraxas: Storming the Dawn."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """One against many over a line of phases: open places, sealed orders, dice pools."""

    name = "games.albraxas"
    label = "albraxas"
    verbose_name = "Albraxas"
