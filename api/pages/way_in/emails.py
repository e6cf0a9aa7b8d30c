"""Pages to which links in mail lead: an address is confirmed, and mail about games is ended."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt

from accounts.confirmation import confirm_email, person_to_confirm
from api.notifications.addresses import person_of_stop_key
from api.notifications.wishes import stop_mail
from api.pages.policy import page
from api.pages.way_in.passwords import PasswordPage
from games.engine.errors import Refused


class ConfirmEmail(PasswordPage):
    """Confirm an address by a link. Whoever holds it needs no sign-in, and is let into nothing."""

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        """The question; programs that open the links of a mail confirm nothing. Raises AccountError
        (confirmation.unusable), which is shown as a page."""
        return page(request, "confirm_email", {"whom": person_to_confirm(key)})

    def post(self, request: HttpRequest, key: str) -> HttpResponse:
        """Confirm it, and say so. Raises AccountError (confirmation.unusable), which is shown as a page."""
        return page(request, "confirm_email", {"whom": confirm_email(key), "done": True})


@method_decorator(csrf_exempt, name="dispatch")
class MailOff(PasswordPage):
    """End mail about games by the key in the mail itself; mail programs post it in one click (RFC 8058)."""

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        """The question. Raises Refused (thing.missing), which is shown as a page."""
        _person(key)
        return page(request, "mail_off", {})

    def post(self, request: HttpRequest, key: str) -> HttpResponse:
        """End it, and say so; a second time says the same. Raises Refused (thing.missing)."""
        stop_mail(_person(key))
        return page(request, "mail_off", {"done": True})


def _person(key: str) -> UUID:
    person = person_of_stop_key(key)
    if person is None:
        raise Refused("thing.missing", "This link ends nobody's mail; copy it whole, or use the page of notifications.")
    return person
