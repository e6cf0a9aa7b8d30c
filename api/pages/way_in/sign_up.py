"""Signing up on a page of its own; an invitation to a game has the same form (`joining`)."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import View
from django.views.decorators.debug import sensitive_post_parameters

from accounts.errors import AccountError
from api.common.exceptions import Fault
from api.common.throttles import charge
from api.pages.access import person, principal_of
from api.pages.forms.body import body_of
from api.pages.forms.refusals import TAKEN, refuse, sentences_of
from api.pages.policy import page
from api.pages.way_in.joining import BACKEND, sign_up_by_form
from games.engine.errors import Refused


@method_decorator(sensitive_post_parameters("password"), name="dispatch")
class SignUpPage(View):
    """The form, and the account."""

    counts_itself = True
    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; a refusal as a page. Who is signed in needs none, and goes on."""
        try:
            charge(request, principal_of(request), acting=request.method == "POST")
            return redirect(next_of(request)) if person(request) else super().dispatch(request, *args, **kwargs)
        except (Refused, Fault) as error:
            return refuse(request, error)

    def get(self, request: HttpRequest) -> HttpResponse:
        """The form, where somebody may sign up."""
        return self.form(request)

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """Sign up and in, and go on; a refusal comes back on the form."""
        sent: dict[str, Any] = {}
        try:
            sent = body_of({name: request.POST.getlist(name) for name in request.POST})
            login(request, sign_up_by_form(request, sent), BACKEND)
        except (*TAKEN, AccountError) as error:
            return self.form(request, sent, error)
        return redirect(next_of(request))

    @staticmethod
    def form(request: HttpRequest, sent: dict[str, Any] | None = None, error: Exception | None = None) -> HttpResponse:
        """The form. sent: what it held; error: why it was not taken."""
        context = {
            "sign_up": settings.SIGN_UP,
            "sent": sent or {},
            "faults": sentences_of(error) if error is not None else (),
            "sign_in": f"{reverse('log-in')}?{urlencode({'next': next_of(request)})}",
        }
        return page(request, "sign_up", context, status=200 if error is None else 422)


def next_of(request: HttpRequest) -> str:
    """Where somebody goes on: where the address says, within this service, else home."""
    wanted = request.GET.get("next", "")
    return wanted if url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) else reverse("home")
