"""Who sees what of a live event (section 9.3): players, gods, anonymous visitors, game-masters; through both APIs."""

import json

import pytest

from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.targets import Target
from games.gods2.rules.gm_desk import SignEntry
from games.gods2.rules.history.naming import NamePlace
from games.gods2.rules.pantheon.commands import DraftPantheonOrder
from games.gods2.rules.state.value_types import Place, ShareOf
from games.gods2.rules.war.commands import DeclareWar
from tests.games.live import Event, Table, live

pytestmark = pytest.mark.django_db
SECRET = ("purses", "cards", "factors", "holders", "proposals", "tasks", "grants", "authorships", "deeds", "orders")
"""Tables whose rows are somebody's own."""


@pytest.fixture
def event() -> Event:
    """A named land, a modification, a war, a draft of Ana and Ben, deeds of Ana."""
    made = live()
    made.run(NamePlace(kind="land", squares=(Place(x=0, y=0),), name="Northmark"))
    made.run(CastPower(power="call_to_arms", targets=(Target(race=made.races["Dwarves"]),)), "ana")
    made.run(DeclareWar(power="declare_war", attacker=made.races["Dwarves"], defender=made.races["Elves"]), "ana")
    pantheon = tuple(ShareOf(member=str(made.seats[god]), share=5000) for god in ("ana", "ben"))
    made.run(DraftPantheonOrder(race=made.races["Dwarves"], pantheon=pantheon), "ana")
    return made


def seen(event: Event, name: str, *, gm: bool = False) -> dict:
    return Table(event, name, gm=gm).get("state/")


@pytest.mark.parametrize("name", ["", "cleo", "ana"])
def test_the_map_with_its_names_what_works_on_races_and_the_history_are_everybodys(event, name):
    found = seen(event, name)
    assert [land["name"] for land in found["lands"]] == ["Northmark"]
    assert {race["name"] for race in found["races"]} == {"Dwarves", "Elves"}
    assert [m["power"] for m in found["modifications"]] == ["call_to_arms"] and "cuts" in found
    table = Table(event, name)
    history = [e for e in table.get("events/", limit=500)["results"] if e["type"] == "HistoryEntered"]
    assert len(history) >= 2 and "Call to Arms" in " ".join(e["text"] for e in history)
    assert table.client.get(event.url("map.svg")).content.startswith(b"<svg")


@pytest.mark.parametrize("name", ["", "cleo"])
def test_declarations_and_the_numbers_of_races_are_on_the_table(event, name):
    shown = seen(event, name)
    assert [(w["attacker"], w["defender"]) for w in shown["wars"]] == [
        (str(event.races["Dwarves"]), str(event.races["Elves"]))
    ]
    found = Table(event, name).get("breakdowns/", race=str(event.races["Dwarves"]))["results"]
    assert {"military", "aggression", "wealth"} <= {each["stat"] for each in found}
    assert "worship" not in {each["stat"] for each in found if each["member"] == str(event.seats["ana"])}


def test_mana_cards_and_drafts_are_their_owners(event):
    ana, cleo, nobody, gm = (seen(event, n, gm=n == "gaia") for n in ("ana", "cleo", "", "gaia"))
    own = {name: [p["id"] for p in row["purses"]] for name, row in (("ana", ana), ("cleo", cleo))}
    assert own == {"ana": [str(event.seats["ana"])], "cleo": [str(event.seats["cleo"])]}
    assert {c["seat"] for c in ana["cards"]} == {str(event.seats["ana"])}
    assert len(ana["orders"]) == 1 and not cleo["orders"] and len(gm["orders"]) == 1
    assert len(seen(event, "ben")["orders"]) == 1  # a member, who is asked to sign
    assert {table: nobody[table] for table in SECRET} == {table: [] for table in SECRET}
    assert len(gm["purses"]) == 3 and len(gm["authorships"]) == 2


def test_the_author_of_a_deed_is_told_to_himself_to_game_masters_and_to_all_when_he_signs(event):
    ana, cleo, gm = (seen(event, n, gm=n == "gaia") for n in ("ana", "cleo", "gaia"))
    deeds = [d["id"] for d in ana["deeds"]]
    assert deeds and not cleo["deeds"] and {d["seat"] for d in gm["deeds"]} == {str(event.seats["ana"])}
    assert not cleo["signatures"]
    event.run(SignEntry(entry=deeds[0]), "ana")
    for name in ("cleo", ""):
        signed = seen(event, name)["signatures"]
        assert [(s["id"], s["seat"]) for s in signed] == [(deeds[0], str(event.seats["ana"]))]


def test_without_the_eyes_of_a_game_master_she_sees_what_everybody_sees(event):
    plain, nobody = seen(event, "gaia"), seen(event, "")
    assert {table: plain[table] for table in SECRET} == {table: nobody[table] for table in SECRET}


@pytest.mark.parametrize("name", ["", "ana", "cleo", "gaia"])
def test_both_apis_tell_the_same(event, name):
    gm = name == "gaia"
    table = Table(event, name, gm=gm)
    query = "query($g: UUID!, $gm: Boolean!) { game(id: $g, asGm: $gm) { state } }"
    body = json.dumps({"query": query, "variables": {"g": str(event.id), "gm": gm}})
    answer = table.client.post("/graphql/", body, content_type="application/json").json()["data"]["game"]["state"]
    rest = table.get("state/")
    for noun in (*SECRET, "races", "modifications", "lands", "wars", "cuts", "signatures", "laws"):
        assert answer[noun] == rest[noun], noun


def test_what_is_done_is_told_to_spectators_as_it_happens_without_its_author(event):
    watcher = Table(event, "")
    cursor = watcher.get("events/", limit=500)["cursor"]
    event.run(CastPower(power="call_to_arms", targets=(Target(race=event.races["Elves"]),)), "ana")
    answer = watcher.get("events/", after=cursor)["results"]
    assert {"PowerCast", "HistoryEntered", "ModificationAdded"} <= {e["type"] for e in answer}
    assert not {"PowerAuthored", "ManaSpent", "DeedAuthored", "NumberDrawn"} & {e["type"] for e in answer}
    assert str(event.seats["ana"]) not in json.dumps([e for e in answer if e["type"] != "NumberCalled"])
