"""The page of a game: what it is, where to look further, and the game-master's hand on its clock.

Each button is a command, issued as a game-master, asked for on a page of its own.

Long for one reason: all that a game-master does with a game is on this one page.
"""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from pydantic import ValidationError
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from api.common.permissions import CONDUCT
from api.console.amend_admin import ask
from api.console.clocks import PausedFilter
from api.console.commands import STAGE, CommandForm, form_of, stage_of
from api.console.issuing import KEY, issue_from_admin, refusal_text
from api.console.readonly_admin import (
    LINK,
    ReadingPage,
    json_as_lines,
    link,
    link_row,
    moment,
    mono,
    one_line,
    rows_of,
    until,
)
from api.pages.forms.commands import words_for_people
from api.representations import maps, table
from games import registry, services
from games.engine.errors import Refused
from games.engine.kernel import Command
from games.engine.lifecycle import gm_commands
from games.engine.wording import listing, quantity
from games.models import Game, Timer
from games.reads.rewind_preview import rewind_preview
from worlds.visibility import Visibility

EXTENSION_SECONDS = 60
NOW = ("where", "waits_for", "next_deadline")
LINKS = ("look", "rows", "map")
SEATS_NAMED = 4
"""So many of those who are waited for are named."""
SHOWN = 60
"""So many events are listed on the page of a rewind."""
EVENT_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
MOVING = "move-pack"
"""The command by which rulesets with packs let a game go on with another."""


def game_or_none(object_id: Any) -> Game | None:
    """The game of an address, whose id may be anything."""
    try:
        return Game.objects.filter(pk=UUID(str(object_id))).first()
    except ValueError:
        return None


def conducting(game: Game) -> Visibility:
    """The visibility of the game-masters of a game: an administrator conducts it."""
    return Visibility(gm_games=frozenset({game.pk}))


def rewind_target(request: HttpRequest) -> int | None:
    """The event of a rewind that the address or the form names; none while nothing is chosen."""
    given = request.POST.get("to") or request.GET.get("to") or ""
    return int(given) if EVENT_NUMBER.fullmatch(given) else None


def _own(game: Game, name: str) -> type[Command] | None:
    """A command of the game's ruleset, if it has it."""
    known = game.ruleset in registry.folders()
    return registry.ruleset(game.ruleset).commands.get(name) if known else None


class Nothing(CommandForm):
    """An action without a form."""


