"""Albraxas in the admin: the course of the game, phases, characters, visits; places, sheets and orders to read.

A live game's rows are corrected by `Amend` (see `api.common.amend_admin`); tables that nobody amends are there to read.
"""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from api.common.amend_admin import Amending
from games.albraxas import models as own

OF_GAME = ("game", AutocompleteSelectFilter)


class MadeByCommand(Amending):
    """Rows that come and go with the game's own commands: there is nothing to add here."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


@admin.register(own.Storm)
class StormPage(MadeByCommand):
    """The course of a game."""

    list_display = ("game", "step_label", "turn", "phases", "sides", "check_from", "albraxas", "winner")
    list_filter = ("step", "winner")
    list_select_related = ("game", "albraxas")
    search_fields = ("game__name", "=game__id")
    autocomplete_fields = ("albraxas",)

    @display(description="step", ordering="step", label={"order": "success", "locate": "info", "finished": "default"})
    def step_label(self, storm: own.Storm) -> str:
        """Where the game is."""
        return storm.step


@admin.register(own.Phase)
class PhasePage(MadeByCommand):
    """Tide and Ebb, phase by phase."""

    list_display = ("number", "tide", "ebb", "game")
    list_filter = (OF_GAME,)
    list_select_related = ("game",)
    search_fields = ("=number", "game__name")


@admin.register(own.Character)
class CharacterPage(MadeByCommand):
    """The rebels and Albraxas."""

    list_display = (
        "name", "side_label", "phase", "clones", "backbone_of", "dynamism_of", "battle", "blitz", "fallen", "conceded",
        "player", "game",
    )  # fmt: skip
    list_filter = (OF_GAME, "side", "fallen", "conceded", "forced")
    list_select_related = ("seat__user", "game")
    search_fields = ("name", "seat__name", "seat__user__username")

    @display(description="side", ordering="side", label={"albraxas": "danger", "rebel": "info"})
    def side_label(self, character: own.Character) -> str:
        """Which side the character fights for."""
        return character.side

    @display(description="Backbone", ordering="backbone")
    def backbone_of(self, character: own.Character) -> str:
        """Backbone now and at the start."""
        return f"{character.backbone} of {character.start_backbone}"

    @display(description="Dynamism", ordering="dynamism")
    def dynamism_of(self, character: own.Character) -> str:
        """Dynamism now and at most."""
        return f"{character.dynamism} of {character.most_dynamism}"

    def player(self, character: own.Character) -> str:
        """Who sits there."""
        return str(character.seat.user or character.seat.bot or "-")


@admin.register(own.Visit)
class VisitPage(Amending):
    """In how many turns a rebel has visited a phase."""

    list_display = ("seat", "phase", "count", "game")
    list_filter = (OF_GAME,)
    list_select_related = ("seat", "game")
    search_fields = ("seat__name", "=phase")
    autocomplete_fields = ("seat", "game")


@admin.register(own.Sheet)
class SheetPage(MadeByCommand):
    """Characters before the start; a secret of the seat and the game-masters."""

    list_display = ("name", "seat", "backbone", "battle", "blitz", "game")
    list_filter = (OF_GAME,)
    list_select_related = ("seat", "game")
    search_fields = ("name", "seat__name")


@admin.register(own.Choice)
class ChoicePage(MadeByCommand):
    """Where rebels mean to go; a secret of the rebels and the game-masters."""

    list_display = ("seat", "phase", "locked", "game")
    list_filter = (OF_GAME, "locked")
    list_select_related = ("seat", "game")
    search_fields = ("seat__name",)


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
