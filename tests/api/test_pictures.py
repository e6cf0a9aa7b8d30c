"""What there is to look at: the knowledge tree, charts, the map of a past century, in REST and GraphQL alike."""

from uuid import UUID
from xml.etree import ElementTree

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.nouns import shapes
from games import log, past, registry, services
from games.engine.conduct import Rewind
from games.engine.kernel import Actor, Issuer
from games.gods2.pictures import plan_of as plan_of_state
from games.gods2.rules.naming import NamePlace
from games.models import Game, LoggedEvent, Seat, Timer
from tests.api.gods2 import Earth
from tests.api.gods2 import earth as stage
from tests.api.worlds import client, toy_game
from worlds.ids import colours_apart
from worlds.models import Race
from worlds.sight import Sight
from worlds.survey import plan_of
from worlds.svg import map_svg

pytestmark = pytest.mark.django_db
SPACE = "{http://www.w3.org/2000/svg}"

CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@pytest.fixture(autouse=True)
def empty_caches():
    for name in ("throttles", "responses"):
        caches[name].clear()


def earth() -> Earth:
    """The stage of the rules' refusals, its first century open."""
    played = stage()
    played.game.refresh_from_db()
    return played


def pass_to(played: Earth, century: int) -> None:
    """Let the clock run until a century is open."""
    for _ in range(60):
        state = registry.store("gods2").load(Game.objects.get(pk=played.game.pk))
        if state.era.century >= century:
            played.game.refresh_from_db()
            return
        timer = Timer.objects.filter(game=played.game, due__isnull=False).order_by("due").first()
        services.fire_due(played.game.pk, now=timer.due)
    raise AssertionError(f"century {century} never opens")


def gm_of(played: Earth) -> Actor:
    lead = Seat.objects.get(game=played.game, role="gm")
    return Actor(Issuer.GM, lead.user_id, lead.pk)


def get(who, played: Earth, rest: str, status: int = 200):
    answer = who.get(played.path(rest))
    assert answer.status_code == status, answer.content
    return answer


def refused(who, played: Earth, rest: str, status: int, code: str) -> dict:
    problem = get(who, played, rest, status).json()
    assert problem["code"] == code
    return problem


def drawn(answer) -> ElementTree.Element:
    """The picture of an answer, which must be one that runs nothing."""
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert (answer["Content-Security-Policy"], answer["X-Content-Type-Options"]) == (CSP, "nosniff")
    root = ElementTree.fromstring(answer.content)
    assert root.findtext(f"{SPACE}title") and root.findtext(f"{SPACE}desc")
    assert not [node for node in root.iter() if node.tag.removeprefix(SPACE) in ("script", "image", "a")]
    return root


def test_it_is_told_what_there_is_to_look_at():
    played = earth()
    told = shapes.Pictures.model_validate_json(get(played.eve, played, "pictures/").content)
    assert (told.word, told.century) == ("Century", 1)
    assert {c.name: c.about for c in told.charts} == {"mana": "nobody", "pantheon": "race", "population": "anybody"}
    assert [t.name for t in told.trees] == ["knowledges"]
    toy = toy_game()
    assert client().get(toy.path("pictures/")).json() == {"word": None, "century": 0, "charts": [], "trees": []}


# --- the tree --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("G2-KNOW-5")
def test_everybody_may_read_the_tree_and_what_each_race_knows():
    played = earth()
    told = shapes.TreeShape.model_validate_json(get(client(), played, "trees/knowledges/").content)
    state = registry.store("gods2").load(played.game)
    assert {n.key: sorted(n.prerequisites) for n in told.nodes} == {
        k.id: sorted(k.prereqs) for k in state.pack.knowledges.values()
    }
    assert {s.race: s.known for s in told.races} == {r.id: list(r.knowledges) for r in state.living()}
    (race, *_) = told.races
    alone = shapes.TreeShape.model_validate_json(get(client(), played, f"trees/knowledges/?race={race.race}").content)
    assert alone.races == [race] and alone.nodes == told.nodes


