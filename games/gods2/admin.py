"""Era Centrum in the admin: its clock, sheets, wars, gods' secrets, worksheet and queue, for the people of an event.

A live game's rows are corrected by `Amend` (`api.console.amend_admin`); tables that nobody amends are there to read.
"""

import json
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest
from unfold.decorators import display

from api.common.names import Naming, names_in, names_of
from api.console.amend_admin import MadeByCommand
from api.console.columns import OF_GAME, GameCoursePage, SeatedPage, label_column
from api.console.table_pages import register_tables
from games.engine.wording import decimal_text
from games.gods2 import models as own
from games.gods2.packs import library
from games.gods2.store import STORE
from worlds.admin_inlines import NamedInline


class KeyForm(forms.ModelForm):
    """A key, which the pack of the game must have. The row belongs to the game of its race."""

    def clean(self) -> dict[str, Any]:
        """The values; the game follows from the race."""
        values = super().clean() or self.cleaned_data
        sheet = own.RaceSheet.objects.filter(pk=self.instance.race_id).first()
        if sheet is not None:
            self.instance.game_id = sheet.game_id
        return values

    def clean_key(self) -> str:
        """The key. Raises ValidationError for one that the pinned pack does not know."""
        key: str = self.cleaned_data["key"]
        era = own.Era.objects.filter(game__gods2_races=self.instance.race_id).first()
        pack = library.Library().get(era.pack_version) if era is not None else None
        noun = "attribute" if isinstance(self.instance, own.RaceAttribute) else "knowledge"
        known = {} if pack is None else {"attribute": pack.attributes, "knowledge": pack.knowledges}[noun]
        if pack is not None and key not in known:
            raise forms.ValidationError(f"The pack of this game has no {noun} {key}.", code="key.missing")
        return key


class AttributeInline(NamedInline):
    """What the race was made with; keys of the pack."""

    model = own.RaceAttribute
    form = KeyForm
    fields = ("key",)
    extra = 0
    hide_title = True
    verbose_name = "attribute"
    verbose_name_plural = "attributes"


class KnowledgeInline(NamedInline):
    """What the race knows; keys of the pack."""

    model = own.RaceKnowledge
    form = KeyForm
    fields = ("key",)
    extra = 0
    hide_title = True
    verbose_name = "knowledge"
    verbose_name_plural = "knowledges"


@admin.register(own.Era)
class EraPage(GameCoursePage):
    """The clock of Era Centrum."""

    list_display = ("game", "century", "session", "phase_label", "starts_at", "activity_ends_at", "ends_at")
    list_filter = ("phase", "century", "session")

    phase_label = label_column("phase", {"open": "success", "setup": "info", "finished": "default"})


@admin.register(own.RaceSheet)
class RaceSheetPage(MadeByCommand):
    """What The Gods II adds to a race: culture, turmoil, attributes, knowledges."""

    list_display = ("race", "level", "floor", "knowledge_count", "turmoil", "troubled", "starved", "peak", "game")
    list_filter = (OF_GAME, "level", "turmoil", "troubled", "starved", "race__extinct")
    list_select_related = ("race", "game")
    search_fields = ("race__name", "attribute_rows__key", "knowledge_rows__key", "=race__id")
    search_help_text = "Search by name, attribute or knowledge"
    inlines = (AttributeInline, KnowledgeInline)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Sheets with the number of knowledges."""
        return super().get_queryset(request).annotate(known=Count("knowledge_rows", distinct=True))

    @display(description="knowledges", ordering="known")
    def knowledge_count(self, sheet: Any) -> int:
        """How many knowledges it has."""
        return int(sheet.known)


@admin.register(own.GodSheet)
class GodSheetPage(SeatedPage, MadeByCommand):
    """Which seat plays which god; name, kind and status stand on the deity's page."""

    list_display = ("deity", "kind", "status", "seat", "player", "game")
    list_filter = (OF_GAME, "deity__kind", "deity__status")
    list_select_related = ("deity", "seat", "game")
    search_fields = ("deity__name", "seat__name")

    def kind(self, sheet: own.GodSheet) -> str:
        """God, demon or spirit."""
        return sheet.deity.get_kind_display()

    def status(self, sheet: own.GodSheet) -> str:
        """Alive, killed or obliterated."""
        return sheet.deity.get_status_display()


