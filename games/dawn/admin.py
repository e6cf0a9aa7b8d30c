"""Dawn in the admin: course, gods, points, land, peoples; what is open, to read.

A live game's rows are corrected by `Amend` (`api.console.amend_admin`); tables that nobody amends are there to read.
What a seat says in advance has no page: it is for nobody else, and a game-master may play for others (DW-AMB-56).
"""

import json

from django.contrib import admin
from unfold.decorators import display

from api.common.names import Naming, names_of, text_of
from api.console.amend_admin import Amending, MadeByCommand
from api.console.columns import OF_GAME, GameCoursePage, SeatedPage, label_column, start_column
from api.console.table_pages import register_tables
from games.dawn import models as own
from games.dawn.rules.state.constants import ALIGNMENTS
from games.dawn.store import STORE


def alignment_in_words(alignment: int) -> str:
    """An alignment with its word (DW-ALN-3)."""
    return f"{alignment:+d} {ALIGNMENTS[alignment]}" if alignment else ALIGNMENTS[0]


@admin.register(own.Course)
class CoursePage(Naming, GameCoursePage):
    """The course of a game."""

    ids = ("order", "acted", "bought")
    list_display = ("game", "step_label", "age", "round", "length", "active", "seats", "deadlines")
    list_filter = ("step", "age", "deadlines", "open_challenge", "free_alignment")
    list_select_related = ("active",)
    autocomplete_fields = ("active",)

    step_label = label_column("step", {"turn": "success", "setup": "info", "finished": "default"})


@admin.register(own.GodSheet)
class GodSheetPage(SeatedPage, MadeByCommand):
    """Gods; the name stands on the deity's page."""

    list_display = ("deity", "moral", "ethical", "aspects", "player", "game")
    list_filter = (OF_GAME, "moral", "ethical")
    list_select_related = ("deity", "seat", "game")
    search_fields = ("deity__name", "seat__name", "portfolio")

    @display(description="portfolio")
    def aspects(self, sheet: own.GodSheet) -> str:
        """Its aspects."""
        return text_of(sheet.portfolio)


@admin.register(own.Region)
class RegionPage(MadeByCommand):
    """Regions by name."""

    list_display = ("name", "fantastic", "by", "text_start", "game")
    list_filter = (OF_GAME, "fantastic")
    list_select_related = ("by", "game")
    search_fields = ("name", "text")
    autocomplete_fields = ("by",)

    text_start = start_column("text", 100)


@admin.register(own.SquareSheet)
class SquareSheetPage(MadeByCommand):
    """Climate, wonders and shapers of squares; the terrain stands on the square's own page."""

    list_display = ("square", "terrain", "climate", "fantastic", "floating", "shaped_by", "region", "game")
    list_filter = (OF_GAME, "climate", "fantastic", "floating", "square__terrain")
    list_select_related = ("square", "shaped_by", "region", "game")
    search_fields = ("region__name", "shaped_by__name")
    autocomplete_fields = ("shaped_by", "region")

    @display(ordering="square__terrain")
    def terrain(self, sheet: own.SquareSheet) -> str:
        """What the square is made of."""
        return sheet.square.terrain


@admin.register(own.RaceSheet)
class RaceSheetPage(Naming, MadeByCommand):
    """What Dawn adds to a race."""

    ids = ("creators", "parents")
    list_display = ("race", "tier", "scale", "life_label", "home", "creator_names", "descends_from", "game")
    list_filter = (OF_GAME, "tier", "alignment", "life")
    list_select_related = ("race", "home")
    search_fields = ("race__name", "=race__id", "race__dawn_edges__name")
    search_help_text = "Search by name or edge"
    raw_id_fields = ("home",)

    @display(description="creators")
    def creator_names(self, sheet: own.RaceSheet) -> str:
        """The gods who made it."""
        return names_of(json.loads(sheet.creators), sheet.game)

    @display(description="parents")
    def descends_from(self, sheet: own.RaceSheet) -> str:
        """The races it comes from, if it is a subrace."""
        return names_of(json.loads(sheet.parents), sheet.game)

    @display(description="alignment", ordering="alignment")
    def scale(self, sheet: own.RaceSheet) -> str:
        """The alignment with its word."""
        return alignment_in_words(sheet.alignment)

    life_label = label_column("life", {"alive": "success", "near_extinct": "warning", "extinct": "danger"})


