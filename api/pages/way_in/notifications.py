"""What a person is told of their games, and what they want to be told: one page."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from rest_framework.exceptions import ValidationError

from accounts.errors import AccountError
from api.common.exceptions import Fault
from api.notifications import browsers, reading, web_push
from api.notifications.addresses import path_of
from api.notifications.reading import Worded
from api.notifications.wishes import Wishes, change_wishes, wishes_for
from api.pages.access import user_id_of
from api.pages.forms.refusals import sentences_of
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.representations.resources.notifications import KINDS, ChangeWishesSerializer, PushSubscriptionWishSerializer
from core.places import routing
from games.engine.errors import Refused
from games.engine.game_state import Status
from games.models import Game, NotificationKind

SHOWN = 30
KIND_LABELS = {
    NotificationKind.ASKED: "You are asked",
    NotificationKind.TURN: "You may act",
    NotificationKind.DEADLINE: "A deadline is near",
    NotificationKind.ALONE: "Everybody waits for you alone",
    NotificationKind.ATTACKED: "You are attacked",
    NotificationKind.CHAPTER: "A chapter has begun",
    NotificationKind.OVER: "A game is over",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One of the list: what it says, and where it leads."""

    row: Worded
    address: str


class NotificationsPage(SignedInView):
    """The list, and the form of settings."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """What stands, the newest first; `?before=` goes on behind one."""
        return self.render(request)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Mark as read (`read`: one; `up_to`: it and all that are older), push to a browser (`endpoint`) or no more
        (`unsubscribe`), else store the settings."""
        user = user_id_of(request)
        try:
            if one := request.POST.get("read"):
                reading.read(user, [_identity(one)], timezone.now())
            elif last := request.POST.get("up_to"):
                reading.read_up_to(user, _identity(last), timezone.now())
            elif gone := request.POST.get("unsubscribe"):
                browsers.unsubscribe(user, _identity(gone))
            elif "endpoint" in request.POST:
                browsers.subscribe(user, _subscription(request), timezone.now())
            else:
                change_wishes(user, timezone.now(), _changes(request, wishes_for(user)))
        except Http404 as missing:
            raise _missing() from missing
        except ValidationError as error:
            return self.render(request, sentences_of(error))
        except (Fault, AccountError) as fault:
            return self.render(request, (fault.message,))
        return redirect("notifications-page")

    def render(self, request: HttpRequest, faults: tuple[str, ...] = ()) -> HttpResponse:
        """The page. faults: why the settings were not taken."""
        user = user_id_of(request)
        wishes = wishes_for(user)
        before = request.GET.get("before")
        try:
            rows = reading.notifications_behind(user, _identity(before) if before else None, SHOWN + 1)
        except Http404 as missing:
            raise _missing() from missing
        context = {
            "lines": [Line(row, path_of(row)) for row in rows[:SHOWN]],
            "older": rows[SHOWN - 1].id if len(rows) > SHOWN else None,
            "unread": reading.count_unread(user),
            "wishes": wishes,
            "time_zone": request.POST.get("time_zone", wishes.time_zone) if faults else wishes.time_zone,
            "kinds": [(kind, KIND_LABELS[kind], kind not in wishes.kinds_off) for kind in KINDS],
            "mailed": [(kind, KIND_LABELS[kind], kind in wishes.mail_kinds) for kind in KINDS],
            "pushed": [(kind, KIND_LABELS[kind], kind not in wishes.push_kinds_off) for kind in KINDS],
            "push_key": web_push.public_key(),
            "browsers": [(each, browsers.host_of(each)) for each in browsers.subscriptions_of(user)],
            "games": [(pk, name, pk in wishes.games_off) for pk, name in _games_of(user)],
            "faults": faults,
        }
        return page(request, "notifications", context, status=422 if faults else 200)


def _changes(request: HttpRequest, wishes: Wishes) -> dict[str, Any]:
    """What the form says. Raises ValidationError. Games that it does not list stay as they are."""
    listed = set(request.POST.getlist("game"))
    kept = [str(game) for game in wishes.games_off if str(game) not in listed]
    body = ChangeWishesSerializer(
        data={
            "time_zone": request.POST.get("time_zone", "").strip(),
            "deadline_hours": request.POST.get("deadline_hours", ""),
            "kinds_off": [kind for kind in KINDS if kind not in request.POST.getlist("kind")],
            "mail_kinds": [kind for kind in KINDS if kind in request.POST.getlist("mail")],
            **_push_kinds(request),
            "quiet_from": request.POST.get("quiet_from", ""),
            "quiet_to": request.POST.get("quiet_to", ""),
            "mail_digest": request.POST.get("mail_digest", ""),
            "games_off": [*kept, *request.POST.getlist("off")],
        }
    )
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


def _push_kinds(request: HttpRequest) -> dict[str, list[str]]:
    """The kinds that are not pushed; where nothing is pushed the form does not ask, and they stay as they are."""
    if not web_push.is_configured():
        return {}
    return {"push_kinds_off": [kind for kind in KINDS if kind not in request.POST.getlist("push")]}


def _subscription(request: HttpRequest) -> browsers.Wish:
    """What the script has put into its form. Raises ValidationError."""
    body = PushSubscriptionWishSerializer(
        data={name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth", "label")}
    )
    body.is_valid(raise_exception=True)
    return browsers.Wish(**body.validated_data)


def _games_of(user: UUID) -> list[tuple[UUID, str]]:
    """The games that go on in which a person sits, by name: one query in each place."""
    return sorted(
        (row for rows in routing.in_places_at_hand(_games_here, user) for row in rows), key=lambda row: row[1]
    )


def _games_here(user: UUID) -> list[tuple[UUID, str]]:
    seated = Game.objects.filter(seats__user=user).exclude(status=Status.FINISHED).order_by().distinct()
    return list(seated.values_list("pk", "name"))


def _identity(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise _missing() from error


def _missing() -> Refused:
    return Refused("thing.missing", "There is no such notification of yours.")
