"""Forgeborn in the admin: the course, characters and artifacts with their dice, places, purses, actions and votes.

A live game's rows are corrected by `Amend` (`api.console.amend_admin`); tables that nobody amends are there to read.
"""

from django.contrib import admin
from unfold.decorators import display

from api.console.amend_admin import MadeByCommand
from api.console.columns import OF_GAME, GameCoursePage, SeatedPage, label_column, start_column
from api.console.table_pages import register_tables
from games.forgeborn import models as own
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.wording import dice_in_words
from games.forgeborn.store import STORE


class WithDice:
    """A page of rows with dice."""

    @display(description="dice")
    def dice(self, row: own.Character | own.Artifact) -> str:
        """The dice, the largest first."""
        return dice_in_words(dice_of(row))


@admin.register(own.Course)
class CoursePage(GameCoursePage):
    """The course of a game."""

    list_display = ("game", "step_label", "round", "active", "slayer", "called", "reason")
    list_filter = ("step", "called")
    list_select_related = ("game", "active", "slayer")

    step_label = label_column("step", {"turn": "info", "last_turns": "warning", "finished": "default"})


@admin.register(own.Place)
class PlacePage(MadeByCommand):
    """The places of the map."""

    list_display = ("place", "kind", "number", "power", "is_spent", "threat_in_short", "game")
    list_filter = (OF_GAME, "kind", "is_spent")
    list_select_related = ("place", "game")
    search_fields = ("place__name", "threat")

    threat_in_short = start_column("threat", 60)


@admin.register(own.Character)
class CharacterPage(WithDice, SeatedPage, MadeByCommand):
    """Smiths and Heroines."""

    list_display = ("person", "kind", "dice", "place", "player", "game")
    list_filter = (OF_GAME, "kind", "is_plain")
    list_select_related = ("person", "place__place", "seat", "game")
    search_fields = ("person__name", "seat__name", "=person__id")


@admin.register(own.Artifact)
class ArtifactPage(WithDice, MadeByCommand):
    """Artifacts, in the Vault and in somebody's hands."""

    list_display = ("artifact", "form", "function", "power", "dice", "maker", "holder_name", "came_by", "game")
    list_filter = (OF_GAME, "form", "function", "came_by", "power")
    list_select_related = ("artifact__person", "artifact__place", "maker__person", "game")
    search_fields = ("artifact__name", "maker__person__name", "=artifact__id")

    @display(description="holder")
    def holder_name(self, artifact: own.Artifact) -> str:
        """Who has it, or the Citadel."""
        return str(artifact.artifact.holder or "-")


@admin.register(own.Purse)
class PursePage(MadeByCommand):
    """What players have."""

    list_display = ("seat", "vp", "resource", "secret", "is_swayed", "claim", "game")
    list_filter = (OF_GAME, "is_swayed")
    list_select_related = ("seat", "claim__artifact", "game")
    search_fields = ("seat__name", "=seat__id")


@admin.register(own.Action)
class ActionPage(MadeByCommand):
    """Conflicts, creations and recruitings."""

    list_display = ("character", "kind", "stage", "place", "power", "total", "against", "is_won", "game")
    list_filter = (OF_GAME, "kind", "stage", "is_won")
    list_select_related = ("character__person", "place__place", "game")
    search_fields = ("character__person__name", "name")


register_tables(STORE)
