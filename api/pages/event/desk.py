"""The desk of who leads a game: a page that moves by itself, and forms for every command, asked for in a dialog."""

import json
from collections.abc import Mapping
from textwrap import shorten
from typing import Any
from uuid import UUID

import orjson
import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework.exceptions import ParseError

from accounts.models import User
from api.common.exceptions import Fault
from api.common.viewer import Viewer
from api.pages.access import PageViewer, leader_of, leader_or_conductor, principal_of
from api.pages.event.board import answer_at, answer_map
from api.pages.event.desk_view import desk_json, initial_of, question_of
from api.pages.forms.body import body_of, strict_value
from api.pages.forms.commands import CommandForm, acts_on_stage
from api.pages.forms.refusals import TAKEN, sentences_of
from api.pages.forms.view import form_of, with_person
from api.pages.policy import is_part, page
from api.pages.signed_in import SignedInView
from api.pages.wording import event_words
from api.representations.issuing.commands import command_class
from api.representations.issuing.issue import KEY, Answer, issue
from api.representations.rewind_preview import rewind_preview_json
from api.streams import tickets
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.lifecycle.gm_commands import Rewind
from games.engine.lifecycle.row_wording import is_id
from games.models import Game, Seat
from games.reads import selectors
from games.services import Shown

FALLS = 40
"""So many of the events that a rewind would undo are listed."""
MAX_KEY = 64
"""Characters of the key of a form."""
STALE = "position.stale"
MOVED_ON = "The game has moved on since this button was made; look at what goes on now before you press."
INVITED = "core.Invited"
MESSAGE = 200
"""So many characters of what a command did are shown."""


class DeskPage(SignedInView):
    """The page itself."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The desk as it is now."""
        leader = leader_of(request, game_id)
        watching = "as=gm" if leader.role is Role.GM else f"seat={leader.viewer.require_seat(Role.HOST).pk}"
        return page(request, "desk", {**desk_json(leader), "watching": watching})


class DeskBody(SignedInView):
    """What moves of the page."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The desk as it is now."""
        return page(request, "desk_body", desk_json(leader_of(request, game_id)))


class DeskPicture(SignedInView):
    """The map as who leads the game sees it."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The map of now, as SVG; 404 while there is none."""
        return answer_map(request, leader_of(request, game_id))


class DeskAt(SignedInView):
    """What may be done with what is touched on the map."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The commands that take one of the marks. Raises Fault (query.invalid)."""
        return answer_at(request, leader_of(request, game_id))


