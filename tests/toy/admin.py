"""Cairns in the admin: its piles, read-only."""

from django.contrib import admin
from unfold.admin import ModelAdmin

from tests.toy.models import Pile


@admin.register(Pile)
class PileAdmin(ModelAdmin):
    """Piles by game."""

    list_display = ("seat", "game", "stones")
