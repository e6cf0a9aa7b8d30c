"""Worlds and what is in them."""

from django.apps import AppConfig


class WorldsConfig(AppConfig):
    """Worlds, peoples, the divine and works: entities that outlive a game."""

    name = "worlds"
