"""Pages for people who are signed in with a session."""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import ensure_csrf_cookie

from api.common.exceptions import Fault
from api.common.throttles import charge
from api.pages.access import person, principal_of
from api.pages.forms.refusals import refuse
from api.pages.policy import is_part
from games.engine.errors import Refused


@method_decorator(ensure_csrf_cookie, name="dispatch")
class SignedInView(View):
    """A page, or a part of one, for somebody who is signed in; counted against the budgets of the APIs."""

    counts_itself = True
    LOOKING = ("GET", "HEAD")
    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; a refusal as a page. Who looks without being signed in is asked to; who acts is refused."""
        try:
            charge(request, principal_of(request), acting=request.method == "POST")
        except Fault as error:
            return refuse(request, error)
        if person(request) is None:
            if request.method not in self.LOOKING:
                return refuse(request, Fault("token.needed", "Sign in first; nothing was done."))
            if is_part(request):
                return HttpResponse(status=401, headers={"HX-Refresh": "true"})
            return redirect_to_login(request.get_full_path(), reverse("log-in"))
        try:
            return super().dispatch(request, *args, **kwargs)
        except (Refused, Fault) as error:
            return refuse(request, error)
