"""A player's seat: in all rulesets what is asked, what may be done and what is known, for who holds it alone."""

import json
import re
from html import escape, unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from api.common.viewer import viewer_of
from api.pages.access import PageViewer
from api.pages.event.desk_view import Sight
from games import registry
from games.engine.game_state import Role
from games.engine.kernel import Issuer
from games.models import Game, LoggedEvent, Seat
from tests.api.worlds import toy_game, user
from tests.event_pages.desks import PUT, Form
from tests.event_pages.test_desks_of_rulesets import GROUNDS
from tests.security.grounds import Ground, era

pytestmark = pytest.mark.django_db


class Player:
    """Somebody at a player's seat, in a browser without scripts."""

    def __init__(self, seat: Seat) -> None:
        assert seat.user is not None
        self.seat, self.path = seat, f"/games/{seat.game_id}/seats/{seat.pk}/"
        self.client = Client(headers={"HX-Request": "true"})
        self.client.force_login(seat.user)

    def part(self, name: str = "body/") -> str:
        """A part of the page as it is now."""
        answer = self.client.get(self.path + name)
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    def command(self, name: str, values: dict[str, Any] | None = None) -> str:
        """Where a command is asked for and sent."""
        return f"{self.path}commands/{name}/?values={quote(json.dumps(values or {}, default=str))}"

    def send(self, address: str, **fields: Any) -> Any:
        """Send a form as it stands, with some fields filled in."""
        values = Form(self.client.get(address).content.decode()).values
        return self.client.post(address, values | {name.replace("__", ":"): value for name, value in fields.items()})


@pytest.fixture(params=[*GROUNDS, "gods2"])
def ground(request, settings, tmp_path) -> Ground:
    """A game of each ruleset, under way."""
    return era(settings, tmp_path) if request.param == "gods2" else GROUNDS[request.param]()


def seat_of(game: Game, place: int = 0) -> Seat:
    """A player's seat that somebody holds."""
    return Seat.objects.filter(game=game, role="player", user__isnull=False).order_by("name")[place]


@pytest.fixture
def toy() -> Player:
    """A seat in a game of Cairns."""
    return Player(seat_of(toy_game().game))


def test_a_seat_of_any_ruleset_has_its_parts_and_names_no_command_of_those_who_lead(ground):
    player = Player(seat_of(ground.game))
    page = player.client.get(player.path, headers={"HX-Request": ""})
    assert page.status_code == 200
    for part in ("clock", "inbox", "may", "log"):
        assert f'id="{part}"' in page.content.decode()
    buttons = PUT.findall(player.part()) + PUT.findall(player.part("may/"))
    assert buttons
    commands = registry.ruleset(ground.slug).open_commands
    named = [re.search(r"/commands/([a-z-]+)/", address) for _, address, _ in buttons]
    assert {m.group(1) for m in named if m and Issuer.SEAT not in commands[m.group(1)].issuers} == set()
    assert all(address.startswith(player.path) for _, address, _ in buttons)


def test_over_the_clock_stands_who_one_is_with_the_emblem_and_what_one_has(ground):
    player = Player(seat_of(ground.game))
    body = player.part()
    line = re.search(r'<p class="self".*?</p>', body)[0]
    assert sorted(re.findall(r'<symbol id="(.+?)"', body)) == sorted(set(re.findall(r'<use href="#(.+?)"', body)))
    viewer = viewer_of(ground.game.pk, player.seat.user_id, seat=player.seat.pk)
    state = Sight.of(PageViewer(viewer, Role.PLAYER)).seen
    pages = registry.ruleset(ground.slug).pages
    face = next((face for face in pages.faces(state) if face.key == player.seat.pk), None)
    assert escape(face.name if face else player.seat.name) in line
    assert ('<use href="#face-' in line) == (face is not None)
    held = next(iter(pages.holdings(state, player.seat.pk).items()), None)
    assert held is None or escape(str(held[1])) in line


