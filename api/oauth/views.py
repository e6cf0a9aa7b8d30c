"""The endpoints of OAuth 2: a page that asks people for their consent, the exchange of codes, revocation, metadata.

The toolkit speaks the protocol; these views add what it leaves to its users: budgets, our pages, strict bodies. Errors
of the endpoints for programs are those of RFC 6749, section 5.2.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import orjson
import structlog
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import View
from oauth2_provider.exceptions import OAuthToolkitError
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views.base import BaseAuthorizationView
from oauth2_provider.views.metadata import OAuthServerMetadataView
from oauth2_provider.views.mixins import OAuthLibMixin

from accounts.oauth.addresses import is_loopback, origin_of
from accounts.oauth.scopes import SENTENCES
from api.common.throttles import address_of, count
from api.oauth import pages

log = structlog.get_logger(__name__)

BUDGET = "oauth"
FORM = "application/x-www-form-urlencoded"
SCHEMES = ("https", "http")
"""Of redirects; the address itself is registered, or nobody is sent there."""


class AuthorizeView(BaseAuthorizationView):
    """Ask somebody who is logged in whether an application may act for them. Each time: no consent is remembered."""

    http_method_names = ("get", "post")

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """The page that asks."""
        try:
            scopes, credentials = self.validate_authorization_request(request)
        except OAuthToolkitError as error:
            return self.error_response(error)
        target = credentials["redirect_uri"]
        page = render(
            request,
            "oauth/consent.html",
            {
                "application": credentials["request"].client,
                "sentences": [SENTENCES[scope] for scope in SENTENCES if scope in scopes],
                "host": urlsplit(target).netloc,
                "is_loopback": is_loopback(target),
                "log_out_query": urlencode({"next": request.get_full_path()}),
            },
        )
        return pages.guard(page, form_target(target))

    def post(self, request: HttpRequest) -> HttpResponseBase:
        """What was answered, for the very request of the address: its form holds nothing else."""
        within, spent = count(request, BUDGET, address_of(request))
        if not within:
            return pages.refuse(request, f"Too many requests; try again in {spent.reset_seconds} seconds.", 429)
        try:
            scopes, credentials = self.validate_authorization_request(request)
            uri, _, _, _ = self.create_authorization_response(
                request, " ".join(scopes), credentials, allow=request.POST.get("decision") == "allow"
            )
        except OAuthToolkitError as error:
            return self.error_response(error)
        log.info("application_allowed", application=credentials["client_id"], scopes=scopes)
        return OAuth2ResponseRedirect(uri, SCHEMES)

    def error_response(self, error: Any, application: Any = None, **_: Any) -> HttpResponseBase:
        """Back to the application with the error; a page where it is not known to whom."""
        may_redirect, found = OAuthLibMixin.error_response(self, error)
        if not may_redirect:
            message = found["error"].description or found["error"].error
            return pages.refuse(self.request, message, found["error"].status_code)
        issuer = urlencode({"iss": oauth2_settings.oauth2_authorization_server_issuer(self.request)})
        return OAuth2ResponseRedirect(f"{found['url']}&{issuer}", SCHEMES)


def form_target(address: str) -> str:
    """The source by which a policy names where a form leads in the end; it has no word for IPv6 addresses."""
    return "http:" if "[" in address else origin_of(address)


def error(name: str, description: str, status: int, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """An error of RFC 6749, section 5.2."""
    body = orjson.dumps({"error": name, "error_description": description})
    return HttpResponse(body, status=status, content_type="application/json", headers=headers)


DESCRIPTIONS = {
    "invalid_client": "There is no application of this client_id, or it may not ask here; see how it is registered.",
    "invalid_grant": "The code or refresh token is unknown, used, expired or another application's, or the verifier or "
    "redirect_uri is not that of the sign-in; let the person sign in again.",
    "unauthorized_client": "This application may not use this grant_type; see how it is registered.",
    "unsupported_grant_type": "The grant_type is authorization_code or refresh_token here.",
    "invalid_scope": "A scope is unknown here, or more than the sign-in granted; ask for fewer.",
}
"""What the toolkit's errors without a description mean, and what would do."""


def _description_of(body: str | None) -> str | None:
    """The body of an error, with a description where the toolkit gave none."""
    try:
        found = orjson.loads(body or "")
    except orjson.JSONDecodeError:
        return body
    if not isinstance(found, dict) or found.get("error_description") or "error" not in found:
        return body
    usual = "The request cannot be answered; see RFC 6749, section 5.2, for its error."
    return orjson.dumps({**found, "error_description": DESCRIPTIONS.get(found["error"], usual)}).decode()


@method_decorator(csrf_exempt, name="dispatch")
@method_decorator(sensitive_post_parameters(), name="dispatch")
class ProgramView(OAuthLibMixin, View, ABC):
    """An endpoint for programs: a form in, JSON out, within the budget of an address, stored by nobody."""

    http_method_names = ("post",)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer, whatever goes wrong."""
        try:
            response = self.answer(request)
        except RequestDataTooBig:
            response = error("invalid_request", "The body is larger than this service takes.", 413)
        except SuspiciousOperation:
            response = error("invalid_request", "The form cannot be read.", 400)
        except (OperationalError, InterfaceError):
            retry = {"Retry-After": "5"}
            response = error("temporarily_unavailable", "The database does not answer; try again shortly.", 503, retry)
        response["Cache-Control"], response["Pragma"] = "no-store", "no-cache"
        return response

    def answer(self, request: HttpRequest) -> HttpResponse:
        """The answer to one request. Raises what Django and the database raise."""
        if request.method != "POST":
            return error("invalid_request", "This endpoint is asked with POST.", 405, {"Allow": "POST"})
        within, spent = count(request, BUDGET, address_of(request))
        if not within:
            message = f"Too many requests; try again in {spent.reset_seconds} s."
            return error("temporarily_unavailable", message, 429, {"Retry-After": str(spent.reset_seconds)})
        if request.content_type != FORM:
            return error("invalid_request", f"Send a form: Content-Type: {FORM}.", 400)
        _, headers, body, status = self.respond(request)
        if status >= 400:
            body = _description_of(body)
        return HttpResponse(body or b"", status=status, headers={"Content-Type": "application/json", **headers})

    @abstractmethod
    def respond(self, request: HttpRequest) -> tuple[Any, Mapping[str, str], str | None, int]:
        """What the toolkit answers: address, headers, body, status."""


class TokenView(ProgramView):
    """Exchange a code, or a refresh token, for an access token and the next refresh token."""

    def respond(self, request: HttpRequest) -> tuple[Any, Mapping[str, str], str | None, int]:
        """The tokens, or why there are none."""
        found: tuple[Any, Mapping[str, str], str | None, int] = self.create_token_response(request)
        return found


class RevokeView(ProgramView):
    """Revoke an access token or a refresh token, with all that belongs to its sign-in (RFC 7009)."""

    def respond(self, request: HttpRequest) -> tuple[Any, Mapping[str, str], str | None, int]:
        """Nothing, also for a token that is unknown here or another's."""
        found: tuple[Any, Mapping[str, str], str | None, int] = self.create_revocation_response(request)
        return found


class MetadataView(OAuthServerMetadataView):
    """Where everything is and what may be asked for (RFC 8414). The middleware says which origins may read it."""
