"""The calendar of a person: a page that makes its address, and the file at that address."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views import View

from accounts.calendars import make_calendar_key, person_of_calendar, remove_calendar_key
from accounts.models import User
from api.pages.access import person
from api.pages.forms.refusals import refuse
from api.pages.policy import page
from api.pages.signed_in import SignedInView
from api.representations.calendar import calendar_of
from api.representations.turns import Turn, turns_of
from games.engine.errors import Refused


class CalendarPage(SignedInView):
    """Where somebody gets the address of their calendar."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """Whether there is an address; it is shown when it is made, and never again."""
        return self.render(request)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Make an address, which ends the one before, or end it with `end=1`."""
        user = _own(request)
        if request.POST.get("end"):
            remove_calendar_key(user)
            return redirect("calendar-page")
        secret = make_calendar_key(user)
        return self.render(request, request.build_absolute_uri(reverse("calendar", args=[secret])))

    def render(self, request: HttpRequest, address: str = "") -> HttpResponse:
        """The page. address: one that was just made."""
        return page(request, "calendar", {"address": address, "exists": bool(_own(request).calendar_digest)})


class CalendarFile(View):
    """The deadlines of whom an address is for: it lets its reader see them, and nothing else."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, secret: str) -> HttpResponseBase:
        """text/calendar; 404 for an address that is none, or was ended."""
        user = person_of_calendar(secret)
        if user is None:
            return refuse(request, Refused("thing.missing", "There is no such calendar; its page makes an address."))

        def seat_page(turn: Turn) -> str:
            return request.build_absolute_uri(reverse("seat", args=[turn.game.pk, turn.seat.pk]))

        return HttpResponse(
            calendar_of(turns_of(user.pk), timezone.now(), seat_page),
            content_type="text/calendar; charset=utf-8",
            headers={"Cache-Control": "private, no-store", "Content-Disposition": 'inline; filename="theogony.ics"'},
        )


def _own(request: HttpRequest) -> User:
    user = person(request)
    assert user is not None  # SignedInView
    return user
