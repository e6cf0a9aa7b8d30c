"""An application of the tests: it asks for consent in a person's browser and exchanges what it gets, as programs do."""

import base64
import hashlib
import secrets
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.http import HttpResponseBase
from django.test import Client

from accounts.models import User
from accounts.oauth.models import Application
from accounts.sessions import BACKEND

PASSWORD = "seven-gates-of-horn"
CALLBACK = "https://atlas.example/back"
ORIGIN = "https://atlas.example"
FORM = "application/x-www-form-urlencoded"


def register(name: str, **fields: Any) -> Application:
    """An application, as an administrator saves it."""
    given = {"redirect_uris": CALLBACK, "allowed_origins": ORIGIN, "scope_words": "read play", **fields}
    application = Application(name=name, **given)
    application.full_clean()
    application.save()
    return application


def challenge_of(verifier: str) -> str:
    """The code challenge of a verifier by S256."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def query_of(response: HttpResponseBase) -> dict[str, str]:
    """What a redirect carries back to the application."""
    return dict(parse_qsl(urlsplit(response["Location"]).query))


class Frontend:
    """One application and one person. Every method takes what it should send otherwise; None leaves it out."""

    def __init__(self, application: Application, person: User | None) -> None:
        self.application = application
        self.browser = Client(enforce_csrf_checks=False)
        if person is not None:
            self.browser.force_login(person, backend=BACKEND)
        self.program = Client(headers={"Origin": ORIGIN})
        self.verifier = secrets.token_urlsafe(48)

    def address(self, **changed: str | None) -> str:
        """The address of the page that asks for consent."""
        wanted: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.application.client_id,
            "redirect_uri": CALLBACK,
            "scope": "read play",
            "state": "7f3a",
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
            **changed,
        }
        return "/oauth/authorize/?" + urlencode({k: v for k, v in wanted.items() if v is not None})

    def ask(self, **changed: str | None) -> Any:
        """See the page that asks."""
        return self.browser.get(self.address(**changed))

    def decide(self, decision: str = "allow", **changed: str | None) -> Any:
        """Press one of its buttons."""
        return self.browser.post(self.address(**changed), {"decision": decision})

    def code(self, **changed: str | None) -> str:
        """A code, by consent."""
        return query_of(self.decide(**changed))["code"]

    def post(self, path: str, **fields: str | None) -> Any:
        """Send a form as the program does."""
        body = urlencode({k: v for k, v in fields.items() if v is not None})
        return self.program.post(path, body, content_type=FORM)

    def exchange(self, code: str, **changed: str | None) -> Any:
        """Exchange a code."""
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.application.client_id,
            "redirect_uri": CALLBACK,
            "code_verifier": self.verifier,
            **changed,
        }
        return self.post("/oauth/token/", **fields)

    def renew(self, refresh_token: str, **changed: str | None) -> Any:
        """Exchange a refresh token."""
        fields: dict[str, str | None] = {"client_id": self.application.client_id, **changed}
        return self.post("/oauth/token/", grant_type="refresh_token", refresh_token=refresh_token, **fields)

    def revoke(self, token: str, **changed: str | None) -> Any:
        """Give up a token."""
        return self.post("/oauth/revoke/", token=token, **{"client_id": self.application.client_id, **changed})

    def sign_in(self, **changed: str | None) -> dict[str, Any]:
        """The whole way: consent, code, tokens."""
        response = self.exchange(self.code(**changed))
        assert response.status_code == 200, response.content
        found: dict[str, Any] = response.json()
        return found


def me(access_token: str) -> Any:
    """Ask who one is with a token."""
    return Client(headers={"Authorization": f"Bearer {access_token}"}).get("/api/v1/me/")