@admin.register(own.Absence)
class AbsencePage(SeatedPage, MadeByCommand):
    """Players who are marked as away; a secret of the seat and the game-masters."""

    list_display = ("seat", "player", "game")
    list_filter = (OF_GAME,)
    list_select_related = ("seat", "game")
    search_fields = ("seat__name",)


@admin.register(own.War)
class WarPage(MadeByCommand):
    """Wars, declared and fought."""

    list_display = (
        "__str__", "attacker", "defender", "kind", "status_label", "due_at", "losses", "loser",
    )  # fmt: skip
    list_filter = (OF_GAME, "century", "kind", "status")
    list_select_related = ("attacker", "defender", "loser", "game")
    search_fields = ("name", "attacker__name", "defender__name", "=id")
    date_hierarchy = "declared_at"
    ordering = ("-century", "-number")
    autocomplete_fields = ("attacker", "defender", "loser")

    @display(description="due (UTC)", ordering="due")
    def due_at(self, war: own.War) -> str:
        """When it is fought."""
        return f"{war.due:%Y-%m-%d %H:%M:%S}" if war.due else "-"

    @display(description="lost")
    def losses(self, war: own.War) -> str:
        """Units lost by attacker and defender."""
        return f"{war.attacker_lost} : {war.defender_lost}" if war.status == "fought" else "-"

    status_label = label_column(
        "status", {"declared": "warning", "fought": "danger", "averted": "success", "lapsed": "default"}
    )


@admin.register(own.PantheonOrder)
class PantheonOrderPage(Naming, MadeByCommand):
    """Drafts of new pantheons; for their members and game-masters."""

    ids = ("signed",)
    list_display = ("race", "drafter", "shares", "signer_names", "deferred", "game")
    list_filter = (OF_GAME, "deferred")
    list_select_related = ("race", "drafter")
    search_fields = ("race__name", "drafter__name")

    @display(description="pantheon")
    def shares(self, order: own.PantheonOrder) -> str:
        """Members and shares in percent."""
        names = names_in(order.game)
        shares = ((names.get(each["member"], each["member"]), each["share"]) for each in json.loads(order.pantheon))
        return ", ".join(f"{name} {share // 100}.{share % 100:02d} %" for name, share in shares)

    @display(description="signed")
    def signer_names(self, order: own.PantheonOrder) -> str:
        """Who has signed."""
        return names_of(json.loads(order.signed), order.game)


class Carrying:
    """A page of accounts that shows the fraction that is carried on without needless noughts."""

    @display(description="carried", ordering="carried")
    def fraction(self, account: own.Purse | own.Pool) -> str:
        """What is carried on, as a decimal."""
        return decimal_text(account.carried)


@admin.register(own.Purse)
class PursePage(Carrying, SeatedPage, MadeByCommand):
    """Mana of gods; a secret of the seat and the game-masters."""

    list_display = ("seat", "balance", "fraction", "player", "game")
    list_filter = (OF_GAME,)
    list_select_related = ("seat", "game")
    search_fields = ("seat__name",)


@admin.register(own.Pool)
class PoolPage(Carrying, Naming, MadeByCommand):
    """The demons' common account."""

    ids = ("demons",)
    list_display = ("game", "balance", "fraction", "demon_names")
    list_select_related = ()
    search_fields = ("game__name",)

    @display(description="demons")
    def demon_names(self, pool: own.Pool) -> str:
        """Who may draw on it."""
        return names_of(json.loads(pool.demons), pool.game)


register_tables(
    STORE,
    filters={"cards": ("sphere",), "factors": ("source",), "lines": ("kind",), "numbers": ("misses",)},
)
