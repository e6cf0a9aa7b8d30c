"""The Gods II: Era Centrum."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Centuries that pass on a timer, races that grow and fight, gods who write history."""

    name = "games.gods2"
    label = "gods2"
    verbose_name = "The Gods II"
