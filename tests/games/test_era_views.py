"""Who sees what of a live event (section 9.3): players, gods, anonymous visitors, game-masters; through both APIs."""

import json

import pytest
from graphql import get_named_type

from api.graphql.schema import schema
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.gm_desk.commands import SignEntry
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.state.value_types import Place, ShareOf, Target
from tests.api.graph import camel_case, whole_selection
from tests.games.live import Event, Table, live

pytestmark = pytest.mark.django_db
SECRET = ("purses", "cards", "factors", "holders", "proposals", "tasks", "grants", "authorships", "orders")
"""Tables whose rows belong to a seat."""


@pytest.fixture
def event() -> Event:
    """A named land, a modification, a war, a draft of Ana and Ben, acts of Ana."""
    made = live()
    made.run(NamePlace(kind="land", squares=(Place(x=0, y=0),), name="Northmark"))
    made.run(CastPower(power="call_to_arms", targets=(Target(race=made.races["Dwarves"]),)), "ana")
    made.run(DeclareWar(power="declare_war", attacker=made.races["Dwarves"], defender=made.races["Elves"]), "ana")
    pantheon = tuple(ShareOf(member=str(made.seats[god]), share=5000) for god in ("ana", "ben"))
    made.run(DraftPantheonOrder(race=made.races["Dwarves"], pantheon=pantheon), "ana")
    return made


def state_of(event: Event, name: str, *, gm: bool = False) -> dict:
    return Table(event, name, gm=gm).get("state/")


def rows_of(event: Event, name: str, table: str, *, gm: bool = False) -> list[dict]:
    """The rows of a list, as somebody may see them."""
    query = {"game": event.id, **({"as": "gm"} if gm else {})}
    return Table(event, name, gm=gm).client.get(f"/api/v1/gods2/{table}/", query).json()["results"]


@pytest.mark.parametrize("name", ["", "cleo", "ana"])
def test_the_map_its_names_modifications_and_the_history_are_public(event, name):
    found = state_of(event, name)
    assert [land["name"] for land in found["lands"]] == ["Northmark"]
    assert {race["name"] for race in found["races"]} == {"Dwarves", "Elves"}
    assert [m["power"] for m in found["modifications"]] == ["call_to_arms"] and "cuts" in found
    table = Table(event, name)
    history = [e for e in table.get("events/", limit=500)["results"] if e["type"] == "gods2.HistoryEntered"]
    assert len(history) >= 2 and "Call to Arms" in " ".join(e["text"] for e in history)
    assert table.client.get(event.url("map.svg")).content.startswith(b"<svg")


@pytest.mark.parametrize("name", ["", "cleo"])
def test_declarations_and_the_numbers_of_races_are_public(event, name):
    shown = state_of(event, name)
    assert [(w["attacker"], w["defender"]) for w in shown["wars"]] == [
        (str(event.races["Dwarves"]), str(event.races["Elves"]))
    ]
    found = Table(event, name).get("breakdowns/", subject=str(event.races["Dwarves"]))["results"]
    assert {"military", "aggression", "wealth"} <= {each["stat"] for each in found}
    assert "worship" not in {each["stat"] for each in found if each["member"] == str(event.seats["ana"])}


def test_mana_cards_and_drafts_are_visible_to_their_owners_alone(event):
    ana, cleo, nobody, gm = (state_of(event, n, gm=n == "gaia") for n in ("ana", "cleo", "", "gaia"))
    own = {name: [p["id"] for p in row["purses"]] for name, row in (("ana", ana), ("cleo", cleo))}
    assert own == {"ana": [str(event.seats["ana"])], "cleo": [str(event.seats["cleo"])]}
    assert {c["seat"] for c in ana["cards"]} == {str(event.seats["ana"])}
    assert len(ana["orders"]) == 1 and not cleo["orders"] and len(gm["orders"]) == 1
    assert len(state_of(event, "ben")["orders"]) == 1  # a member, who is asked to sign
    assert {table: nobody[table] for table in SECRET} == {table: [] for table in SECRET}
    assert len(gm["purses"]) == 3 and len(gm["authorships"]) == 2


def test_the_author_of_an_act_is_shown_to_the_author_to_game_masters_and_to_all_once_it_is_signed(event):
    ana, cleo, gm = (rows_of(event, n, "deeds", gm=n == "gaia") for n in ("ana", "cleo", "gaia"))
    deeds = [d["id"] for d in ana]
    assert deeds and not cleo and {d["seat"] for d in gm} == {str(event.seats["ana"])}
    assert not rows_of(event, "cleo", "signatures")
    event.run(SignEntry(entry=deeds[0]), "ana")
    for name in ("cleo", ""):
        signed = rows_of(event, name, "signatures")
        assert [(s["id"], s["seat"]) for s in signed] == [(deeds[0], str(event.seats["ana"]))]


def test_without_a_game_masters_visibility_a_gm_sees_the_public_view(event):
    plain, nobody = state_of(event, "gaia"), state_of(event, "")
    assert {table: plain[table] for table in SECRET} == {table: nobody[table] for table in SECRET}


@pytest.mark.parametrize("name", ["", "ana", "cleo", "gaia"])
def test_both_apis_show_the_same(event, name):
    gm = name == "gaia"
    table = Table(event, name, gm=gm)
    parts = (*SECRET, "races", "modifications", "lands", "wars", "cuts", "laws")
    fields = schema._schema.type_map["Gods2State"].fields
    chosen = " ".join(f"{part} {whole_selection(get_named_type(fields[part].type))}" for part in parts)
    state = f"... on Gods2Game {{ state {{ {chosen} }} }}"
    query = f"query($g: UUID!, $gm: Boolean!) {{ game(id: $g, asGm: $gm) {{ {state} }} }}"
    body = json.dumps({"query": query, "variables": {"g": str(event.id), "gm": gm}})
    answer = table.client.post("/graphql/", body, content_type="application/json").json()["data"]["game"]["state"]
    rest = table.get("state/")
    for part in parts:
        assert answer[part] == camel_case(rest[part], fields[part].type), part


def test_acts_are_sent_to_spectators_as_they_happen_without_their_author(event):
    watcher = Table(event, "")
    cursor = watcher.get("events/", limit=500)["cursor"]
    event.run(CastPower(power="call_to_arms", targets=(Target(race=event.races["Elves"]),)), "ana")
    answer = watcher.get("events/", after=cursor)["results"]
    assert {"gods2.PowerCast", "gods2.HistoryEntered", "gods2.ModificationAdded"} <= {e["type"] for e in answer}
    assert not {"gods2.PowerAuthored", "gods2.ManaSpent", "gods2.DeedAuthored", "gods2.NumberDrawn"} & {
        e["type"] for e in answer
    }
    assert str(event.seats["ana"]) not in json.dumps([e for e in answer if e["type"] != "gods2.NumberCalled"])
