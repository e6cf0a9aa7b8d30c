"""Addresses that fail as a test asks for, to see what the APIs answer then. A test names this module as its urls."""

import json
from uuid import UUID

from django.urls import include, path
from pydantic import BaseModel, ConfigDict, Field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from api.common.permissions import Anyone


class Square(BaseModel):
    """A place."""

    x: int
    y: int


class Found(BaseModel):
    """A command."""

    model_config = ConfigDict(extra="forbid")
    race: UUID
    squares: list[Square] = Field(max_length=3)


class Row(serializers.Serializer):
    """A body."""

    name = serializers.CharField(max_length=3)
    places = serializers.ListField(child=serializers.IntegerField())


RAISED: dict[str, Exception] = {}
"""What is raised at an address, by its name."""


class Failing(APIView):
    """Raises what the test asks for."""

    permission_classes = (Anyone,)

    def get(self, request, name):
        """Fail."""
        raise RAISED[name]

    def post(self, request, name):
        """Read, then fail or echo."""
        data = request.data
        if name in RAISED:
            raise RAISED[name]
        if name == "row":
            Row(data=data).is_valid(raise_exception=True)
        if name == "found":
            Found.model_validate_json(json.dumps(data))
        return Response(data)


class Guarded(APIView):
    """With the permissions that all views have."""

    def get(self, request):
        """Look."""
        return Response({"user": str(request.user)})

    def post(self, request):
        """Act."""
        return Response({"user": str(request.user)})


def fail(request):
    """A plain Django view that fails."""
    raise RAISED["plain"]


urlpatterns = [
    path("api/fail/<str:name>/", Failing.as_view()),
    path("api/guarded/", Guarded.as_view()),
    path("api/plain/", fail),
    path("plain/", fail),
    path("", include("api.pages.urls")),
]
handler400 = "api.pages.error_pages.bad_request"
handler403 = "api.pages.error_pages.permission_denied"
handler404 = "api.pages.error_pages.page_not_found"
handler500 = "api.pages.error_pages.server_error"


def fails(client, error, method="get"):
    """Ask at an address that fails with this error."""
    RAISED["it"] = error
    return getattr(client, method)("/api/fail/it/")
