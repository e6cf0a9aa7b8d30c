"""One question, answered by the link in a mail (ADR 126): who holds it needs no sign-in, and is let into nothing else.

What may be answered, its forms and the way to the writer are those of the seat's page. GET and HEAD change nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.throttles import charge
from api.notifications.answer_links import AnswerLink, link_of
from api.pages.access import PageViewer, player_at, principal_of
from api.pages.event.desk import key_of, message_of
from api.pages.event.desk_view import Sight, initial_of
from api.pages.event.panels import Button, Question
from api.pages.forms.body import body_of
from api.pages.forms.commands import CommandForm, acts_on_stage
from api.pages.forms.refusals import TAKEN, refuse, sentences_of
from api.pages.forms.view import form_of
from api.pages.policy import page
from api.representations.issuing.issue import issue
from core.places import routing
from games import registry
from games.engine.errors import Refused
from games.services import Shown

UNKNOWN = Refused(
    "thing.missing", "This link answers nothing, or no more; copy it whole, or sign in and look what you are asked."
)
OVER = Fault(
    "question.over", "This question is not open any more: it was answered or withdrawn, or its time has passed."
)
ANSWERED = Fault("question.over", "You have answered this question already.")
NO_WAY = Refused("prompt.closed", "This cannot be answered in this way now; look at what can be done.")
HEADERS = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
"""The key stands in the address: it goes to nobody else, and into no index."""
NOT_THEIRS = ("game.missing", "seat.missing", "seat.refused")
WAY = "way"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to answer: a button of the seat's page, and its name in the address."""

    name: str
    button: Button

    @classmethod
    def of(cls, button: Button) -> "Way":
        """That of a button."""
        return cls(sha256(f"{button.command} {button.values}".encode()).hexdigest()[:12], button)


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as its seat sees it now, with the ways to answer it."""

    link: AnswerLink
    player: PageViewer
    question: Question
    ways: Mapping[str, Way]

    @classmethod
    def by(cls, link: AnswerLink) -> "Asked":
        """That of a link. Raises Refused (thing.missing) where the seat is not its person's, Fault (question.over)."""
        try:
            player = player_at(link.user.pk, link.game, link.seat)
        except (Refused, Fault) as error:
            raise (UNKNOWN if error.code in NOT_THEIRS else error) from error
        found = (each for each in Sight.of(player).asked if each.row["id"] == link.question and each.row["asks_me"])
        question = next(found, None)
        if question is None:
            raise OVER
        ways = map(Way.of, buttons_of(question))
        return cls(link, player, question, {way.name: way for way in ways})

    def form(self, way: Way, values: Mapping[str, Any]) -> CommandForm:
        """The form of a way. values: what was typed into it."""
        button = way.button
        begun = {**initial_of(self.player, button.command, button.fixed), **values}
        return form_of(self.player, button.command, button.fixed, begun, question=self.link.question)


def buttons_of(question: Question) -> Iterator[Button]:
    """The buttons that answer a question: its own, and those of what it shows."""
    yield from question.buttons
    if question.exhibit is not None:
        offered = (*question.exhibit.buttons, *(button for line in question.exhibit.lines for button in line.buttons))
        yield from (button for button in offered if button.question == question.row["id"])


@method_decorator(csrf_exempt, name="dispatch")  # it is the key that acts, and no cookie
class AnswerPage(View):
    """The question of a key, and its answer; counted against the budgets of the APIs."""

    counts_itself = True
    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; a refusal as a page. It is the same for whoever is signed in."""
        try:
            charge(request, principal_of(request), acting=request.method == "POST")
            answer = self._with_link(request, *args, **kwargs)
        except (Refused, Fault) as error:
            answer = refuse(request, error)
        for name, value in HEADERS.items():
            answer[name] = value
        return answer

    def _with_link(self, request: HttpRequest, key: str) -> HttpResponseBase:
        link = link_of(key)
        if link is None:
            raise UNKNOWN
        with routing.at(link.game):
            return super().dispatch(request, link)

    def get(self, request: HttpRequest, link: AnswerLink) -> HttpResponse:
        """The question; with `?way=`, or where there is but one, the form of an answer."""
        asked = Asked.by(link)
        return question_page(request, asked, way_of(request, asked))

    def post(self, request: HttpRequest, link: AnswerLink) -> HttpResponse:
        """Issue the answer, completely and once; a refusal comes back on the form, with what was typed."""
        asked = Asked.by(link)
        if asked.question.row["answered"]:
            raise ANSWERED
        way, values = way_of(request, asked), dict[str, Any]()
        try:
            if way is None:
                raise NO_WAY
            values = body_of({name: request.POST.getlist(name) for name in request.POST})
            values |= way.button.fixed
            message = answer_with(request, asked, way, values)
        except TAKEN as error:
            now = Asked.by(link)
            return question_page(request, now, way_of(request, now), values, error)
        return outcome_page(request, link, message)


def way_of(request: HttpRequest, asked: Asked) -> Way | None:
    """The way that the address names; where it names none, the only one that there is, if it has a form."""
    if name := request.GET.get(WAY):
        return asked.ways.get(name)
    only = next(iter(asked.ways.values())) if len(asked.ways) == 1 else None
    return only if only is not None and not only.button.at_once else None


def answer_with(request: HttpRequest, asked: Asked, way: Way, values: Mapping[str, Any]) -> str:
    """Issue the command of a way as the seat, once by the form's key; what it did. Raises what `issue` raises."""
    game, name = asked.player.viewer.game, way.button.command
    rules = registry.ruleset(game.ruleset)
    stage = request.POST.get("stage", "") if acts_on_stage(rules, rules.open_commands[name], values) else ""
    body = orjson.dumps(values, default=str)
    shown_there = Shown(stage, asked.link.question)
    who = Principal(asked.link.user)
    return message_of(issue(who, game.pk, name, body, seat=asked.link.seat, key=key_of(request), shown=shown_there))


def outcome_page(request: HttpRequest, link: AnswerLink, message: str) -> HttpResponse:
    """What the answer did; with the question where something of it is still to be answered."""
    try:
        asked = Asked.by(link)
    except (Refused, Fault):
        return page(request, "answer", {"message": message})
    if asked.question.row["answered"]:
        return page(request, "answer", {"message": message, "game": asked.player.viewer.game})
    return question_page(request, asked, None, message=message)


def question_page(
    request: HttpRequest,
    asked: Asked,
    way: Way | None,
    values: Mapping[str, Any] | None = None,
    error: Exception | None = None,
    *,
    message: str = "",
) -> HttpResponse:
    """The page. way: whose form is open. values: what was typed into it. error: why it was not taken."""
    game = asked.player.viewer.game
    row = asked.question.row
    context: dict[str, Any] = {
        "game": game,
        "seat": asked.player.viewer.seat,
        "place": asked.player.place,
        "title": registry.ruleset(game.ruleset).title,
        "question": asked.question,
        "is_answered": row["answered"],
        "ways": () if row["answered"] else tuple(asked.ways.values()),
        "way": way,
        "form": asked.form(way, values or {}) if way is not None and not row["answered"] else None,
        "time_zone": asked.link.time_zone,
        "message": message,
        "faults": sentences_of(error, registry.ruleset(game.ruleset).open_commands) if error is not None else (),
    }
    return page(request, "answer", context, status=422 if error is not None else 200)