class DeskTicket(SignedInView):
    """A ticket to the stream, which takes no cookie."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, game_id: UUID) -> HttpResponseBase:
        """One ticket, for one use within a minute."""
        leader_of(request, game_id)
        return JsonResponse(
            {"ticket": tickets.mint(principal_of(request), game_id)}, headers={"Cache-Control": "no-store"}
        )


class DeskCommand(SignedInView):
    """A command: its form, and what it did."""

    http_method_names = ["get", "head", "post"]

    def issuer_of(self, request: HttpRequest, game_id: UUID, **where: UUID) -> PageViewer:
        """Who asks. Raises what `leader_or_conductor` raises."""
        return leader_or_conductor(request, game_id, acting_for(request))

    def get(self, request: HttpRequest, game_id: UUID, command: str, **where: UUID) -> HttpResponse:
        """The form, with what is fixed already; it says where the game has moved on since its button was made."""
        leader, values = self.issuer_of(request, game_id, **where), values_in_address(request)
        form = form_of(
            leader, command, values, begun_of(request, leader, command, values), question=question_in(request)
        )
        moved = form.barred is None and stage_in(request) not in ("", form.stage)
        return self.form(request, leader, form, values, Refused(STALE, MOVED_ON) if moved else None, status=200)

    def post(self, request: HttpRequest, game_id: UUID, command: str, **where: UUID) -> HttpResponse:
        """Issue it, completely and once; a refusal comes back on the form."""
        leader, fixed = self.issuer_of(request, game_id, **where), values_in_address(request)
        values = dict(fixed)
        try:
            values = body_of({name: request.POST.getlist(name) for name in request.POST}) | fixed
            body = with_person(command_class(leader.viewer.game.ruleset, command), values)
            if whom := unseen_person(request, body):
                form = form_of(leader, command, fixed, values, question=question_in(request))
                return self.form(request, leader, form, values, whom=whom)
            answer = issue_at_desk(
                request, leader, command, orjson.dumps(body, default=str), shown_in(request, leader, command, body)
            )
        except TAKEN as error:
            form = form_of(leader, command, fixed, values, question=question_in(request))
            return self.form(request, leader, form, values, error)
        if code := code_of(answer):
            return self.invitation(request, leader, code)
        message = message_of(answer)
        return outcome_answer(message) if is_part(request) else go_back(request, leader, message)

    @staticmethod
    def invitation(request: HttpRequest, leader: PageViewer, code: str) -> HttpResponse:
        """The link and the code of an invitation that was just written."""
        is_whole = not is_part(request)
        link = request.build_absolute_uri(reverse("join-game", args=[code]))
        context = {
            "game": leader.viewer.game,
            "code": code,
            "link": link,
            "picture": segno.make(link, micro=False).svg_inline(border=2, omitsize=True, light="#fff"),
            "back": way_back(request, leader) if is_whole else None,
        }
        return page(request, "invited_page" if is_whole else "invited", context)

    def form(
        self,
        request: HttpRequest,
        leader: PageViewer,
        form: CommandForm,
        values: dict[str, Any],
        error: Exception | None = None,
        whom: User | None = None,
        *,
        status: int = 0,
    ) -> HttpResponse:
        """The form in its dialog. error: why it was not taken. whom: who is named in it, to be looked at first.

        status: of the answer, where it is not that of the error.
        """
        commands = registry.ruleset(leader.viewer.game.ruleset).open_commands
        context: dict[str, Any] = {
            "form": form,
            "game": leader.viewer.game,
            "place": leader.place,
            "acting_for": name_of_absent(leader),
            "faults": sentences_of(error, commands) if error is not None else (),
            "now": caption_of(leader) if isinstance(error, Refused) and error.code == STALE else "",
            "whom": whom,
            "back": None if is_part(request) else way_back(request, leader),
            "question": question_of(leader, question_in(request) or values.get("prompt")),
        }
        if form.command == Rewind.slug():  # it is refused when more has happened than it shows; read before that is
            context["expected"] = selectors.cursor_for(leader.viewer.game, leader.viewer.visibility)
            if isinstance(to := values.get("to"), int):
                try:
                    context["falls"] = events_undone(leader.viewer, to)
                except Refused as refusal:
                    context["faults"] = (refusal.message,)
        template = "form" if is_part(request) else "form_page"
        return page(request, template, context, status=status or (200 if error is None else 422))


def events_undone(viewer: Viewer, to: int) -> dict[str, Any]:
    """What a rewind would undo; an event without a sentence by what it is. Raises `gm.missing`, `history.missing`."""
    found = rewind_preview_json(viewer, to, FALLS)
    told = [event | {"text": event["text"] or event_words(event["type"])} for event in found["results"]]
    return found | {"results": told}


def caption_of(leader: PageViewer) -> str:
    """Where the game is now, as the desk says it."""
    return registry.store(leader.viewer.game.ruleset).caption(Game.objects.get(pk=leader.viewer.game.pk))


def unseen_person(request: HttpRequest, body: dict[str, Any]) -> User | None:
    """Who is named in a form that has not shown their account yet; None for nobody, and for an id of nobody."""
    user = body.get("user")
    if not isinstance(user, str) or not is_id(user) or request.POST.get("seen") == user:
        return None
    return User.objects.filter(pk=user).first()


def way_back(request: HttpRequest, leader: PageViewer) -> str:
    """Where a whole page leads afterwards: where its link says, within this service, else to the desk."""
    wanted = request.GET.get("next", "")
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return wanted
    return leader.place


def go_back(request: HttpRequest, leader: PageViewer, message: str) -> HttpResponse:
    """Leave a whole page once its command is issued; the admin shows the message."""
    messages.success(request, message)
    return redirect(way_back(request, leader))


def shown_in(request: HttpRequest, leader: PageViewer, command: str, body: Mapping[str, Any]) -> Shown:
    """What the page showed on which a command acts: the question that it answers, the stage where it names nothing."""
    ruleset = leader.viewer.game.ruleset
    is_bound = acts_on_stage(registry.ruleset(ruleset), command_class(ruleset, command), body)
    return Shown(stage_in(request) if is_bound else "", question_in(request))


def stage_in(request: HttpRequest) -> str:
    """The stage of the game that a form or a button was made in; "" where neither says one."""
    return request.POST.get("stage") or request.GET.get("stage", "")


def issue_at_desk(
    request: HttpRequest, leader: PageViewer, command: str, body: bytes, shown: Shown | None = None
) -> Answer:
    """Issue a command as a form of the desk sends it, with its key and what it expects. Raises what `issue` raises."""
    leader.actor(command_class(leader.viewer.game.ruleset, command))
    return issue(
        principal_of(request, leader), leader.viewer.game.pk, command, body,
        seat=leader.seat, as_gm=leader.role is Role.GM,
        key=key_of(request), expected=request.POST.get("expected", ""), shown=shown,
    )  # fmt: skip


def key_of(request: HttpRequest) -> str:
    """The key of the form; "" for none. Raises Fault (request.unfit)."""
    key = request.POST.get("key", "")[:MAX_KEY]
    if key and not KEY.fullmatch(key):
        raise Fault("request.unfit", "The form has lost its key; open it anew.")
    return key


def message_of(answer: Answer) -> str:
    """What a command did, in the sentences that its issuer may read."""
    told = dict.fromkeys(event["text"] for event in answer.json()["events"] if event["text"])  # alike sentences once
    return shorten(" ".join(told), MESSAGE, placeholder=" ...") or "Done."


def code_of(answer: Answer) -> str:
    """The code of the invitation that a command wrote, as its issuer may read it; "" for none."""
    return next((event["data"]["code"] for event in answer.json()["events"] if event["type"] == INVITED), "")


def outcome_answer(message: str) -> HttpResponse:
    """What a command did; the desk closes the form by it and shows the message."""
    triggers = json.dumps({"issued": {"message": message}})  # in ASCII, as a header must be
    return HttpResponse(status=204, headers={"HX-Trigger": triggers, "Cache-Control": "no-store"})


def name_of_absent(leader: PageViewer) -> str:
    """The name of the seat that is acted for; "" for none."""
    absent = leader.viewer.on_behalf_of
    return "" if absent is None else Seat.objects.values_list("name", flat=True).get(pk=absent)


def acting_for(request: HttpRequest) -> UUID | None:
    """The seat that is acted for. Raises Fault (query.invalid)."""
    return _id_in(request, "for", "a seat")


def question_in(request: HttpRequest) -> UUID | None:
    """The question that is answered. Raises Fault (query.invalid)."""
    return _id_in(request, "question", "a question")


def _id_in(request: HttpRequest, parameter: str, what: str) -> UUID | None:
    text = request.GET.get(parameter, "")
    try:
        return UUID(text) if text else None
    except ValueError as wrong:
        raise Fault("query.invalid", f"`{parameter}` is the id of {what}.", parameter=parameter) from wrong


def begun_of(request: HttpRequest, leader: PageViewer, command: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a form begins with: as a panel or a question offers it, and what the address says. Raises Fault."""
    return {**initial_of(leader, command, values), **values_in_address(request, "begin")}


def values_in_address(request: HttpRequest, parameter: str = "values") -> dict[str, Any]:
    """The arguments that the address names, but no person: a link does not say who is given a seat.

    Raises Fault (query.invalid).
    """
    try:
        values = strict_value(request.GET.get(parameter) or "{}")
    except ParseError as wrong:
        raise Fault("query.invalid", f"`{parameter}` is a JSON object. {wrong.detail}", parameter=parameter) from wrong
    if not isinstance(values, dict):
        raise Fault("query.invalid", f"`{parameter}` is a JSON object.", parameter=parameter)
    return {name: value for name, value in values.items() if name != "user"}