@admin.register(own.CitySheet)
class CitySheetPage(Naming, MadeByCommand):
    """What Dawn adds to a city."""

    ids = ("saved_by",)
    list_display = ("city", "race", "controller", "scale", "raised", "raised_in", "savers", "game")
    list_filter = (OF_GAME, "alignment")
    list_select_related = ("city__race", "controller", "game")
    search_fields = ("city__name", "city__race__name", "controller__name")
    autocomplete_fields = ("controller",)

    def race(self, sheet: own.CitySheet) -> str:
        """Whose city it is."""
        return str(sheet.city.race)

    @display(description="saved by")
    def savers(self, sheet: own.CitySheet) -> str:
        """The gods whose miracle saves it."""
        return names_of(json.loads(sheet.saved_by), sheet.game)

    @display(description="alignment", ordering="alignment")
    def scale(self, sheet: own.CitySheet) -> str:
        """The alignment with its word."""
        return alignment_in_words(sheet.alignment)


@admin.register(own.Edge)
class EdgePage(Amending):
    """Edges of races and cities. `target` is the id of one of them; the links beside it follow."""

    list_display = ("name", "kind", "opens", "race", "city", "given", "game")
    list_filter = (OF_GAME, "kind")
    list_select_related = ("race", "city", "game")
    search_fields = ("name", "race__name", "city__name", "tags")
    autocomplete_fields = ("game",)
    readonly_fields = ("race", "city")

    @display(description="tags")
    def opens(self, edge: own.Edge) -> str:
        """What it opens on a march."""
        return text_of(edge.tags)


@admin.register(own.OrderSheet)
class OrderSheetPage(Naming, MadeByCommand):
    """Who owns an order, and when it was founded."""

    ids = ("owners",)
    list_display = ("order", "kind", "race", "owner_names", "age", "round", "game")
    list_filter = (OF_GAME, "age", "order__kind", "order__dissolved")
    list_select_related = ("order__race",)
    search_fields = ("order__name", "order__race__name")

    @display(description="owners")
    def owner_names(self, sheet: own.OrderSheet) -> str:
        """The gods who command it without a surcharge."""
        return names_of(json.loads(sheet.owners), sheet.game)

    def kind(self, sheet: own.OrderSheet) -> str:
        """What it is."""
        return sheet.order.kind

    def race(self, sheet: own.OrderSheet) -> str:
        """Where it was founded."""
        return str(sheet.order.race)


@admin.register(own.AvatarSheet)
class AvatarSheetPage(MadeByCommand):
    """Where avatars are or fell, and what they do."""

    list_display = ("avatar", "owner", "square", "alive", "defending", "leads", "returning", "killed_by", "game")
    list_filter = (OF_GAME, "alive", "defending", "returning")
    list_select_related = ("avatar__deity", "square", "leads", "killed_by", "game")
    search_fields = ("avatar__name", "avatar__deity__name")
    autocomplete_fields = ("leads", "killed_by")
    raw_id_fields = ("square",)

    def owner(self, sheet: own.AvatarSheet) -> str:
        """Whose avatar it is."""
        return str(sheet.avatar.deity)


@admin.register(own.Alliance)
class AlliancePage(Naming, MadeByCommand):
    """Promises between races, or a city and a race."""

    list_display = ("party", "other", "ended", "game")
    list_filter = (OF_GAME, "ended")
    list_select_related = ("other",)
    search_fields = ("=one", "other__name")
    autocomplete_fields = ("other",)

    @display(description="one", ordering="one")
    def party(self, alliance: own.Alliance) -> str:
        """The race or city that promised."""
        return names_of([alliance.one], alliance.game)


@admin.register(own.Mark)
class MarkPage(Naming, MadeByCommand):
    """What powers have hit this turn."""

    list_display = ("price", "hit", "game")
    list_filter = (OF_GAME, "price")
    list_select_related = ()
    search_fields = ("=target",)

    @display(description="target", ordering="target")
    def hit(self, mark: own.Mark) -> str:
        """The race or city that was hit."""
        return names_of([mark.target], mark.game)


@admin.register(own.Conflict)
class ConflictPage(MadeByCommand):
    """Divine Conflicts that are being bid for."""

    list_display = ("invoker", "challenger", "cause", "paid_invoker", "paid_challenger", "to_act", "game")
    list_filter = (OF_GAME, "cause")
    list_select_related = ("invoker", "challenger", "game")
    search_fields = ("invoker__name", "challenger__name", "text")


@admin.register(own.Offer)
class OfferPage(MadeByCommand):
    """Open offers; for the two gods and the game-masters."""

    list_display = ("maker", "taker", "kind", "give", "want", "memo", "game")
    list_filter = (OF_GAME, "kind")
    list_select_related = ("maker", "taker", "game")
    search_fields = ("maker__name", "taker__name", "memo")


register_tables(STORE, without=("advances",))
