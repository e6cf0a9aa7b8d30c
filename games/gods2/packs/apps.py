"""Packs of The Gods II: data that all of its games share, an app of its own."""

from django.apps import AppConfig


class PacksConfig(AppConfig):
    """Versions of the pack and their entries. No row is of a game, and games name a pack by number and digest."""

    name = "games.gods2.packs"
    label = "gods2_packs"
    verbose_name = "The Gods II: packs"
