"""What Django answers with games in both buckets: a request works in the place of the first id in its address.

Asked from nowhere, as the service is. Which statements went where is seen by the paths that they were given.
"""

import json
import re
import time
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from django.contrib import admin
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from api.common import places
from core.ids import slot_of
from core.places import routing
from core.places.place import Place
from core.places.router import is_placed
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import Invite
from games.models import Game, Invitation, Seat
from tests.event_pages.desks import Form
from tests.forms import some
from tests.games.forgeborn import begin
from tests.places.buckets import BOTH, ONE, TWO, id_in
from tests.places.games import in_its_place, one_in_each, opened_in
from tests.security import addresses, grounds
from tests.security.grounds import Ground, Viewer
from tests.security.looking import answer_to, client_of
from tests.toy.rules.commands import AddStones
from worlds.models import World

pytestmark = pytest.mark.django_db
EXAMPLES = sorted(Path(__file__).parents[2].glob("*/*/examples.json"))
"""What answers say how a command is written with: the ids in it are of no place."""
IDENTITY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
PATH = re.compile(r"SET LOCAL search_path TO (\S+)")


def places_asked(captured: CaptureQueriesContext) -> set[str]:
    """The schemas in which statements were let run."""
    return {found[1].strip('",') for query in captured.captured_queries if (found := PATH.match(query["sql"]))}


def administrator() -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    return client


def smithy() -> Ground:
    """A game of Forgeborn, as its game-master sees it."""
    here = begin()
    lead, player = (Seat.objects.select_related("user").filter(game=here.id, role=r)[0] for r in ("gm", "player"))
    gm = Actor(Issuer.GM, lead.user_id, lead.pk)
    return Ground(here.game, gm, player, lead, {"gm": Viewer(lead.user, as_gm=True)}, ("", {}))


@pytest.mark.parametrize("open_one", [grounds.cairns, smithy])
def test_every_address_with_an_id_is_answered_by_its_place_alone(open_one):
    ground = opened_in(TWO, open_one)
    viewer = ground.viewers["gm"]
    with routing.at(ground.game.pk):
        asked = [*addresses.rest(ground, addresses.hidden_ids(ground), "")]
    asked = [each for each in asked if IDENTITY.search(each.path)]
    client, answered = client_of(viewer.user), 0
    people = {str(key) for key in User.objects.values_list("pk", flat=True)}
    known = people.union(*(IDENTITY.findall(file.read_text()) for file in EXAMPLES))

    for question in some(asked, 3):
        with CaptureQueriesContext(connection) as captured:
            status, _, body = answer_to(client, viewer, question)
        assert status < 500, f"{question.path}: {body!r}"
        own = routing.place_of(UUID(IDENTITY.search(question.path)[0]))  # that of an id which is missing, too
        assert places_asked(captured) <= {own.schema, "public"}, question.path
        slots = {slot_of(UUID(each)) for each in {*IDENTITY.findall(body.decode(errors="replace"))} - known}
        assert slots <= {slot_of(ground.game.pk), slot_of(addresses.MISSING)}, question.path
        answered += status == 200
    assert answered > len(some(asked, 3)) // 3


def test_a_game_is_found_under_its_id_wherever_it_lies_and_under_no_other():
    games = one_in_each()
    ann, browser = client_of(games[0].ann), Client()
    browser.force_login(games[0].ann)
    for game in games:
        in_its_place(game, lambda of: of.run(AddStones(stones=3), of.ann))
    for game, other in (games, games[::-1]):
        own, others = in_its_place(game, lambda of: of.seat(of.ann)), in_its_place(other, lambda of: of.seat(of.ann))
        here = f"/api/v1/games/{game.game.pk}"
        assert ann.get(f"{here}/").json()["id"] == str(game.game.pk)
        assert ann.get(f"{here}/prompts/?seat={own}").status_code == 200
        assert ann.get(f"{here}/prompts/?seat={others}").status_code == 404
        assert len(ann.get(f"/api/v1/toy/piles/?game={game.game.pk}").json()["results"]) == 1
        assert browser.get(f"/games/{game.game.pk}/seats/{own}/").status_code == 200
        assert browser.get(f"/games/{game.game.pk}/seats/{others}/").status_code == 404
        for address in (
            f"/api/v1/toy/piles/{others}/?game={game.game.pk}",
            f"/api/v1/games/{id_in(ONE)}/",
            f"/api/v1/worlds/{id_in(TWO)}/races/?game={game.game.pk}",
        ):
            assert ann.get(address).status_code in (404, 422), address


