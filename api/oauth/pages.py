"""What the pages of sign-in share: a strict policy, no cache, one style sheet that stands in the page by its digest."""

import base64
import hashlib
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth_views
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from api.common.throttles import PASSWORDS, address_of, count

STYLE = "oauth/page.css"


@cache
def style_digest() -> str:
    """The digest by which the policy lets the style sheet in."""
    return base64.b64encode(hashlib.sha256(render_to_string(STYLE).encode()).digest()).decode()


def policy(*form_targets: str) -> str:
    """Content-Security-Policy of a page. form_targets: sources besides our own that a form may lead to."""
    targets = " ".join(("'self'", *form_targets))
    return (
        f"default-src 'none'; style-src 'sha256-{style_digest()}'; base-uri 'none'; frame-ancestors 'none'; "
        f"form-action {targets}"
    )


def guard(response: HttpResponseBase, *form_targets: str) -> HttpResponseBase:
    """The headers of a page of sign-in."""
    response["Content-Security-Policy"] = policy(*form_targets)
    response["Cache-Control"] = "no-store"
    return response


def refuse(request: HttpRequest, message: str, status: int) -> HttpResponse:
    """A page that says why nothing can be done, for people whom it would be wrong to send anywhere."""
    response = render(request, "oauth/refused.html", {"message": message}, status=status)
    guard(response)
    return response


class LogInView(auth_views.LoginView):
    """Log in with user name and password, on the way to an application; django-axes counts the wrong ones."""

    template_name = "oauth/log_in.html"
    next_page = "/"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The context of the page: also whether somebody may sign up."""
        return super().get_context_data(**kwargs) | {"sign_up": settings.SIGN_UP}

    @method_decorator(sensitive_post_parameters("password"))
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The page, or what followed from its form."""
        if request.method == "POST":
            within, spent = count(request, PASSWORDS, address_of(request))
            if not within:
                refused = refuse(request, f"Too many tries; try again in {spent.reset_seconds} seconds.", 429)
                refused["Retry-After"] = str(spent.reset_seconds)
                return refused
        return guard(super().dispatch(request, *args, **kwargs))


class LogOutView(auth_views.LogoutView):
    """Log out, to go on as somebody else."""

    next_page = "/"
