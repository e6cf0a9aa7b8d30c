"""A game is set up from its desk alone: each step is a form that is filled in as it is shown."""

import re
from html import unescape
from uuid import UUID

import pytest
from django.test import Client

from games.models import Game, Seat
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import user
from tests.event_pages.desks import Desk, Form
from tests.event_pages.test_opening import opened

pytestmark = [pytest.mark.django_db, pytest.mark.once]
OPTION = re.compile(r'<option value="([^"]*)"[^>]*>([^<]*)</option>')


@pytest.fixture
def eve() -> Client:
    """Somebody who is signed in, at pages that are asked for in parts."""
    client = Client(headers={"HX-Request": "true"})
    client.force_login(user("eve"))
    return client


def choice(html: str, name: str, title: str) -> str:
    """The value of a select by what is written on it; of what leaves no choice, that it says."""
    if f'<select id="field-{name.partition(":")[0]}"' not in html and f"<strong>{title}</strong>" in html:
        return unescape(re.search(f'name="{name}" value="([^"]*)"', html).group(1))
    part = html[html.index(f'name="{name}"') :]
    found = {unescape(words): unescape(value) for value, words in OPTION.findall(part[: part.index("</select>")])}
    return found[title]


def fill(
    desk: Desk, command: str, chosen: dict[str, str], acting_for: UUID | None = None, **written: str | list[str]
) -> None:
    """Open the form of a command, choose by titles, write into fields, and send it."""
    address = desk.address(command, None, acting_for)
    html = desk.client.get(address).content.decode()
    fields = {name: choice(html, name, title) for name, title in chosen.items()}
    answer = desk.client.post(address, Form(html).values | fields | written)
    assert answer.status_code == 204, re.sub("<[^>]*>", " ", answer.content.decode())


def test_a_game_of_the_gods_is_set_up_with_races_and_their_pantheons(eve: Client) -> None:
    game = opened(eve, "gods2")
    desk = Desk(game, eve)
    for name in ("Ann", "Bob"):
        fill(desk, "add-seat", {"role:json": "player"}, **{"name:text": name})
    fill(desk, "configure-game", {})
    fill(desk, "set-map", {}, **{"rows:lines": "\n".join(["PPPPPPPPPPPPPPPPPPWW"] * 30)})
    for seat, name in (("Ann", "Ares"), ("Bob", "Bes")):
        told = {"name:text": name, "cards.2.count:number": "6"}  # of the Sea
        fill(desk, "define-god", {"seat:json": seat, "kind:json": "god"}, **told)
    for name, x in (("Reds", "0"), ("Blues", "9")):
        place = {"placed.0.square.x:number": x, "placed.0.square.y:number": "3", "placed.0.units:number": "1"}
        shares = {
            "pantheon.0.share:number": "6000",
            "pantheon.1.share:number": "3000",
            "pantheon.2.share:number": "1000",
        }
        members = {
            "pantheon.0.member:json": "Ares",
            "pantheon.1.member:json": "Bes",
            "pantheon.2.member:json": "atheism",
        }
        fill(desk, "define-race", members, **{"name:text": name}, **place, **shares)
    fill(desk, "start", {})
    fill(desk, "open-session", {})

    state = Game.objects.get(pk=game.pk)
    assert state.status == "running"
    with STATE_CACHE.reading(state) as held:
        shares = {
            (held.races[race].name, held.name_of(member) or member): row.share
            for (race, member), row in held.shares.items()
        }
        cards = {(held.name_of(str(seat)), sphere): row.count for (seat, sphere), row in held.cards.items()}
    assert shares == {
        (race, member): share
        for race in ("Reds", "Blues")
        for member, share in (("Ares", 6000), ("Bes", 3000), ("atheism", 1000))
    }
    assert cards == {("Ares", "SE"): 6, ("Bes", "SE"): 6}


Written = dict[str, str | list[str]]
SET_UPS: dict[str, tuple[list[tuple[str, dict[str, str]]], str, Written]] = {
    "dawn": (
        [("set-map", {"preset:json": "all ocean", "width:number": "8", "height:number": "6"})],
        "define-god",
        {"name:text": "God {}", "moral:json": '"good"', "portfolio:lines": "Tides\nSalt"},
    ),
    "albraxas": (
        [("play-albraxas", {"seat:json": "Seat 1"})],
        "define-character",
        {"name:text": "Rebel {}", "backbone:number": "5", "battle:number": "4", "blitz:number": "4"},
    ),
    "dietower": (
        [],
        "save-sheet",
        {
            "name:text": "Hero {}", "weapon:text": "Sword", "power:text": "Flight", "power_drawback:text": "Fear",
            "deviation:text": "Blue", "mystery:text": "Who?",
        },
    ),
}  # fmt: skip
"""What is done after the start of each game with a set-up, and what each seat's own part of it is."""


@pytest.mark.parametrize("slug", SET_UPS)
def test_a_game_with_a_set_up_is_brought_through_it_for_seats_that_nobody_holds_yet(eve: Client, slug: str) -> None:
    steps, own, written = SET_UPS[slug]
    desk = Desk(opened(eve, slug), eve)
    for name in ("Seat 1", "Seat 2"):
        fill(desk, "add-seat", {"role:json": "player"}, **{"name:text": name})
    fill(desk, "start", {})
    for command, given in steps:
        chosen = {name: text for name, text in given.items() if name.endswith(":json")}
        fill(desk, command, chosen, **{name: text for name, text in given.items() if name not in chosen})
    for number, seat in enumerate(Seat.objects.filter(game=desk.game, role="player").order_by("name"), 1):
        parts = {name: str(text).format(number) for name, text in written.items()}
        if slug == "albraxas" and number == 1:  # Albraxas has twenty
            parts |= {"backbone:number": "8", "battle:number": "6", "blitz:number": "6"}
        fill(desk, own, {}, seat.pk, **parts)
    fill(desk, "end-setup", {})
    assert Game.objects.get(pk=desk.game.pk).status == "running"


def test_a_game_that_makes_its_map_in_play_is_begun_with_bots_and_its_map_accepted(eve: Client) -> None:
    desk = Desk(opened(eve, "forgeborn"), eve)
    for name in ("Seat 1", "Seat 2"):
        fill(desk, "add-seat", {"role:json": "player", "bot:json": "steady"}, **{"name:text": name})
    fill(desk, "start", {})
    fill(desk, "accept-map", {})
    with STATE_CACHE.reading(Game.objects.get(pk=desk.game.pk)) as state:
        assert state.step == "smiths"