def test_a_value_that_is_no_id_is_refused_as_ever():
    ann = client_of(one_in_each()[0].ann)
    for address, status in (
        ("/api/v1/toy/piles/?game=everything", 422),
        ("/api/v1/toy/piles/", 422),
        ("/api/v1/games/everything/", 404),
        ("/games/everything/desk/", 404),
    ):
        assert ann.get(address).status_code == status, address


@pytest.mark.parametrize("place", BOTH)
def test_a_game_that_is_opened_is_answered_from_its_place(place, monkeypatch):
    monkeypatch.setattr("games.services.uuid4", lambda: id_in(place))
    host = User.objects.create_user("host")
    wish = {"ruleset": "toy", "name": "Cairns"}

    answer = client_of(host).post("/api/v1/games/", json.dumps(wish), content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert client_of(host).get(urlsplit(answer["Location"]).path).json()["my_seats"] == answer.json()["my_seats"]

    browser = Client()
    browser.force_login(host)
    form = Form(browser.get("/games/new/toy/").content.decode()).values
    answer = browser.post("/games/new/toy/", form | {"name:text": ["Cairns by a page"]}, follow=True)
    assert answer.status_code == 200 and "Cairns by a page" in answer.content.decode()
    with routing.at_place(place):
        assert Game.objects.count() == 2


def test_an_invitation_is_found_by_its_code_in_every_place():
    for game in one_in_each():
        in_its_place(game, lambda of: of.run(Invite(), of.gm))
        code = in_its_place(game, lambda of: Invitation.objects.get(game=of.game).code)
        browser = Client()
        browser.force_login(User.objects.create_user(f"guest-{routing.place_of(game.game.pk).number}"))
        assert game.game.name in browser.get(f"/join/{code}/").content.decode()
        form = Form(browser.get(f"/join/{code}/").content.decode()).values
        taken = browser.post(f"/join/{code}/", form | {"name:text": ["Guest"]})
        assert taken.status_code == 302 and taken["Location"] == f"/games/{game.game.pk}/seat/"
    assert Client().get("/join/nothing/").status_code == 404


def test_a_game_that_has_moved_is_looked_for_where_it_lies(monkeypatch):
    game, _ = one_in_each()
    ann, here = client_of(game.ann), f"/api/v1/games/{game.game.pk}/"
    monkeypatch.setattr(routing, "_table", [routing.Table(time.monotonic(), BOTH, (TWO,) * 4096)])
    assert ann.get(here).status_code == 200
    assert routing.place_of(game.game.pk) == ONE


def test_what_is_sent_to_a_game_that_has_moved_is_sent_again(monkeypatch):
    game, _ = one_in_each()
    ann, command = client_of(game.ann), f"/api/v1/games/{game.game.pk}/commands/add-stones/"
    stale = routing.Table(time.monotonic(), BOTH, (TWO,) * 4096)
    mutation = """mutation($game: UUID!) { toyAddStones(game: $game, input: {stones: 2}) {
        ... on Refusal { code } ... on CommandDone { cursor } } }"""

    def sent() -> tuple[int, str]:
        answer = ann.post(command, {"stones": 2}, content_type="application/json")
        return answer.status_code, answer.json().get("code", "")

    def mutated() -> str:
        body = {"query": mutation, "variables": {"game": str(game.game.pk)}}
        return json.dumps(ann.post("/graphql/", body, content_type="application/json").json())

    monkeypatch.setattr(routing, "_table", [stale])
    assert sent() == (503, "game.moving") and sent() == (201, "")
    routing._table[:] = [stale]
    assert "game.moving" in mutated()
    again = mutated()
    assert "cursor" in again and "game.moving" not in again
    missing = ann.post(
        f"/api/v1/games/{id_in(ONE)}/commands/add-stones/", {"stones": 2}, content_type="application/json"
    )
    assert missing.status_code == 404


@pytest.mark.parametrize(("address", "status"), [("/api/v1/games/{}/commands/add-stones/", 503), ("/games/{}/", 404)])
def test_what_is_sent_is_sent_again_also_where_another_thread_has_read_the_table(monkeypatch, address, status):
    game, _ = one_in_each()
    monkeypatch.setattr(routing, "_table", [routing.Table(time.monotonic(), BOTH, (TWO,) * 4096)])

    def missing(request: HttpRequest) -> HttpResponse:
        routing.forget()
        return HttpResponse(status=404)

    answer = places.InPlace(missing)(RequestFactory().post(address.format(game.game.pk)))
    assert answer.status_code == status
    assert status == 404 or json.loads(answer.content)["code"] == "game.moving"


# --- the admin -------------------------------------------------------------------------------------------------------


def pages_of(place: Place) -> list[tuple[str, bool]]:
    """A list of each kind of rows in a place and the pages of one of them, each with whether it has an id in it."""
    found: list[tuple[str, bool]] = []
    for model in filter(lambda model: is_placed(model._meta.app_label), admin.site._registry):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        with routing.at_place(place):
            row = model._default_manager.first()
        if row is not None:
            has_id = isinstance(row.pk, UUID)
            rows = [(reverse(f"{name}_{action}", args=[row.pk]), has_id) for action in ("change", "delete")]
            found += [(reverse(f"{name}_changelist"), False), *rows]
    return found


@pytest.mark.parametrize("open_one", [grounds.cairns, smithy])
def test_every_page_of_the_admin_is_answered_by_the_place_of_its_row_or_by_the_chosen_one(open_one):
    opened_in(TWO, open_one)
    page = administrator()
    page.get("/admin/?bucket=1")
    for address, has_id in pages_of(TWO):
        if not has_id:
            page.get(f"{address}?bucket=2")
        with CaptureQueriesContext(connection) as captured:
            answer = page.get(address)
        assert answer.status_code in (200, 302, 403), address
        assert places_asked(captured) <= {TWO.schema, "public"}, address


def test_lists_of_the_admin_show_one_bucket_which_is_chosen_and_kept():
    first, second = one_in_each()
    page, games = administrator(), reverse("admin:games_game_changelist")

    def shown() -> set[str]:
        return {str(game.pk) for game in page.get(games).context["cl"].result_list}

    assert shown() == {str(first.game.pk)}
    assert f'href="{games}?bucket=2"' in page.get(games).content.decode()
    answer = page.get(f"{games}?bucket=2&status=running")
    assert (answer.status_code, answer["Location"]) == (302, f"{games}?status=running")
    assert shown() == {str(second.game.pk)}

    page.get(reverse("admin:games_game_change", args=[first.game.pk]))  # a row chooses its bucket
    assert shown() == {str(first.game.pk)}
    seats = reverse("admin:games_seat_changelist")
    found = page.get(f"{seats}?game__id__exact={second.game.pk}").context["cl"].result_list
    assert {seat.game_id for seat in found} == {second.game.pk}
    assert page.get("/admin/?bucket=everything").status_code == 302 and shown() == {str(first.game.pk)}


def test_nobody_chooses_a_bucket_without_being_signed_in():
    client = Client()
    assert "/admin/login/" in client.get("/admin/?bucket=2")["Location"]
    assert not client.cookies.get("sessionid")


@pytest.mark.parametrize("place", BOTH)
def test_a_world_is_made_in_the_chosen_bucket(place):
    page = administrator()
    page.get(f"/admin/?bucket={place.number}")
    form = {"name": "Atlantis", "adjacency": "8", "letters": "PF", "is_public": "on"}
    members = {"members-TOTAL_FORMS": "0", "members-INITIAL_FORMS": "0"}

    answer = page.post(reverse("admin:worlds_world_add"), form | members)
    assert answer.status_code == 302, answer.context["errors"]
    with routing.at_place(place):
        world = World.objects.get()
    assert routing.place_of(world.pk) == place
