"""The big screen of a game: a page that moves by itself and shows everybody what a stranger may know."""

from collections.abc import Callable
from threading import Lock
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views import View

from api.common.exceptions import Fault
from api.common.throttles import address_of, count, rate_exceeded
from api.common.viewer import Viewer
from api.pages.access import person
from api.pages.event.faces import faces_of
from api.pages.event.replay_view import ending_json, last_words, pages_of, past_of, turns_of
from api.pages.event.screen_view import (
    chart_svg_of,
    delay_of,
    highlights_svg_of,
    map_svg_of,
    screen_json,
    sight_of,
    stranger,
)
from api.pages.forms.refusals import refuse
from api.pages.policy import page
from games import registry
from games.engine.errors import Refused
from games.reads import selectors

BODY_SECONDS = 2
PICTURE_SECONDS = 600
SCOPE = "screen"
MAKING = Lock()
PICTURES_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


class ScreenView(View):
    """A page, or a part of one, of the screen of a game that everybody may see."""

    counts_itself = True
    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """The answer; a refusal as a page. Where nobody looks without signing in, they are asked to."""
        try:
            within, spent = count(request, SCOPE, address_of(request))
            if not within:
                raise rate_exceeded(spent)
            if not settings.ANONYMOUS_READ and person(request) is None:
                return redirect_to_login(request.get_full_path(), reverse("log-in"))
            return super().dispatch(request, *args, **kwargs)
        except (Refused, Fault) as error:
            return refuse(request, error)


class ScreenPage(ScreenView):
    """The page itself."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The screen as it is now."""
        viewer = stranger(game_id)
        return page(request, "screen", {"game": viewer.game, "body": body_of(viewer)})


class ScreenBody(ScreenView):
    """What moves of the page."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The screen as it is now."""
        return page(request, "screen_part", {"body": body_of(stranger(game_id))})


class ScreenMap(ScreenView):
    """The map."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The map of now, as SVG; 404 while there is none."""
        viewer = stranger(game_id)
        tag = f"map-{selectors.cursor_for(viewer.game, viewer.visibility)}-{viewer.game.digest}"
        try:
            second = int(timezone.now().timestamp())
            return picture(once(viewer, f"screen map {second}", BODY_SECONDS, lambda: map_svg_of(viewer, tag)))
        except Refused as none:
            raise Http404(none.message) from none


class ScreenHighlights(ScreenView):
    """What has just happened, marked: a picture to lie over the map."""

    def get(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The marks of now, as SVG; 404 where there is no map."""
        viewer = stranger(game_id)
        try:
            second = int(timezone.now().timestamp())
            return picture(once(viewer, f"screen marks {second}", BODY_SECONDS, lambda: highlights_svg_of(viewer)))
        except Refused as none:
            raise Http404(none.message) from none


class ScreenChart(ScreenView):
    """A chart."""

    def get(self, request: HttpRequest, game_id: UUID, name: str) -> HttpResponse:
        """The chart up to now, or up to then, as SVG; 404 for one that the screen does not show."""
        viewer = stranger(game_id)
        is_behind = delay_of(viewer.game) > 0  # such a chart goes on without an event
        moment, seconds = (int(timezone.now().timestamp()), BODY_SECONDS) if is_behind else (0, PICTURE_SECONDS)
        try:
            return picture(once(viewer, f"chart {name} {moment}", seconds, lambda: chart_svg_of(viewer, name)))
        except Refused as none:
            raise Http404(none.message) from none


def body_of(viewer: Viewer) -> str:
    """What moves of the screen, made once a second and event, however many screens there are."""
    second = int(timezone.now().timestamp())
    body = once(
        viewer,
        f"screen {second}",
        BODY_SECONDS,
        lambda: render_to_string("pages/screen_body.html", show_json(viewer)).encode(),
    )
    return body.decode()


def show_json(viewer: Viewer) -> dict[str, Any]:
    """All that the screen shows, with the chapters that are over, and the ending of a game that is."""
    sight = sight_of(viewer)
    shown = screen_json(viewer, sight) | {"faces": faces_of(viewer.game, sight.state), "past": None}
    if registry.ruleset(viewer.game.ruleset).chapters is None:
        return shown
    past = past_of(viewer.game)
    if not past.is_over:
        return shown | {"past": past}
    main = pages_of(viewer.game).main_chart
    ending = ending_json(viewer, sight)
    return shown | {
        "past": past,
        "ending": ending,
        "last_words": last_words(viewer, past),
        "turning_points": turns_of(viewer, past, sight),
        "main_chart": next((each["name"] for each in shown["charts"] if each["name"] == main), ""),
    }


def once(viewer: Viewer, name: str, seconds: int, make: Callable[[], bytes]) -> bytes:
    """Bytes that follow from what a stranger may have read, made once while they are cached.

    A hall of screens asks at once: one of them makes it, the others wait for that. The key holds the digest of the
    game, for a restored log comes to the same cursor once more.
    """
    position = f"{selectors.cursor_for(viewer.game, viewer.visibility)}:{viewer.game.digest}"
    key = f"{name}:{viewer.game.pk}:{position}".replace(" ", "-")
    cached: bytes | None = caches["responses"].get(key)
    if cached is not None:
        return cached
    with MAKING:
        cached = caches["responses"].get(key)
        if cached is None:
            cached = make()
            caches["responses"].set(key, cached, seconds)
    return cached


def picture(drawn: bytes) -> HttpResponse:
    """A picture in which nothing can be run."""
    answer = HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")
    answer["Content-Security-Policy"] = PICTURES_POLICY
    answer["Cache-Control"] = "no-cache"
    return answer
