"""Pictures and numbers of a game of Albraxas, in REST and GraphQL alike: line view, charts, report, odds, sources."""

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from api.representations.shapes.commands import ForecastShape
from api.representations.shapes.games import ChapterShape
from api.representations.shapes.numbers import BreakdownList
from api.representations.shapes.pictures import ChartShape, Pictures
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.models import Die, LoggedEvent
from tests.api.pictures import CSP, SPACE
from tests.api.worlds import client, user
from tests.games.albraxas import ALBERT, Battle, battle, begin, blitz
from tests.games.moments import rewind_to

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NINE = {"phases": 9, "sides": 6, "check_from": 8}
JSON = "application/json"


def storm(turns: int = 0) -> Battle:
    """A game of nine phases after some turns with a fight."""
    here = begin(NINE)
    for number in range(turns):
        here.go(ria=1 + number, rex=2 + number)
        here.write(ria=(battle(), blitz(2)), rex=(battle(),), **{ALBERT: (battle(),)})
    return here


def clients_of(*people: str) -> dict[str, Client]:
    return {name: client(user(name)) for name in people}


def get(who: Client, here: Battle, rest: str, status: int = 200) -> Any:
    answer = who.get(here.url(rest))
    assert answer.status_code == status, answer.content
    return answer


def ask(who: Client, here: Battle, query: str, **variables: Any) -> dict[str, Any]:
    """What GraphQL answers about the game."""
    body = {"query": query, "variables": {"g": str(here.id), **variables}}
    answer = who.post("/graphql/", body, content_type=JSON).json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]["game"]
    return found


def test_the_list_of_pictures_names_what_there_is_to_look_at() -> None:
    here = storm(1)
    answer = Pictures.model_validate_json(get(client(), here, "pictures/").content)
    assert (answer.chapter, answer.trees) == (ChapterShape(word="turn", number=2), [])
    assert [c.name for c in answer.charts] == ["backbone", "dynamism", "strength"]


def test_the_line_view_is_drawn_for_now_and_for_every_turn() -> None:
    here = storm(2)
    now = get(client(), here, "map.svg")
    assert (now["Content-Security-Policy"], now["Content-Type"]) == (CSP, "image/svg+xml; charset=utf-8")
    root = ElementTree.fromstring(now.content)
    assert root.findtext(f"{SPACE}title", "").startswith("The river of phases: Storm")
    assert now.content == get(client(), here, "map.svg?chapter=3").content
    first, second = (get(client(), here, f"map.svg?chapter={n}").content for n in (1, 2))
    assert (
        b"The end of turn 1" in first
        and b"Turn 1 of 8: Tide and Ebb are being compared" in first
        and b"Turn 2 of 8: " in second
    )
    assert b"Before the first turn" in get(client(), here, "map.svg?chapter=0").content
    assert get(client(), here, "map.svg?chapter=4", 409).json()["facts"] == {"asked": 4, "running": 3}
    unchanged = client().get(here.url("map.svg?chapter=1"), headers={"If-None-Match": '"x"'})
    again = client().get(here.url("map.svg?chapter=1"), headers={"If-None-Match": unchanged["ETag"]})
    assert (unchanged.content, again.status_code) == (first, 304)
    svg = "query($g: UUID!, $c: Int!) { game(id: $g) { mapSvg(chapter: $c) } }"
    assert ask(client(), here, svg, c=1)["mapSvg"].encode() == first


def test_the_past_line_view_follows_a_rewind() -> None:
    here = storm(1)
    first = get(client(), here, "map.svg?chapter=1").content
    to = LoggedEvent.objects.filter(game=here.id, type="LocationSet").order_by("seq").first().seq - 1
    here.run(rewind_to(here.id, to, "Once more."), "gm")
    assert get(client(), here, "map.svg?chapter=2", 409).json()["code"] == "chapter.ahead"
    here.go(ria=7, rex=8)
    here.write(ria=(), rex=(), **{ALBERT: ()})
    again = get(client(), here, "map.svg?chapter=1").content
    assert again != first and b"phase 7" in again


