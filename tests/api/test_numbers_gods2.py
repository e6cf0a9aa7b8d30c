"""Breakdowns, legal casts and forecasts through both APIs: equal answers to equal visibility, changing nothing."""

import json

import pytest

from api.representations.shapes.commands import ForecastShape, LegalCommandList
from api.representations.shapes.numbers import BreakdownList, ReachList
from games import registry
from games.gods2.rules.geometry.stats import contacts
from games.models import Die, Game
from tests.api.gods2 import Earth, earth
from tests.api.worlds import client, toy_game
from tests.play.ruleless import choices

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors")]
JSON = "application/json"
STEP = "kind key name rule does amount amountOver value valueOver"
BREAKDOWNS = """query($g: UUID!, $r: UUID, $x: Int, $y: Int, $gm: Boolean = false) { game(id: $g, asGm: $gm) {
  breakdowns(subject: $r, x: $x, y: $y) { cursor results { subject stat role member square { x y } unit value valueOver
  steps { STEP } } } } }""".replace("STEP", STEP)
LEGAL = """query($g: UUID!, $c: String!, $a: String!, $p: Int!) { game(id: $g) {
  legalCommands(command: $c, about: $a, page: $p) { cursor definitions results {
  command legal quits partial schema price note facts
  barred { code detail rules facts } steps { STEP } } } } }""".replace("STEP", STEP)
FORECAST = """query($g: UUID!, $c: String!, $b: JSON!) { game(id: $g) { forecast(command: $c, body: $b) { cursor price
  steps { STEP } exact cases prospects { what subject key low high odds { amount chance chanceOver } squares { x y } }
  hidden barred { code detail rules facts } } } }""".replace("STEP", STEP)


REACHES = """query($g: UUID!, $s: UUID) { game(id: $g) { reaches(subject: $s) { cursor results {
  subject free { x y } barren { x y } held { holder squares { x y } } } } } }"""


@pytest.fixture
def stage():
    return earth()


def snake(value):
    """GraphQL's names as REST writes them; what has the same name stays."""
    names = {"amountOver": "amount_over", "valueOver": "value_over", "chanceOver": "chance_over"}
    if isinstance(value, dict):
        return {names.get(key, key): snake(part) for key, part in value.items()}
    return [snake(part) for part in value] if isinstance(value, list) else value


def forecast_of(who, stage: Earth, name: str, body: dict, status: int = 200) -> dict:
    answer = who.post(stage.path(f"forecast/{name}/"), json.dumps(body), content_type=JSON)
    assert answer.status_code == status, answer.content
    return answer.json()


@pytest.mark.parametrize("as_gm", [False, True])
def test_breakdowns_are_the_same_through_both_apis(stage: Earth, as_gm: bool):
    who, query = (stage.gm, "as=gm&") if as_gm else (stage.ana, "")
    race = str(stage.cast.races["Dwarves"])
    rest = who.get(stage.path(f"breakdowns/?{query}subject={race}&x=1&y=1"))
    answer = BreakdownList.model_validate_json(rest.content)
    graphql = stage.ask(who, BREAKDOWNS, r=race, x=1, y=1, gm=as_gm)["game"]["breakdowns"]
    assert snake(graphql) == rest.json()
    stats = {(b.stat, b.role) for b in answer.results}
    assert {("military", None), ("military", "attacker"), ("growth", None), ("limit:P", None)} <= stats
    assert {b.subject for b in answer.results} == {stage.cast.races["Dwarves"]}
    growth = next(b for b in answer.results if b.stat == "growth")
    assert (growth.value, growth.value_over, growth.steps[0].rule) == (25, 1, "G2-POP-3")


def test_mana_of_a_race_is_broken_down_for_the_god_who_earns_it_alone(stage: Earth):
    def members(who, query: str = "") -> set:
        found = who.get(stage.path(f"breakdowns/{query}")).json()["results"]
        return {b["member"] for b in found if b["stat"].startswith("mana:")}

    assert members(stage.ana) == {str(stage.cast.ana)}
    assert members(stage.ben) == members(stage.eve) == set()
    assert members(stage.gm, "?as=gm") == {str(stage.cast.ana)}


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("subject=00000000-0000-0000-0000-000000000000", 404, "race.missing"),
        ("subject=x", 422, "query.invalid"),
        ("x=1", 422, "query.invalid"),
        ("x=-1&y=0", 422, "query.invalid"),
        ("x=99&y=0", 409, "square.off_map"),
    ],
)
def test_a_breakdown_of_nothing_is_refused(stage: Earth, query: str, status: int, code: str):
    answer = stage.ana.get(stage.path(f"breakdowns/?{query}"))
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_what_a_race_borders_is_the_same_through_both_apis_and_for_everybody(stage: Earth):
    dwarves = str(stage.cast.races["Dwarves"])
    rest = stage.ana.get(stage.path(f"reaches/?subject={dwarves}"))
    (found,) = ReachList.model_validate_json(rest.content).results
    assert stage.ask(stage.ana, REACHES, s=dwarves)["game"]["reaches"] == rest.json()
    assert str(found.subject) == dwarves and found.free
    state = registry.store("gods2").load(Game.objects.get(pk=stage.game.pk))
    assert [held.holder for held in found.held] == contacts(state, stage.cast.races["Dwarves"])
    everyone = stage.eve.get(stage.path("reaches/")).json()["results"]
    assert stage.ask(stage.eve, REACHES)["game"]["reaches"]["results"] == everyone
    assert rest.json()["results"][0] in everyone and len(everyone) == len(stage.cast.races)
    for query, status, code in (("subject=x", 422, "query.invalid"), (f"subject={stage.game.pk}", 404, "race.missing")):
        answer = stage.ana.get(stage.path(f"reaches/?{query}"))
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_game_without_breakdowns_has_none():
    toy = toy_game()
    assert client(toy.ann).get(toy.path("reaches/")).json()["results"] == []
    assert client(toy.ann).get(toy.path("breakdowns/")).json()["results"] == []
    answer = client(toy.ann).post(toy.path("forecast/add-stones/"), {"stones": 1}, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "command.silent")


