"""The Die Tower in the admin: the course, actors with their sheets and secrets, the tower, checks, Wishes, encounters.

A live game's rows are corrected by `Amend` (`api.console.amend_admin`); tables that nobody amends are there to read.
"""

from django.contrib import admin
from unfold.decorators import display

from api.console.amend_admin import MadeByCommand
from api.console.columns import OF_GAME, GameCoursePage, SeatedPage, label_column, start_column
from api.console.table_pages import register_tables
from games.dietower import models as own
from games.dietower.store import STORE


@admin.register(own.Course)
class CoursePage(GameCoursePage):
    """The course of a game."""

    list_display = ("game", "step_label", "session", "seats", "characters", "idle_rounds")
    list_filter = ("step",)

    step_label = label_column("step", {"free": "success", "turn": "info", "finished": "default"})


@admin.register(own.Actor)
class ActorPage(SeatedPage, MadeByCommand):
    """Players' characters, NPC and Monsters."""

    list_display = ("name", "kind", "condition_label", "shown", "number", "player", "game")
    list_filter = (OF_GAME, "kind", "condition", "shown")
    list_select_related = ("seat", "game", "person")
    search_fields = ("name", "seat__name", "=id")
    nobody = "world master"
    autocomplete_fields = ("seat", "person")

    condition_label = label_column("condition", {"active": "success", "fallen": "danger", "beaten": "default"})


@admin.register(own.Sheet)
class SheetPage(SeatedPage, MadeByCommand):
    """The sheets of players' characters."""

    list_display = ("actor", "level", "wishes", "weapon_in_short", "power_in_short", "player", "game")
    list_filter = (OF_GAME, "level", "weapon_defensive")
    list_select_related = ("actor__seat", "game")
    search_fields = ("actor__name", "actor__seat__name")
    seat_path = "actor.seat"
    people = ("actor__seat__user",)

    @display(description="weapon", ordering="weapon")
    def weapon_in_short(self, sheet: own.Sheet) -> str:
        """The weapon, and whether it defends alone."""
        return f"{sheet.weapon[:40]} (defensive)" if sheet.weapon_defensive else sheet.weapon[:40]

    power_in_short = start_column("power", 40)


@admin.register(own.Tower)
class TowerPage(MadeByCommand):
    """The towers."""

    list_display = ("game", "height", "mode", "half_width", "placements", "last_placer_name")
    list_filter = ("mode", "half_width", "height")
    list_select_related = ("game", "last_placer")
    search_fields = ("game__name", "=game__id")

    @display(description="placed last")
    def last_placer_name(self, tower: own.Tower) -> str:
        """Whose die stood last."""
        return "world master" if tower.master_last else str(tower.last_placer or "-")


@admin.register(own.Placement)
class PlacementPage(MadeByCommand):
    """Dice that somebody owes the tower, or has placed."""

    list_display = ("number", "actor", "reason", "status", "height", "dice", "game")
    list_filter = (OF_GAME, "status", "reason")
    list_select_related = ("actor", "game")
    search_fields = ("actor__name",)


@admin.register(own.Encounter)
class EncounterPage(MadeByCommand):
    """Encounters."""

    list_display = ("number", "session", "round", "turn", "turn_actions", "silent_rounds", "closing", "closed", "game")
    list_filter = (OF_GAME, "closed", "session")
    list_select_related = ("turn", "game")
    search_fields = ("turn__name", "game__name")

    @display(description="used in this turn")
    def turn_actions(self, encounter: own.Encounter) -> str:
        """Which actions of the turn are used."""
        used = [word for word, flag in (("movement", encounter.moved), ("attack", encounter.attacked)) if flag]
        return " and ".join(used) or "nothing"


register_tables(STORE)