def test_what_is_said_of_many_targets_is_folded_behind_the_first_two():
    odds = tuple((f"Target {n}", f"won {n}%") for n in range(5))
    button = {"command": "declare-war", "label": "Declare war"}
    shown = render_to_string("pages/act.html", {"act": {"button": button, "odds": odds}})
    first, folded = shown.split("<details")
    assert [n for n in range(5) if f"Target {n}" in first] == [0, 1] and "and 3 more" in folded
    assert [n for n in range(5) if f"Target {n}" in folded] == [2, 3, 4]
    assert "<details" not in render_to_string("pages/act.html", {"act": {"button": button, "odds": odds[:2]}})


def test_every_form_that_a_seat_offers_opens(ground):
    player = Player(seat_of(ground.game))
    for _, address, label in PUT.findall(player.part("may/")):
        answer = player.client.get(unescape(address))
        assert answer.status_code == 200, f"{label}: {answer.content.decode()[:300]}"


def test_a_player_acts_and_the_page_tells_what_it_did(toy):
    answer = toy.send(toy.command("propose"), text__text="Let us build.")
    assert (answer.status_code, [*json.loads(answer["HX-Trigger"])]) == (204, ["issued"]), answer.content
    assert LoggedEvent.objects.filter(game=toy.seat.game).latest("seq").type != "SeatTaken"
    assert "Let us build." in toy.part()


def test_what_is_not_a_players_is_refused_in_words_that_say_whose_it_is(toy):
    answer = toy.client.get(toy.command("pause"))
    assert (answer.status_code, "those who lead the game can issue it" in answer.content.decode()) == (409, True)
    before = LoggedEvent.objects.count()
    assert toy.client.post(toy.command("pause"), {"reason:text": ""}).status_code == 409
    assert LoggedEvent.objects.count() == before


def test_a_seat_is_for_who_holds_it(toy):
    parts = ("", "body/", "may/", "map.svg", "commands/hide-coins/")
    other = Client(headers={"HX-Request": "true"})
    other.force_login(user("stranger"))
    assert {other.get(toy.path + part).status_code for part in parts} == {404}
    assert other.post(toy.path + "ticket/").status_code == 404
    leader = Client()
    leader.force_login(Seat.objects.get(game=toy.seat.game, role="gm").user)
    own = Seat.objects.get(game=toy.seat.game, role="gm")
    refused = leader.get(f"/games/{toy.seat.game_id}/seats/{own.pk}/")
    assert (refused.status_code, "has its desk" in refused.content.decode()) == (403, True)
    assert leader.get(f"/games/{toy.seat.game_id}/seat/").status_code == 403


def test_the_way_to_ones_seat_leads_there_and_from_the_home_page(toy):
    assert toy.client.get(reverse("own-seat", args=[toy.seat.game_id])).headers["Location"] == toy.path
    assert reverse("own-seat", args=[toy.seat.game_id]) in toy.client.get("/").content.decode()
    stranger = Client().get(toy.path)
    assert (stranger.status_code, "log-in" in stranger.headers["Location"]) == (302, True)


def test_what_may_be_done_is_looked_up_anew_where_the_seat_has_seen_something(toy):
    first = toy.part("may/")
    sight = Form(first).values["sight"][0]
    assert toy.client.get(toy.path + "may/", {"sight": sight}).status_code == 204
    assert toy.send(toy.command("propose"), text__text="Rain?").status_code == 204
    assert toy.client.get(toy.path + "may/", {"sight": sight}).status_code == 200


def test_a_ticket_to_the_stream_is_that_of_the_seat(toy):
    answer = toy.client.post(toy.path + "ticket/")
    assert answer.status_code == 200 and answer.json()["ticket"]
    assert f"seat={toy.seat.pk}" in toy.client.get(toy.path, headers={"HX-Request": ""}).content.decode()


def test_a_secret_of_another_seat_is_on_no_part_of_the_page(toy):
    other = Player(seat_of(toy.seat.game, 1))
    parts = {part: toy.part(part) for part in ("body/", "may/")}
    assert other.send(other.command("hide-coins"), coins__number=7).status_code == 204
    for part, before in parts.items():
        assert without_keys(toy.part(part)) == without_keys(before)


def without_keys(text: str) -> str:
    """A page without what is of each look: keys, the time that is left."""
    return re.sub(r'[0-9a-f]{32}|data-left="[0-9.]+"', "", text)
