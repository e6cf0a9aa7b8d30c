"""The service's addresses, and beside them a bare view: one query, a few bytes, nothing else."""

from uuid import UUID

from django.http import HttpRequest, JsonResponse
from django.urls import path

from config import urls as service
from games.models import Game


def bare(_request: HttpRequest, game_id: UUID) -> JsonResponse:
    """What Django itself needs for one query by key."""
    return JsonResponse({"seq": Game.objects.values_list("seq", flat=True).get(pk=game_id)})


urlpatterns = [path("bare/<uuid:game_id>/", bare), *service.urlpatterns]
handler400, handler403 = service.handler400, service.handler403
handler404, handler500 = service.handler404, service.handler500
handler405, handler429 = service.handler405, service.handler429
