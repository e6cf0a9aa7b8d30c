"""A request is answered in one place (ADR 115): that of the first id in its address.

The admin shows one bucket at a time where its address has none: that which was chosen last, by a link of the sidebar
(`?bucket=2`) or by a page of a row that lies there.
"""

from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from uuid import UUID

from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect

from api.common.error_handlers import of_api
from api.common.problems import answer, request_id_of
from api.common.viewer import MOVED
from core.places.place import Place
from core.places.router import is_placed
from core.places.routing import at, at_place, has_moved, place_of, read_table

SAFE = ("GET", "HEAD")
UNFOUND = (HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE)
"""What is answered where a game is not found: with 503 that it has just moved (`game.moving`)."""
QUERIES = ("game", "world")
"""What lists are within."""
ADMIN = "/admin/"
FILTER = "__id__exact"
"""How a filter of the admin by another row ends (`game__id__exact`); none of rows of games is by people."""
CHOICE = "bucket"
"""The chosen bucket's number: in the address that chooses it, and in the session."""


class InPlace:
    """Middleware, the innermost, with PLACES alone: a view and what renders its answer run in the place asked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, looked for again where its game has just moved to; to the choice of a bucket the way back.

        What was sent to a game that has just moved is refused (503), so that it is sent again.
        """
        if request.path_info.startswith(ADMIN):
            return self._in_admin(request)
        identity = _first_id([*request.path_info.split("/"), *map(request.GET.get, QUERIES)])
        if identity is None:
            return self.get_response(request)
        place = place_of(identity)
        with at_place(place):
            response = self.get_response(request)
        if request.method in SAFE:
            if response.status_code in UNFOUND and has_moved(identity, place):
                with at(identity):
                    return self.get_response(request)
        # Another thread may have read the table anew before the view asked whether its game has moved.
        elif response.status_code == HTTPStatus.NOT_FOUND and of_api(request) and has_moved(identity, place):
            return answer("game.moving", MOVED, request_id=request_id_of(request)).response
        return response

    def _in_admin(self, request: HttpRequest) -> HttpResponseBase:
        if request.method in SAFE and CHOICE in request.GET and request.user.is_authenticated:
            return _to_the_chosen(request)
        with at_place(_place_in_admin(request)):
            return self.get_response(request)


def buckets() -> list[Place]:
    """The buckets that may have rows, by number."""
    table = read_table()
    return [place for place in table.places if place in table.by_slot]


def chosen_bucket(request: HttpRequest) -> Place:
    """The bucket whose rows the lists of the admin show: at first the first."""
    return _bucket(request.session.get(CHOICE))


def _to_the_chosen(request: HttpRequest) -> HttpResponseBase:
    """Choose a bucket, and look at the same address in it."""
    query = request.GET.copy()
    _choose(request, _bucket(query.pop(CHOICE)[-1]))
    return HttpResponseRedirect(f"{request.path}{'?' if query else ''}{query.urlencode()}")


def _bucket(number: object) -> Place:
    found = buckets()
    return next((place for place in found if str(place.number) == str(number)), found[0])


def _choose(request: HttpRequest, place: Place) -> None:
    if request.session.get(CHOICE) != place.number:
        request.session[CHOICE] = place.number


def _place_in_admin(request: HttpRequest) -> Place:
    """That of the row or filter that a page of games names, which is chosen from then on; else the chosen one."""
    app, *rest = request.path_info.removeprefix(ADMIN).split("/")
    identity = _first_id([*rest, *_filters(request)]) if _is_of_games(app) else None
    named = place_of(identity) if identity is not None else None
    if named is None:
        return chosen_bucket(request)
    if request.user.is_authenticated:  # who is not has no session, and needs none
        _choose(request, named)
    return named


def _filters(request: HttpRequest) -> Iterator[str]:
    return (request.GET[name] for name in request.GET if name.endswith(FILTER))


def _is_of_games(app: str) -> bool:
    try:
        return is_placed(app)
    except LookupError:
        return False


def _first_id(values: Iterable[str | None]) -> UUID | None:
    """The first value that is an id, as an address writes it or as the admin escapes it."""
    for value in values:
        try:
            return UUID(unquote(value or ""))
        except ValueError:
            continue
    return None
