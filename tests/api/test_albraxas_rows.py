"""The rows of Albraxas and its secrets: both APIs show the same to the same visibility, and nothing to others."""

import json
from uuid import UUID

import pytest
from django.utils import timezone

from api.graphql.commands import camel
from games.albraxas import api
from games.albraxas.rules.ending.commands import Concede
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.models import Seat
from tests.api.albraxas import at
from tests.api.graph import rows_of_graph
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, PEOPLE, Battle, battle, begin

pytestmark = pytest.mark.django_db


def rows_of(resource, here: Battle, name: str | None, *, gm: bool = False, by=None) -> list[dict]:
    """The rows of one game through both APIs, which must show the same. by: the client of one seat, if there is one."""
    who = by or (client(user(name)) if name else client())
    query = {"game": str(here.id), "limit": "100", **({"as": "gm"} if gm else {})}
    rest = who.get(f"/api/v1/albraxas/{resource.name}/", query).json()["results"]
    shown = rows_of_graph(who, "albraxas", here.id, resource, as_gm=gm)
    assert [{camel(k): v for k, v in row.items()} for row in rest] == shown, resource.name
    return rest


def test_both_apis_show_the_same_rows_to_the_same_visibility():
    found = dict.fromkeys((resource.name for resource in api.RESOURCES), 0)
    clients = {name: client(user(name)) if name else client() for name in (None, "ria", ALBERT, "host")}
    for step in ("characters", "locked", "order"):
        here = at(step)
        if step == "order":
            here.write(ria=(battle(),), rex=(), albert=())
        for resource in api.RESOURCES:
            for name, by in clients.items():
                found[resource.name] += len(rows_of(resource, here, name, gm=name == "host", by=by))
    assert [name for name, number in found.items() if number == 0] == []


def of(name: str) -> object:
    """A resource by its name."""
    return next(r for r in api.RESOURCES if r.name == name)


def test_a_sheet_is_seen_by_its_own_seat_and_the_game_masters():
    here = at("characters")
    for name in PEOPLE:
        assert [row["seat"] for row in rows_of(of("sheets"), here, name)] == [str(here.seats[name])]
    assert rows_of(of("sheets"), here, "host") == rows_of(of("sheets"), here, None) == []
    assert len(rows_of(of("sheets"), here, "host", gm=True)) == 3


@pytest.mark.rule("AX-AMB-2", "AX-TRN-2")
def test_places_are_open_among_the_rebels_and_albraxas_sees_the_deadline_alone():
    here = at("locked")
    for name in ("ria", "rex"):
        assert [row["phase"] for row in rows_of(of("choices"), here, name)].count(2) == 1
        assert len(rows_of(of("choices"), here, name)) == 2
    assert rows_of(of("choices"), here, ALBERT) == rows_of(of("choices"), here, None) == []
    assert [row["locked"] for row in rows_of(of("choices"), here, "host", gm=True)].count(True) == 1
    albert, rex = client(user(ALBERT)), client(user("rex"))
    assert [p["kind"] for p in rex.get(here.url("prompts/")).json()["results"]] == ["locate"]
    assert albert.get(here.url("prompts/?all=1")).json()["results"] == []
    (timer,) = albert.get(here.url("timers/")).json()["results"]
    (own,) = rex.get(here.url("timers/")).json()["results"]
    assert (timer["key"], timer["due"]) == (own["key"], own["due"])
    text = albert.get(here.url("events/?limit=500")).content.decode()
    assert "LocationSet" not in text and "LocationLocked" not in text


@pytest.mark.rule("CF-9")
def test_orders_are_visible_to_no_other_seat_before_all_are_in():
    here = at("order")
    here.run(WriteOrders(orders=(battle(3),)), "ria")
    secret = here.state.answers[next(iter(here.state.answers))]
    for name in (*PEOPLE, None):
        who = client(user(name)) if name else client()
        for part in ("state/", "events/?limit=500", "prompts/?all=1"):
            text = who.get(here.url(part)).content.decode()
            assert (secret.salt in text) is (name == "ria" and part != "prompts/?all=1"), (name, part)
        assert rows_of(of("written"), here, name) == []
    assert secret.salt in client(user("host")).get(here.url("state/?as=gm")).content.decode()
    assert [s["digest"] for s in here.events_of("OrdersSealed")] == [secret.digest]


@pytest.mark.rule("CF-9")
def test_a_dry_run_of_the_last_orders_shows_no_orders_of_other_seats():
    here = at("order")
    *others, last = sorted(UUID(o.removeprefix("seat:")) for o in next(iter(here.state.prompts.values())).owners)
    names = {seat: name for name, seat in here.seats.items()}
    for seat in others:
        here.run(WriteOrders(orders=(battle(3),)), names[seat])
    for command in (WriteOrders(orders=(battle(1),)), Concede()):
        dry_run_events = here.run(command, names[last], dry_run=True).dry_run_events
        assert "OrdersRevealed" not in {type(h.event).__name__ for h in dry_run_events}
        assert dry_run_events
    here.run(WriteOrders(orders=(battle(1),)), names[last])
    assert here.events_of("OrdersRevealed")


def test_two_games_that_differ_in_a_place_look_alike_to_albraxas():
    """Neither that a rebel has chosen nor what is seen: prompts, legal commands, counts and rows are the same."""
    views = []
    for phase in (None, 2, 3):
        here = begin(now=timezone.now())
        if phase is not None:
            here.run(SetLocation(phase=phase), "ria")
            here.run(LockLocation(), "ria")
        albert = client(user(ALBERT))
        state = albert.get(here.url("state/")).json()
        state.pop("cursor")
        bare = json.dumps([state, albert.get(here.url("legal-commands/")).json()["results"]], sort_keys=True)
        held = Seat.objects.filter(game=here.id)
        ids = {str(seat.pk): f"<{seat.role} {seat.name}>" for seat in held} | {str(here.id): "<game>"}
        for key, name in ids.items():
            bare = bare.replace(key, name)
        answer = json.loads(bare)
        views.append((answer[0]["choices"], answer[0]["prompts"], answer[0]["answers"], sorted(map(str, answer[1]))))
    assert views[0] == views[1] == views[2]