def test_the_tree_is_drawn_and_a_race_is_shown_by_signs_too():
    played = earth()
    race = registry.store("gods2").load(played.game).living()[0]
    bare = drawn(get(client(), played, "trees/knowledges.svg"))
    assert not [n for n in bare.iter(f"{SPACE}path") if n.get("class") == "s"]
    root = drawn(get(client(), played, f"trees/knowledges.svg?race={race.id}"))
    groups = [g.get("class") for g in root.iter(f"{SPACE}g")]
    assert groups.count("known") == len(race.knowledges) + 1  # one in the key below
    assert len([n for n in root.iter(f"{SPACE}path") if n.get("class") == "s"]) == len(groups)
    assert "Known:" in root.findtext(f"{SPACE}desc")


def test_what_is_no_tree_no_chart_and_no_race_is_missing():
    played = earth()
    toy, nobody = toy_game(), UUID(int=5)
    refused(client(), played, "trees/feelings/", 404, "tree.missing")
    refused(client(), played, "charts/feelings.svg", 404, "chart.missing")
    refused(client(), played, f"trees/knowledges.svg?race={nobody}", 404, "race.missing")
    refused(client(), played, f"charts/pantheon/?race={nobody}", 404, "race.missing")
    refused(client(), played, "charts/population/?race=elves", 422, "query.invalid")
    refused(client(), played, "charts/pantheon/", 409, "race.needed")
    refused(client(), played, f"charts/mana/?race={nobody}", 409, "race.unneeded")
    assert client().get(toy.path("trees/knowledges/")).json()["code"] == "tree.missing"
    assert client().get(toy.path("charts/mana/")).json()["code"] == "chart.missing"


# --- charts ----------------------------------------------------------------------------------------------------------


def chart(who, played: Earth, rest: str) -> shapes.ChartShape:
    return shapes.ChartShape.model_validate_json(get(who, played, f"charts/{rest}").content)


def test_the_values_of_a_chart_are_those_at_the_end_of_each_century():
    played = earth()
    pass_to(played, 3)
    told = chart(client(), played, "population/")
    assert [(m.century, m.ended) for m in told.moments] == [(0, True), (1, True), (2, True), (3, False)]
    rows = {row.key: row.amounts for row in told.rows}
    opened = LoggedEvent.objects.filter(game=played.game, type="CenturyOpened").order_by("seq")
    ends = [row.seq - 1 for row in opened]
    states = [*(log.folded(played.game, end) for end in ends), registry.store("gods2").load(played.game)]
    for race in states[-1].races:
        assert rows[str(race)] == [state.board.units_of(race) for state in states]
    assert len({tuple(amounts) for amounts in rows.values()}) > 1
    assert any(amounts[0] != amounts[-1] for amounts in rows.values()), "races grow"
    closing = LoggedEvent.objects.filter(game=played.game, type="CenturyClosed").order_by("seq")
    units = [log.event_of("gods2", row).summary.units for row in closing]
    assert [sum(amounts[at] for amounts in rows.values()) for at in (1, 2)] == units


def test_mana_is_charted_for_its_own_god_and_the_gm_alone():
    played = earth()
    pass_to(played, 2)
    own = chart(played.ana, played, "mana/")
    assert [row.key for row in own.rows] == [str(played.cast.ana)]
    state = registry.store("gods2").load(played.game)
    assert own.rows[0].amounts[-1] == state.purses[played.cast.ana].balance
    assert {row.key for row in chart(played.gm, played, "mana/?as=gm").rows} == {str(seat) for seat in state.purses}
    assert chart(played.eve, played, "mana/").rows == chart(client(), played, "mana/").rows == []
    assert get(played.eve, played, "charts/mana.svg").content == get(client(), played, "charts/mana.svg").content
    assert "nothing here that you may see" in get(client(), played, "charts/mana.svg").content.decode()


def test_the_shares_of_a_pantheon_are_parts_of_a_whole():
    played = earth()
    pass_to(played, 3)
    race = next(iter(played.cast.races.values()))
    told = chart(client(), played, f"pantheon/?race={race}")
    assert told.over == 100 and told.race == race
    for at in range(len(told.moments)):
        assert sum(row.amounts[at] or 0 for row in told.rows) == 100 * told.over
    shown = drawn(get(client(), played, f"charts/pantheon.svg?race={race}"))
    assert len(list(shown.iter(f"{SPACE}pattern"))) == len(told.rows)