class GamePage(ReadingPage):
    """Games. They are opened and changed through commands; this page reads them and conducts them."""

    list_display = ["name", "ruleset_title", "status_label", "clock", *NOW, "players", "last_event"]
    list_filter = ["status", PausedFilter, "ruleset", "is_public", "created_at"]
    list_select_related = ["world"]
    search_fields = ["name", "=id", "world__name"]
    people = ("opened_by",)
    search_help_text = "Search by name, id, world or who opened it"
    date_hierarchy = "created_at"
    ordering = ["-created_at"]
    actions_list = ["open_game"]
    actions_detail = [
        "pause",
        "resume",
        "extend",
        {
            "title": "More",
            "icon": "more_horiz",
            "items": ["end_now", "fire_now", "fire_due", "overrule", "move_pack", "rewind"],
        },
    ]
    fieldsets = [
        (
            None,
            {"fields": ["name", "ruleset_title", "status_in_words", "clock_in_words", *NOW, *LINKS]},
        ),
        ("Table", {"fields": ["world", "is_public", "opened_by", "opened_at", "options_display"]}),
        ("Log", {"fields": ["seq", "last_event", "rewinds", "timers_set", "digest_display", "commitment_display"]}),
    ]

    def has_conduct_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Those who may conduct games from here."""
        return request.user.has_perm(CONDUCT)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Games with their seats and the number of their players."""
        players = Count("seats", filter=Q(seats__role="player"))
        first = Timer.objects.filter(game=OuterRef("pk"), due__isnull=False).order_by("due").values("due")[:1]
        rows = super().get_queryset(request).annotate(player_count=players, first_due=Subquery(first))
        return rows.prefetch_related("seats")

    # --- what it shows -----------------------------------------------------------------------------------------------
    @display(description="ruleset", ordering="ruleset")
    def ruleset_title(self, game: Game) -> str:
        """The title of its ruleset."""
        known = game.ruleset in registry.folders()
        return registry.ruleset(game.ruleset).title if known else f"{game.ruleset} (not installed)"

    @display(
        description="status",
        ordering="status",
        label={"lobby": "info", "setup": "warning", "running": "success", "finished": "default"},
    )
    def status_label(self, game: Game) -> tuple[str, str]:
        """Where it is between lobby and end."""
        return game.status, game.get_status_display()

    @display(description="clock", ordering="paused_at", label={"runs": "success", "paused": "warning", "-": "default"})
    def clock(self, game: Game) -> tuple[str, str]:
        """Whether its clock runs."""
        if game.paused_at is not None:
            return "paused", f"stands still since {game.paused_at:%Y-%m-%d %H:%M} UTC"
        return ("runs", "runs") if game.is_live else ("-", "-")

    @display(description="status")
    def status_in_words(self, game: Game) -> str:
        """The status in words."""
        return game.get_status_display()

    @display(description="clock")
    def clock_in_words(self, game: Game) -> str:
        """The clock in words."""
        return self.clock(game)[1]

    @display(description="now")
    def where(self, game: Game) -> str:
        """Where the game is, in the words of its ruleset."""
        if game.ruleset not in registry.folders():
            return "-"
        caption: str = registry.store(game.ruleset).caption(game)
        return caption

    @display(description="waits for")
    def waits_for(self, game: Game) -> str:
        """Who may or must act now, as a game-master may know it."""
        names = {seat.pk: seat.name for seat in game.seats.all()}
        waiting = table.waiting_json(game.waiting_for, (), gm=True)
        must = [names.get(each["seat"], "the game-masters") for each in waiting if each["must"]]
        may = len(waiting) - len(must)
        parts = [listing(must[:SEATS_NAMED]), f"{len(must) - SEATS_NAMED} more" if len(must) > SEATS_NAMED else ""]
        parts.append(f"{quantity(may, 'seat')} may act" if may else "")
        return "; ".join(filter(None, parts)) or "-"

    @display(description="next deadline in", ordering="first_due")
    def next_deadline(self, game: Game) -> SafeString:
        """What is left of the earliest of its deadlines."""
        due: datetime | None = game.first_due  # type: ignore[attr-defined]
        return one_line(until(due, None, game.paused_at))

    @display(description="players", ordering="player_count")
    def players(self, game: Game) -> int:
        """How many play."""
        count: int = game.player_count  # type: ignore[attr-defined]
        return count

    @display(description="last event (UTC)", ordering="last_at")
    def last_event(self, game: Game) -> SafeString | str:
        """When something last happened."""
        return moment(game.last_at)

    @display(description="opened (UTC)", ordering="created_at")
    def opened_at(self, game: Game) -> SafeString | str:
        """When it was opened."""
        return moment(game.created_at)

    @display(description="options")
    def options_display(self, game: Game) -> SafeString | str:
        """What it was opened with."""
        return json_as_lines(game.options)

    @display(description="digest")
    def digest_display(self, game: Game) -> SafeString:
        """The digest of its last event."""
        return mono(game.digest)

    @display(description="commitment")
    def commitment_display(self, game: Game) -> SafeString:
        """The digest of the dice secret; the secret itself is shown by the game's end."""
        return mono(game.commitment)

    @display(description="look further")
    def look(self, game: Game) -> SafeString:
        """Links to the rows of this game."""
        names = ("loggedevent", "seat", "timer", "prompt", "die", "receipt", "invitation", "ban", "leave")
        labels = ("log", "seats", "timers", "prompts", "dice", "receipts", "invitations", "bans", "leaves")
        rows = [
            link(word, f"games_{name}_changelist", game__id__exact=game.pk)
            for name, word in zip(names, labels, strict=True)
        ]
        if game.world_id:
            rows.append(link("world", "worlds_world_change", game.world_id))
        pages = ("screen", "desk") if game.is_public else ("desk",)
        rows += [format_html('<a class="{}" href="{}">{}</a>', LINK, reverse(p, args=[game.pk]), p) for p in pages]
        return link_row(rows)

    @display(description="its rows")
    def rows(self, game: Game) -> SafeString | str:
        """Links to what its ruleset keeps of this game."""
        return link_row(rows_of(game)) or "-"

    @display(description="map")
    def map(self, game: Game) -> SafeString | str:
        """The map as everybody sees it."""
        try:
            maps.drawing_of(game)
        except Refused:
            return "no map yet"
        address = reverse("admin:games_game_map", args=[game.pk])
        picture = '<a href="{0}" target="_blank"><img src="{0}" alt="Map of {1}" loading="lazy" style="{2}"></a>'
        return format_html(picture, address, game.name, "max-width: 100%; max-height: 480px; border-radius: 6px")

    def get_urls(self) -> list[Any]:
        """The pages of a game, and its map: the admin's own log-in opens it for private games too."""
        drawn = self.admin_site.admin_view(self.map_view)
        return [path("<uuid:game_id>/map.svg", drawn, name="games_game_map"), *super().get_urls()]

    def map_view(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The map as SVG; 404 while there is none."""
        game = Game.objects.select_related("world").filter(pk=game_id).first()
        if game is None or not self.has_view_permission(request, game):
            raise Http404
        try:
            drawn = maps.map_now(game, Visibility.nobody())
        except Refused as none:
            raise Http404(none.message) from none
        answer = HttpResponse(drawn, content_type="image/svg+xml")
        answer["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return answer

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Only what the clock has a use for: pause while it runs, resume while it stands still."""
        actions: list[Any] = super().get_actions_detail(request, object_id)
        game = game_or_none(object_id)
        paused_at = game.paused_at if game is not None else None
        useless = set() if game is not None and game.is_live else {"pause", "extend", "end_now", "fire_now", "fire_due"}
        useless |= {"resume"} if paused_at is None else {"pause", "extend", "end_now", "fire_now", "fire_due"}
        useless |= set() if game is not None and _own(game, MOVING) else {"move_pack"}
        return [action for action in actions if action.path.replace("-", "_") not in useless]

    # --- what it does ------------------------------------------------------------------------------------------------
    @action(description="Open a game", icon="add_circle")
    def open_game(self, request: HttpRequest) -> HttpResponse:
        """Choose a ruleset, then its options in a form; its opener is its host and game-master."""
        return HttpResponseRedirect(reverse("choose-ruleset"))

    @action(description="Pause", icon="pause", permissions=["conduct"])
    def pause(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Stop the clock."""
        return self._issue(request, object_id, gm_commands.Pause)

    @action(description="Resume", icon="play_arrow", permissions=["conduct"])
    def resume(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Let the clock go on."""
        return self._issue(request, object_id, gm_commands.Resume)

    @action(description="Extend", icon="more_time", permissions=["conduct"])
    def extend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Put a deadline off, by a minute unless another number is given."""
        return self._issue(request, object_id, gm_commands.Extend, {"seconds": EXTENSION_SECONDS})

    @action(description="End now", icon="skip_next", permissions=["conduct"])
    def end_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """End what is going on."""
        return self._issue(request, object_id, gm_commands.EndNow)

    @action(description="Fire a timer", icon="bolt", permissions=["conduct"])
    def fire_now(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Fire one timer before its time."""
        return self._issue(request, object_id, gm_commands.FireNow)

    @action(description="Fire what is due", icon="update", permissions=["conduct"])
    def fire_due(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Do now what the worker does each second: fire the timers that are due."""
        game = self._game(request, object_id)
        form = Nothing(request.POST or None)
        if request.method == "POST":
            fired = services.fire_due(game.pk)
            self.message_user(request, f"{fired} timer(s) fired.", messages.SUCCESS)
            return self._back(game)
        text = "Fires every timer of this game whose time has come, as the worker does each second."
        return ask(self, request, game, form, f"Fire what is due in {game.name}", text)

    @action(description="Overrule", icon="gavel", permissions=["conduct"])
    def overrule(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Say that a rule was set aside."""
        return self._issue(request, object_id, gm_commands.Overrule)

    @action(description="Rewind", icon="history", permissions=["conduct"], variant=ActionVariant.DANGER)
    def rewind(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Go on from an earlier event: choose it, read what this would undo, say why."""
        game = self._game(request, object_id)
        to = rewind_target(request)
        try:
            lost = rewind_preview(game, conducting(game), to or 0, SHOWN)
        except Refused as refusal:
            if request.method != "POST":  # the form says it itself
                self.message_user(request, refusal_text(refusal), messages.ERROR)
            to, lost = None, rewind_preview(game, conducting(game), 0, SHOWN)
        return self._issue(
            request, object_id, gm_commands.Rewind, {"to": to}, template="console/rewind.html", lost=lost
        )

    @action(description="Move to another pack", icon="inventory_2", permissions=["conduct"])
    def move_pack(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Go on with a later pack."""
        command = _own(self._game(request, object_id), MOVING)
        if command is None:
            raise Http404
        return self._issue(request, object_id, command)

    def _game(self, request: HttpRequest, object_id: str) -> Game:
        """The game of an address."""
        game = game_or_none(object_id)
        if game is None:
            raise Http404
        if not self.has_view_permission(request, game) or not self.has_conduct_permission(request):
            raise PermissionDenied
        return game

    def _issue(
        self,
        request: HttpRequest,
        object_id: str,
        command: type[Command],
        initial: dict[str, Any] | None = None,
        **more: Any,
    ) -> HttpResponse:
        """Ask for a command's fields, then run it as a game-master; a refusal comes back on the form.

        more: for the page, as `ask` takes it.
        """
        game = self._game(request, object_id)
        begun = {STAGE: stage_of(game, command)}
        form = form_of(command, game, initial or {})(request.POST if request.method == "POST" else None, initial=begun)
        if request.method == "POST" and form.is_valid():
            try:
                sent = form.cleaned_data[KEY]
                shown = form.shown(game)
                outcome = issue_from_admin(request, game.pk, command.slug(), form.body(), sent, shown).outcome
            except (Refused, ValidationError) as why:
                form.refuse(why, stage_of(Game.objects.get(pk=game.pk), command))
            else:
                texts = [row.text for row in game.events.filter(seq__gte=outcome.first_seq, seq__lte=outcome.last_seq)]
                self.message_user(request, " ".join(filter(None, texts))[:500] or "Done.", messages.SUCCESS)
                return self._back(game)
        title = f"{command.slug().replace('-', ' ').capitalize()}: {game.name}"
        text = f"{words_for_people(command)} Now: {registry.store(game.ruleset).caption(game)}."
        return ask(self, request, game, form, title, text, **more)

    def _back(self, game: Game) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:games_game_change", args=[game.pk]))
