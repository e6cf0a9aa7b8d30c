"""The replay of a game: its past chapter by chapter; an address for each, which need no script."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from api.pages.event.replay_view import (
    chapter_json,
    chapter_of,
    chart_of_past,
    map_of_past,
    observer,
    past_of,
    recap_json,
    replay_json,
)
from api.pages.event.screen import ScreenView, picture
from api.pages.policy import page
from games.engine.errors import Refused


class ReplayPage(ScreenView):
    """The page itself."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """A chapter of the game: the last that is over, or that of `at`; a word instead where none is."""
        viewer = observer(request, game_id)
        past = past_of(viewer.game)
        if past.last < 0:
            return page(request, "replay_empty", {"game": viewer.game, "past": past})
        chapter = chapter_of(request, past)
        image = request.build_absolute_uri(f"{reverse('replay-map', args=[game_id])}?at={chapter}")
        return page(request, "replay", {**replay_json(viewer, past, chapter), "image": image})


class ReplayBody(ScreenView):
    """What of the page is of one chapter."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The chapter of `at`."""
        viewer = observer(request, game_id)
        past = past_of(viewer.game)
        return page(request, "replay_body", chapter_json(viewer, past, chapter_of(request, past)))


class ReplayRecap(ScreenView):
    """What the screen plays again of a chapter before the next."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The chapter of `at`."""
        viewer = observer(request, game_id)
        past = past_of(viewer.game)
        return page(request, "recap", recap_json(viewer, past, chapter_of(request, past)))


class ReplayMap(ScreenView):
    """The map at the end of a chapter."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The map as SVG; 404 where there is none."""
        viewer = observer(request, game_id)
        chapter = chapter_of(request, past_of(viewer.game))
        try:
            return picture(map_of_past(viewer, chapter))
        except Refused as none:
            raise Http404(none.message) from none


class ReplayChart(ScreenView):
    """A chart with the end of a chapter marked in it."""

    def get(self, request: HttpRequest, game_id: UUID, name: str) -> HttpResponse:
        """The chart as SVG; 404 where there is none."""
        viewer = observer(request, game_id)
        chapter = chapter_of(request, past_of(viewer.game))
        try:
            return picture(chart_of_past(viewer, name, chapter))
        except Refused as none:
            raise Http404(none.message) from none