def test_one_race_has_its_units_and_its_strength():
    played = earth()
    race = next(iter(played.cast.races.values()))
    told = chart(client(), played, f"population/?race={race}")
    assert {row.key for row in told.rows} == {"units", "strength"}


def test_the_past_is_folded_once_for_all_charts():
    played = earth()
    pass_to(played, 3)
    get(client(), played, "charts/population/")
    asked = []
    for rest in ("population/", "mana/", f"pantheon/?race={next(iter(played.cast.races.values()))}"):
        with CaptureQueriesContext(connection) as seen:
            get(client(), played, f"charts/{rest}")
        assert not [q for q in seen if '"games_loggedevent"."body"' in q["sql"] and '"seq" <=' in q["sql"]]
        asked.append(len(seen))
    assert len(set(asked)) == 1


# --- the map of a century --------------------------------------------------------------------------------------------


def test_the_map_drawn_from_a_state_is_the_map_drawn_from_its_rows():
    played = earth()
    pass_to(played, 3)
    state, world = registry.store("gods2").load(played.game), played.game.world
    colours = colours_apart(dict(Race.objects.filter(world=world).values_list("id", "colour")))
    kept = plan_of(world)
    assert plan_of_state(state, colours).races == kept.races
    for part in ("terrain", "owner", "units", "cities", "marks", "lands"):
        assert getattr(plan_of_state(state, colours), part) == getattr(kept, part), part
    now = get(client(), played, "map.svg").content
    assert (
        get(client(), played, "map.svg?century=3").content
        == now
        == map_svg(
            plan_of(world, title=played.game.name, subtitle=registry.store("gods2").caption(played.game))
        ).encode()
    )


def test_the_map_of_a_century_shows_the_world_as_it_was_then():
    played = earth()
    before = get(client(), played, "map.svg").content
    pass_to(played, 2)
    first = get(client(), played, "map.svg?century=1")
    root = drawn(first)
    assert root.findtext(f"{SPACE}title") == "Stage: The end of century 1"
    pass_to(played, 4)
    caches["responses"].clear()
    again = get(played.ana, played, "map.svg?century=1")
    assert again.content == first.content != get(client(), played, "map.svg?century=3").content
    start = get(client(), played, "map.svg?century=0").content
    assert b"Before the first century" in start and start != before
    assert get(client(), played, "map.svg?century=1", 200)["ETag"] == first["ETag"]
    kept = client().get(played.path("map.svg?century=1"), headers={"If-None-Match": first["ETag"]})
    assert kept.status_code == 304


def test_a_century_that_has_not_begun_is_refused_with_its_numbers():
    played = earth()
    for rest in ("map.svg?century=7", "chronicle/?century=7"):
        problem = refused(played.ana, played, rest, 409, "century.ahead")
        assert problem["facts"] == {"asked": 7, "running": 1}
        assert problem["detail"] == "Century 7 has not begun: century 1 is running."
    for bad in ("-1", "x", "1.5", "99999", ""):
        refused(played.ana, played, f"map.svg?century={bad}", 422, "query.invalid")
        refused(played.ana, played, f"chronicle/?century={bad}", 422, "query.invalid")
    toy = toy_game()
    for rest in ("map.svg?century=1", "chronicle/?century=1"):
        answer = client().get(toy.path(rest))
        assert answer.json()["code"] == ("map.missing" if "map" in rest else "century.none")


def test_the_past_follows_a_rewind():
    played = earth()
    pass_to(played, 2)
    gm = gm_of(played)
    first = get(client(), played, "map.svg?century=1").content
    race = next(iter(played.cast.races.values()))
    to = LoggedEvent.objects.filter(game=played.game, type="BoardOpened").order_by("seq").first().seq
    services.run(played.game.pk, Rewind(to=to, reason="Once more."), actor=gm)
    played.game.refresh_from_db()
    refused(client(), played, "map.svg?century=2", 409, "century.ahead")
    services.run(played.game.pk, NamePlace(kind="race", subject=race, name="Reborn"), actor=gm)
    pass_to(played, 2)
    again = get(client(), played, "map.svg?century=1").content
    assert b"Reborn" in again and b"Reborn" not in first
    assert "Reborn" in {row.name for row in chart(client(), played, "population/").rows}


