"""Albraxas in the admin: the course of the game, phases, characters, visits; places, sheets and orders to read.

A live game's rows are corrected by `Amend` (`api.console.amend_admin`); tables that nobody amends are there to read.
"""

from django.contrib import admin
from unfold.decorators import display

from api.console.amend_admin import MadeByCommand
from api.console.columns import OF_GAME, GameCoursePage, SeatedPage, label_column
from api.console.table_pages import register_tables
from games.albraxas import models as own
from games.albraxas.store import STORE


@admin.register(own.Storm)
class StormPage(GameCoursePage):
    """The course of a game."""

    list_display = ("game", "step_label", "turn", "phases", "sides", "check_from", "albraxas", "winner")
    list_filter = ("step", "winner")
    list_select_related = ("game", "albraxas")
    autocomplete_fields = ("albraxas",)

    step_label = label_column("step", {"order": "success", "locate": "info", "finished": "default"})


@admin.register(own.Character)
class CharacterPage(SeatedPage, MadeByCommand):
    """The rebels and Albraxas."""

    list_display = (
        "name", "side_label", "phase", "clones", "backbone_of", "dynamism_of", "battle", "blitz", "fallen", "conceded",
        "player", "game",
    )  # fmt: skip
    list_filter = (OF_GAME, "side", "fallen", "conceded", "forced")
    list_select_related = ("seat", "game")
    search_fields = ("name", "seat__name")

    side_label = label_column("side", {"albraxas": "danger", "rebel": "info"})

    @display(description="Backbone", ordering="backbone")
    def backbone_of(self, character: own.Character) -> str:
        """Backbone now and at the start."""
        return f"{character.backbone} of {character.start_backbone}"

    @display(description="Dynamism", ordering="dynamism")
    def dynamism_of(self, character: own.Character) -> str:
        """Dynamism now and at most."""
        return f"{character.dynamism} of {character.most_dynamism}"


@admin.register(own.Written)
class WrittenPage(MadeByCommand):
    """The orders of this turn, once all are shown."""

    list_display = ("seat", "when", "does", "dice", "tie_max", "ties", "game")
    list_filter = (OF_GAME, "action")
    list_select_related = ("seat", "game")
    search_fields = ("seat__name",)

    @display(description="juncture", ordering="juncture")
    def when(self, order: own.Written) -> str:
        """Its juncture, or that it takes the whole phase."""
        return str(order.juncture or "whole phase")

    @display(description="action", ordering="action")
    def does(self, order: own.Written) -> str:
        """The action in words."""
        return order.action.replace("_", " ")

    @display(description="tied pairs are knocked out", ordering="tie_mode")
    def ties(self, order: own.Written) -> str:
        """When tied pairs are knocked out."""
        return order.tie_mode.replace("_", " ")


register_tables(STORE)
