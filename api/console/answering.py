"""Questions on their pages in the admin: what is left of their time, and links to the desk's forms that answer them."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from api.common.viewer import conductor
from api.console.readonly_admin import LINK, link_row, one_line, span_left
from api.pages.access import PageViewer
from api.pages.event.desk_view import question_of
from api.pages.event.panels import Button
from api.representations import table
from games import registry
from games.engine.game_state import Role
from games.models import Game, Prompt

NO_ANSWER = "none now: a question inside it comes first, or the clock stands still"


def time_left(prompt: Prompt) -> SafeString | str:
    """What is left until silence settles a question; `-` where nothing but an answer ends it."""
    if prompt.game.ruleset not in registry.folders():
        return "-"
    row = {"id": prompt.pk, "kind": prompt.kind, "subject": prompt.subject}
    timer = table.deadline_of(row, _timers(prompt.game), registry.ruleset(prompt.game.ruleset).course.ending_commands)
    return one_line(span_left(timer["due_in"], frozen=timer["frozen"])) if timer else "-"


def _timers(game: Game) -> Iterable[Mapping[str, Any]]:
    """The timers of a game, asked once for each game object in hand."""
    if "_timers" not in game.__dict__:
        viewer = conductor(game, None)
        game.__dict__["_timers"] = table.timers_json(viewer, table.visible_timers(viewer), timezone.now())
    found: Iterable[Mapping[str, Any]] = game.__dict__["_timers"]
    return found


def answer_links(prompt: Prompt) -> SafeString:
    """A link for each way to answer a question, to its form, which leads to the game's page; why there is none.

    An administrator answers as a game-master: their own questions, and those of seats on their behalf.
    """
    if prompt.game.ruleset not in registry.folders():
        return format_html("{}", "-")
    question = question_of(PageViewer(conductor(prompt.game, None), Role.GM), prompt.pk)
    links = [
        format_html('<a class="{}" href="{}">{}</a>', LINK, _form_address(prompt, button), _label(button))
        for button in (question.buttons if question is not None else ())
    ]
    return link_row(links) or format_html("{}", NO_ANSWER)


def _label(button: Button) -> str:
    """What stands on a link: what is answered, and for whom."""
    return f"{button.label} for {button.whom}" if button.whom else button.label


def _form_address(prompt: Prompt, button: Button) -> str:
    """Where the form of an answer is."""
    back = urlencode({"next": reverse("admin:games_game_change", args=[prompt.game_id])})
    return f"{reverse('desk-command', args=[prompt.game_id, button.command])}?{button.query}&{back}"