@pytest.mark.rule("AX-TRN-2")
def test_before_the_last_lock_albraxas_and_observers_see_not_a_byte_of_where_the_rebels_go() -> None:
    here = storm(1)
    blind = {**clients_of(ALBERT, "eve"), "nobody": client()}
    rest = ("map.svg", "map.svg?chapter=2", "charts/strength.svg", "charts/dynamism/", "breakdowns/",
            "chronicle/?chapter=2", "pictures/")  # fmt: skip
    before = {(name, path): get(who, here, path).content for name, who in blind.items() for path in rest}
    rex = clients_of("rex")["rex"]
    open_before = get(rex, here, "map.svg").content
    here.run(SetLocation(phase=5), "ria")
    here.run(LockLocation(), "ria")
    after = {(name, path): get(who, here, path).content for name, who in blind.items() for path in rest}
    assert {key for key in before if before[key] != after[key]} == set()
    picture = get(rex, here, "map.svg").content
    assert picture != open_before and b"goes to 5" in picture
    assert b"goes to 5" in client(user("host")).get(here.url("map.svg?as=gm")).content
    told = "chronicle/?chapter=2"  # to everybody the same
    assert get(rex, here, told).json()["results"][0]["text"] == "Albraxas stands seven phases from the Beginning."
    assert "phase 5" not in get(rex, here, told).content.decode()


@pytest.mark.rule("AX-TRN-5")
def test_before_all_orders_are_in_no_other_seat_sees_a_byte_of_them() -> None:
    here = storm()
    here.go(ria=1, rex=2)
    here.write(ria=(battle(), blitz(4)))
    others = {**clients_of(ALBERT, "rex"), "nobody": client()}
    rest = ("map.svg", "charts/dynamism/", "breakdowns/", "chronicle/?chapter=1", "chronicle/?chapter=1&format=text")
    before = {(name, path): get(who, here, path).content for name, who in others.items() for path in rest}
    assert not [key for key, body in before.items() if b"blitz" in body]
    here.write(ria=(blitz(1),))
    after = {(name, path): get(who, here, path).content for name, who in others.items() for path in rest}
    assert {key for key in before if before[key] != after[key]} == set()


def test_charts_show_every_turn_and_graphql_the_same() -> None:
    here = storm(2)
    answer = ChartShape.model_validate_json(get(client(), here, "charts/strength/").content)
    assert [(m.chapter, m.ended) for m in answer.moments] == [(0, True), (1, True), (2, True), (3, False)]
    checks = here.events_of("TurnChecked")
    rows = {row.key: row.amounts for row in answer.rows}
    assert rows["tide"] == [3, *(c["total_tide"] for c in checks), checks[-1]["total_tide"]]
    assert rows["ebb"] == [0, *(c["total_ebb"] for c in checks), checks[-1]["total_ebb"]]
    assert (rows["tide"][2], rows["ebb"][2]) != (3, 0), "somebody fought"
    for name in ("backbone", "dynamism"):
        chart = get(client(), here, f"charts/{name}/").json()
        now = {str(c.id): getattr(c, name) for c in here.state.characters.values()}
        assert {row["key"]: row["amounts"][-1] for row in chart["rows"]} == now
        assert ElementTree.fromstring(get(client(), here, f"charts/{name}.svg").content) is not None
    query = """query($g: UUID!) { game(id: $g) { chartSvg(name: "strength") chart(name: "strength") {
      name title unit subject over moments { chapter ended } rows { key name amounts } } } }"""
    same = ask(client(), here, query)
    assert same["chart"] == get(client(), here, "charts/strength/").json()
    assert same["chartSvg"] == get(client(), here, "charts/strength.svg").content.decode()


