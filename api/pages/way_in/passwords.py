"""A forgotten password: a link is sent where there is mail, or handed over by those who run the service."""

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.debug import sensitive_post_parameters

from accounts.errors import AccountError
from accounts.recovery import person_of, recover
from accounts.tasks import mail_recovery
from api.common.exceptions import Fault
from api.common.throttles import PASSWORDS, SIGN_UPS, address_of, charge, count, rate_exceeded
from api.pages.access import principal_of
from api.pages.forms.refusals import TAKEN, refuse, sentences_of
from api.pages.policy import page
from games.engine.errors import Refused

PATH = "/new-password/"


class PasswordPage(View):
    """A page for people who are not signed in, counted against the budgets of the APIs."""

    counts_itself = True
    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; a refusal as a page."""
        try:
            charge(request, principal_of(request), acting=request.method == "POST")
            if request.method == "POST":
                spend(request, PASSWORDS, address_of(request))
            return super().dispatch(request, *args, **kwargs)
        except (Refused, Fault, AccountError) as error:
            return refuse(request, error)


class ForgottenPassword(PasswordPage):
    """Ask for a link by mail."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """The form; where no mail is sent, who helps."""
        return page(request, "forgotten", {"sends_mail": bool(settings.EMAIL_HOST)})

    def post(self, request: HttpRequest) -> HttpResponse:
        """Have the link sent. Known and unknown addresses are answered alike, in like time."""
        if not settings.EMAIL_HOST:
            raise Fault("mail.none", "This service sends no mail; ask those who run it for a link.")
        email = request.POST.get("email", "").strip()
        try:
            validate_email(email)
        except ValidationError:
            wrong = AccountError("email.shape", "That is no e-mail address; correct it.")
            context = {"sends_mail": True, "email": email, "faults": sentences_of(wrong)}
            return page(request, "forgotten", context, status=422)
        spend(request, SIGN_UPS, sha256(email.lower().encode()).hexdigest())  # nobody fills the mailbox of another
        mail_recovery.delay(email, request.build_absolute_uri(PATH))
        return page(request, "forgotten", {"sends_mail": True, "email": email, "sent": True})


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class NewPassword(PasswordPage):
    """Choose a new password by a link."""

    def get(self, request: HttpRequest, key: str) -> HttpResponse:
        """The form. Raises AccountError (recovery.unusable), which is shown as a page."""
        return page(request, "new_password", {"whom": person_of(key).username})

    def post(self, request: HttpRequest, key: str) -> HttpResponseBase:
        """Set it, and go to the sign-in; a password that does not do comes back on the form."""
        try:
            recover(key, request.POST.get("password", ""))
        except (*TAKEN, AccountError) as error:
            context = {"whom": person_of(key).username, "faults": sentences_of(error)}
            return page(request, "new_password", context, status=422)
        return redirect("log-in")


def spend(request: HttpRequest, scope: str, ident: str) -> None:
    """Count against a budget. Raises Fault (rate.exceeded)."""
    within, spent = count(request, scope, ident)
    if not within:
        raise rate_exceeded(spent)
