"""Cairns in the admin: piles, hoards and the tide, amended while a game is live."""

from django.contrib import admin

from api.console.amend_admin import Amending
from tests.toy.models import Hoard, Pile, Tide


@admin.register(Pile)
class PileAdmin(Amending):
    """Piles by game."""

    list_display = ("seat", "game", "stones")
    search_fields = ("seat__name",)


@admin.register(Hoard)
class HoardAdmin(Amending):
    """Hoards by game."""

    list_display = ("seat", "game", "coins")


@admin.register(Tide)
class TideAdmin(Amending):
    """The tides."""

    list_display = ("game", "count", "poisoned")