def test_the_report_of_a_turn_has_each_sentence_with_event_and_rules() -> None:
    here = storm(2)
    text = get(client(), here, "chronicle/?chapter=1&format=text&limit=1000").content.decode()
    lines = text.splitlines()
    assert "Albraxas stands eight phases from the Beginning" in lines[0] and lines[-1].strip().startswith("Tide ")
    fought = [line for line in lines if "  Great ria " in line]
    assert len(fought) == 1 and "[AX-ACT-2, AX-DIE-2" in fought[0] and "public/" in fought[0]
    assert not any("seven phases" in line for line in lines)
    marked = get(client(), here, "chronicle/?chapter=1&format=markdown&limit=1000").content.decode()
    assert marked.startswith("# Storm\n\n## Turn 1\n")
    answer = get(client(), here, "chronicle/?chapter=1&limit=1000").json()["results"]
    assert len(answer) + sum(bool(line["figures"]) for line in answer) == len(lines)
    assert all(line["rules"] for line in answer)
    assert {line["type"] for line in answer} >= {
        "albraxas.TurnStarted",
        "albraxas.ActionResolved",
        "albraxas.TurnChecked",
    }


FORECAST = """query($g: UUID!, $b: JSON!) { game(id: $g) { forecast(command: "write-orders", body: $b) {
  price exact cases prospects { what subject key low high odds { amount chance chanceOver } } hidden } } }"""


def test_orders_are_forecast_in_both_apis_and_nothing_is_rolled() -> None:
    here = storm()
    here.go(ria=4, rex=4)
    ria, dice = clients_of("ria")["ria"], Die.objects.count()
    before = LoggedEvent.objects.filter(game=here.id).count()
    body = {"orders": [{"action": "battle"}, {"action": "blitz", "dice": 4, "tie": {"max": 3, "mode": "always"}}]}
    answer = ria.post(here.url("forecast/write-orders/"), json.dumps(body), content_type=JSON)
    found = ForecastShape.model_validate_json(answer.content)
    assert found.price == 5 and found.exact and len(found.hidden) == 2
    for prospect in found.prospects:
        over = {odd.chance_over for odd in prospect.odds}
        assert sum(odd.chance * (max(over) // odd.chance_over) for odd in prospect.odds if odd.chance) <= max(over)
    assert {p.subject for p in found.prospects} == {here.seats["ria"]}
    same = ask(ria, here, FORECAST, b=body)["forecast"]
    assert [(p["what"], p["key"], p["low"], p["high"]) for p in same["prospects"]] == [
        (p.what, p.key, p.low, p.high) for p in found.prospects
    ]
    assert same["cases"] == found.cases
    every = ask(ria, here, FORECAST, b={})["forecast"]
    assert {p["key"] for p in every["prospects"]} >= {"recover", "battle", "backbone", "blitz:4", "convalesce"}
    assert (Die.objects.count(), LoggedEvent.objects.filter(game=here.id).count()) == (dice, before)
    barred = clients_of("eve")["eve"].post(here.url("forecast/write-orders/"), json.dumps(body), content_type=JSON)
    assert barred.status_code in (403, 404, 409)


@pytest.mark.rule("AX-EFF-1", "AX-EFF-2")
def test_effective_values_are_broken_down_in_both_apis() -> None:
    here = storm(1)
    ria = str(here.seats["ria"])
    answer = BreakdownList.model_validate_json(get(client(), here, "breakdowns/").content)
    marks = here.state.marks()
    standing = here.state.in_play()
    assert [(b.subject, b.value) for b in answer.results] == [(c.id, marks.against(c.side, c.phase)) for c in standing]
    (one,) = get(client(), here, f"breakdowns/?subject={ria}&x=9&y=0").json()["results"]
    assert (one["stat"], one["value"], one["square"]) == ("effective_tide", marks.effective_tide(9), {"x": 9, "y": 0})
    assert {step["rule"] for step in one["steps"]} == {"AX-EFF-1"}
    query = """query($g: UUID!, $r: UUID) { game(id: $g) { breakdowns(subject: $r, x: 9, y: 0) { results { subject stat
      value square { x y } steps { kind key name rule does amount value } } } } }"""
    (same,) = ask(client(), here, query, r=ria)["breakdowns"]["results"]
    assert same == {
        **{name: one[name] for name in ("subject", "stat", "value", "square")},
        "steps": [{n: s[n] for n in ("kind", "key", "name", "rule", "does", "amount", "value")} for s in one["steps"]],
    }
    assert get(client(), here, "breakdowns/?x=10&y=0", 409).json()["code"] == "phase.range"