def test_legal_casts_list_prices_step_by_step_and_can_be_narrowed_in_both_apis(stage: Earth):
    whole = LegalCommandList.model_validate_json(stage.ana.get(stage.path("legal-commands/")).content)
    cast = [o for o in whole.results if o.command == "cast-power"]
    assert len(cast) > 50 and any(o.legal for o in cast)
    query = "?command=cast-power&about=raise_mountain&page=0"
    rest = stage.ana.get(stage.path(f"legal-commands/{query}")).json()
    graphql = stage.ask(stage.ana, LEGAL, c="cast-power", a="raise_mountain", p=0)["game"]["legalCommands"]
    assert snake(graphql) == {name if name != "$defs" else "definitions": part for name, part in rest.items()}
    (legal,) = rest["results"]
    assert legal["price"] == 4 and legal["steps"][0]["rule"] == "G2-HIST-6"
    assert (legal["facts"]["cards"], legal["facts"]["level"], legal["facts"]["mana"]) == (5, 2, 20)
    named = [square["squares"][0] for (square,) in choices(legal, rest, "targets")]
    assert {"x": 0, "y": 0} not in named and len(named) == 27
    (beyond,) = stage.ana.get(stage.path(f"legal-commands/{query[:-1]}1")).json()["results"]
    assert "targets" not in beyond["schema"]["properties"]
    (short,) = stage.ana.get(stage.path("legal-commands/?command=cast-power&about=flood")).json()["results"]
    assert (short["legal"], short["barred"]["code"], short["barred"]["rules"]) == (False, "power.level", ["G2-HIST-7"])
    assert stage.ana.get(stage.path("legal-commands/?page=x")).status_code == 422


def test_a_power_is_forecast_alike_and_nothing_is_stored(stage: Earth):
    body = {"power": "tremor", "targets": [{"squares": [{"x": 4, "y": 1}]}]}
    before, dice = stage.standing(), Die.objects.count()
    rest = forecast_of(stage.ana, stage, "cast-power", body)
    graphql = stage.ask(stage.ana, FORECAST, c="cast-power", b=body)["game"]["forecast"]
    assert snake(graphql) == rest
    answer = ForecastShape.model_validate(rest, strict=False)
    assert (answer.price, answer.exact, answer.barred) == (3, True, None)
    assert stage.standing() == before and Die.objects.count() == dice

    done = stage.ana.post(stage.path("commands/cast-power/"), json.dumps(body), content_type=JSON).json()
    died = {e["race"]: e["units"] for e in done["events"] if e["type"] == "UnitsDied"}
    assert {str(p.subject): p.high for p in answer.prospects if p.what == "deaths"} == died


def test_a_war_is_forecast_without_a_number_and_only_for_seats_that_play_a_god(stage: Earth):
    assert stage.ben.post(stage.path("commands/draw-number/"), "{}", content_type=JSON).status_code == 201
    body = {
        "power": "order_war",
        "attacker": str(stage.cast.races["Dwarves"]),
        "defender": str(stage.cast.races["Elves"]),
    }
    state = stage.ana.get(stage.path("legal-commands/?command=declare-war")).json()["results"]
    assert state[0]["barred"]["code"] == "number.not_called"
    answer = stage.ana.post(stage.path("forecast/declare-war/"), json.dumps(body), content_type=JSON)
    if answer.status_code == 200:
        found = answer.json()
        assert {"war_percent", "war_losses", "war_declared"} <= {p["what"] for p in found["prospects"]}
        for prospect in found["prospects"]:
            assert sum(o["chance"] / o["chance_over"] for o in prospect["odds"]) == pytest.approx(1)
    else:
        assert answer.json()["code"] == "contact.missing"
    assert forecast_of(stage.eve, stage, "cast-power", {"power": "tremor"}, 404)["code"] == "seat.missing"


def test_an_impossible_command_has_no_forecast(stage: Earth):
    assert forecast_of(stage.ana, stage, "cast-power", {"power": "no_such"}, 404)["code"] == "power.missing"
    assert forecast_of(stage.ana, stage, "cast-power", {}, 422)["code"] == "body.invalid"
    assert forecast_of(stage.ana, stage, "no-such", {}, 404)["code"] == "command.missing"
    poor = forecast_of(stage.ana, stage, "cast-power", {"power": "scorching_age"})
    assert (poor["barred"]["code"], poor["barred"]["facts"]) == ("mana.short", {"need": 22, "have": 20})