def test_a_picture_of_the_past_is_folded_once():
    played = earth()
    pass_to(played, 3)
    get(client(), played, "map.svg?century=1")
    with CaptureQueriesContext(connection) as seen:
        get(client(), played, "map.svg?century=1")
    assert len(seen) <= 6, [q["sql"][:90] for q in seen]


# --- both APIs, and what people write --------------------------------------------------------------------------------


def test_graphql_tells_the_same():
    played = earth()
    pass_to(played, 2)
    race = str(next(iter(played.cast.races.values())))
    query = """query Look($g: UUID!, $r: UUID) { game(id: $g) {
      pictures { word century charts { name title unit about } trees { name } }
      map: mapSvg(century: 1)
      population: chart(name: "population") { name title unit race over moments { century ended }
        rows { key name amounts } }
      mana: chart(name: "mana") { rows { key amounts } }
      shares: chartSvg(name: "pantheon", race: $r)
      tree(name: "knowledges") { name title nodes { key name level code prerequisites asks } edges { source target }
        races { race name known next locked } }
      picture: treeSvg(name: "knowledges", race: $r)
      chronicle(first: 50, century: 1) { results { event century text rules type } } } }"""
    told = played.ask(played.ana, query, r=race)["game"]

    def text(rest: str) -> str:
        return get(played.ana, played, rest).content.decode()

    assert told["pictures"] == get(played.ana, played, "pictures/").json()
    assert told["map"] == text("map.svg?century=1")
    assert told["population"] == get(played.ana, played, "charts/population/").json()
    assert told["mana"]["rows"][0]["key"] == str(played.cast.ana)
    assert told["shares"] == text(f"charts/pantheon.svg?race={race}")
    assert told["tree"] == get(played.ana, played, "trees/knowledges/").json()
    assert told["picture"] == text(f"trees/knowledges.svg?race={race}")
    page = get(played.ana, played, "chronicle/?century=1&limit=50").json()["results"]
    assert told["chronicle"]["results"] == [
        {k: line[k] for k in ("event", "century", "text", "rules", "type")} for line in page
    ]
    body = {
        "query": "query Q($g: UUID!) { game(id: $g) { mapSvg(century: 9) } }",
        "variables": {"g": str(played.game.pk)},
    }
    errors = played.ana.post("/graphql/", body, content_type="application/json").json()["errors"]
    assert errors[0]["extensions"]["code"] == "century.ahead"


def test_a_name_that_people_write_stays_text_in_every_picture():
    played = earth()
    race = next(iter(played.cast.races.values()))
    services.run(played.game.pk, NamePlace(kind="race", subject=race, name="<script>&\"'"), actor=gm_of(played))
    pass_to(played, 2)
    for rest in ("charts/population.svg", f"charts/pantheon.svg?race={race}", f"trees/knowledges.svg?race={race}"):
        assert "<script>" in "".join(drawn(get(client(), played, rest)).itertext())
    assert "<script>" in "".join(drawn(get(client(), played, "map.svg?century=1")).itertext())


def test_the_same_question_is_answered_with_the_same_bytes():
    played = earth()
    pass_to(played, 2)
    race = next(iter(played.cast.races.values()))
    for rest in (
        "charts/population.svg",
        f"charts/pantheon.svg?race={race}",
        "trees/knowledges.svg",
        "map.svg?century=1",
    ):
        first = get(played.ana, played, rest).content
        caches["responses"].clear()
        assert get(played.ana, played, rest).content == first


def test_whoever_may_not_see_a_game_may_not_look_at_its_past():
    toy = toy_game(is_public=False)
    for rest in ("pictures/", "charts/mana/", "charts/mana.svg", "trees/knowledges.svg", "map.svg?century=1"):
        assert client(toy.eve).get(toy.path(rest)).json()["code"] == "game.missing"


def test_a_state_of_the_past_holds_no_secret_of_others():
    played = earth()
    pass_to(played, 2)
    seen = []
    past.at_end_of(played.game, Sight.nobody(), 1, "test", lambda state, words: seen.append(state) or b"")
    assert not seen[0].purses and not seen[0].cards and seen[0].races
