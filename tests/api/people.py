"""People of the tests with their tokens, and addresses: those of accounts, and one with the permissions of all views.

A test that asks at them names this module as its urls.
"""

from django.http import HttpResponse
from django.test import Client
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import services
from accounts.models import Scope, User

PASSWORD = "seven-gates-of-horn"


class Guarded(APIView):
    """With the permissions that all views have."""

    def get(self, request: Request) -> Response:
        """Look."""
        return Response({})

    def post(self, request: Request) -> Response:
        """Act."""
        return Response({})


urlpatterns = [path("api/v1/", include("api.rest.accounts")), path("api/guarded/", Guarded.as_view())]
handler404 = "api.pages.error_pages.page_not_found"


def as_of(plain: str) -> Client:
    """A client that shows this token."""
    return Client(headers={"Authorization": f"Bearer {plain}"})


def asking(user: User, *scopes: str) -> Client:
    """A client of this user's, with a fresh token of these scopes; of all when none is named."""
    return as_of(services.mint_token(user, "mine", scopes or [*Scope])[1])


def post(client: Client, place: str, body: object, **kwargs: object) -> HttpResponse:
    """Send a body as JSON to a place below `/api/v1/`."""
    return client.post(f"/api/v1/{place}", body, content_type="application/json", **kwargs)


def refusal_of(answer: HttpResponse) -> tuple[int, str]:
    """Status and code of a refusal."""
    return answer.status_code, answer.json()["code"]
