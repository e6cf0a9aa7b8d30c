"""An invitation to a game, taken by its link: sign in or up, press one button, and be at the game."""

from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import orjson
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.debug import sensitive_post_parameters

from accounts.errors import AccountError
from accounts.models import User
from accounts.services import sign_up
from accounts.sessions import BACKEND
from api.common.exceptions import Fault
from api.common.throttles import SIGN_UPS, address_of, charge, count, rate_exceeded
from api.pages.access import LEADERS, person, principal_of
from api.pages.event.desk import key_of
from api.pages.forms.body import body_of
from api.pages.forms.refusals import TAKEN, refuse, sentences_of
from api.pages.policy import page
from api.representations.games import messages_json
from api.representations.issuing.issue import JOIN, issue
from core.places import routing
from games import registry
from games.engine.errors import Refused
from games.engine.game_state import ROLES, Role
from games.models import Game, Invitation, Seat

UNUSABLE = "This invitation is unknown, was used already, or was taken back; ask who sent it for a new one."


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class JoinPage(View):
    """The page of an invitation's link."""

    counts_itself = True
    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; a refusal as a page."""
        try:
            charge(request, principal_of(request), acting=request.method == "POST")
            return super().dispatch(request, *args, **kwargs)
        except (Refused, Fault) as error:
            return refuse(request, error)

    def get(self, request: HttpRequest, code: str) -> HttpResponse:
        """What the invitation is to, and the button; to nobody, how to sign in or up."""
        return self.show(request, code)

    def post(self, request: HttpRequest, code: str) -> HttpResponseBase:
        """Take the seat; of nobody, sign them up. A refusal comes back on the page."""
        sent: dict[str, Any] = {}
        try:
            sent = body_of({name: request.POST.getlist(name) for name in request.POST})
            if person(request) is None:
                login(request, sign_up_by_form(request, sent), BACKEND)
                return redirect("join-game", code)
            invitation = invitation_of(code)
            with routing.at(invitation.pk):
                return redirect(self.take_seat(request, invitation, sent))
        except (*TAKEN, AccountError) as error:
            return self.show(request, code, sent, error)

    @staticmethod
    def take_seat(request: HttpRequest, invitation: Invitation, sent: dict[str, Any]) -> str:
        """Join by an invitation; the address of the game. Raises what `issue` raises."""
        body = {"name": sent.get("name", ""), "code": invitation.code}
        issue(principal_of(request), invitation.game_id, JOIN, orjson.dumps(body), key=key_of(request))
        return place_of(invitation.game, person(request))

    @staticmethod
    def show(
        request: HttpRequest, code: str, sent: dict[str, Any] | None = None, error: Exception | None = None
    ) -> HttpResponse:
        """The page. sent: what a form held; error: why it was not taken."""
        user, here = person(request), request.get_full_path()
        try:
            invitation = invitation_of(code)
        except Refused as missing:
            return page(request, "join", {"missing": missing.message, "person": user}, status=404)
        may_look = settings.ANONYMOUS_READ or user is not None
        context = {
            "game": invitation.game if may_look else None,
            "messages": messages_json(invitation.game)["sentences"],
            "title": registry.ruleset(invitation.game.ruleset).title,
            "seat": invitation.seat,
            "role": ROLES[Role(invitation.role)],
            "person": user,
            "sent": {"name": default_name(user), **(sent or {})},
            "faults": sentences_of(error) if error is not None else (),
            "sign_in": f"{reverse('log-in')}?{urlencode({'next': here})}",
            "sign_up": settings.SIGN_UP,
            "invited": True,
            "key": uuid4().hex,
        }
        return page(request, "join", context, status=200 if error is None else 422)


def invitation_of(code: str) -> Invitation:
    """The open invitation of a code, with its game; every place is asked. Raises `invitation.missing`.

    What lies at home is asked first: who joins a game there needs no other server.
    """
    places = sorted(routing.every_place(), key=lambda place: bool(place and place.server))
    for place in places if code.isprintable() else ():  # no database takes a NUL
        with routing.at_place(place and place.aside()):
            if found := Invitation.objects.select_related("game", "seat").filter(code=code).first():
                return found
    raise Refused("invitation.missing", UNUSABLE)


def sign_up_by_form(request: HttpRequest, sent: dict[str, Any]) -> User:
    """Somebody new, within the budget of sign-ups. Raises Fault (rate.exceeded), AccountError."""
    within, spent = count(request, SIGN_UPS, address_of(request))
    if not within:
        raise rate_exceeded(spent)
    return sign_up(
        username=sent.get("username", ""),
        password=request.POST.get("password", ""),
        invitation=sent.get("invitation", ""),
        email=sent.get("email", ""),
    )


def default_name(user: User | None) -> str:
    """What a new seat is called unless its holder says otherwise."""
    return "" if user is None else user.display_name or user.username


def place_of(game: Game, user: User | None) -> str:
    """Where somebody goes who sits at a game: leaders to the desk, players to their seat, others to the screen."""
    roles = set(Seat.objects.filter(game=game, user=user).values_list("role", flat=True))
    if roles & {*LEADERS}:
        return reverse("desk", args=[game.pk])
    if Role.PLAYER in roles:
        return reverse("own-seat", args=[game.pk])
    return reverse("screen", args=[game.pk]) if game.is_public else reverse("home")
