"""What there is to look at: the knowledge tree and charts, in REST and GraphQL alike."""

from uuid import UUID

import pytest

from api.representations.shapes.games import ChapterShape
from api.representations.shapes.pictures import Pictures, TreeShape
from games import registry, services
from games.gods2.rules.history.commands import NamePlace
from games.models import LoggedEvent
from games.storage import log
from tests.api.pictures import SPACE, chart, earth, get, gm_of, pass_to, refusal, svg
from tests.api.worlds import client, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_the_list_of_pictures_names_what_there_is_to_look_at():
    played = earth()
    answer = Pictures.model_validate_json(get(played.eve, played, "pictures/").content)
    assert answer.chapter == ChapterShape(word="century", number=1)
    assert {c.name: c.about for c in answer.charts} == {
        "mana": "nobody",
        "pantheon": "subject",
        "population": "anybody",
    }
    assert [t.name for t in answer.trees] == ["knowledges"]
    toy = toy_game()
    assert client().get(toy.path("pictures/")).json() == {
        "chapter": None,
        "charts": [],
        "trees": [],
        "cards": [],
    }


@pytest.mark.rule("G2-KNOW-5")
def test_everybody_may_read_the_tree_and_what_each_race_knows():
    played = earth()
    answer = TreeShape.model_validate_json(get(client(), played, "trees/knowledges/").content)
    state = registry.store("gods2").load(played.game)
    assert {n.key: sorted(n.prerequisites) for n in answer.nodes} == {
        k.id: sorted(k.prereqs) for k in state.pack.knowledges.values()
    }
    assert {s.subject: s.known for s in answer.progress} == {r.id: list(r.knowledges) for r in state.living()}
    (race, *_) = answer.progress
    alone = TreeShape.model_validate_json(get(client(), played, f"trees/knowledges/?subject={race.subject}").content)
    assert alone.progress == [race] and alone.nodes == answer.nodes


def test_the_tree_is_drawn_and_a_race_is_shown_by_signs_too():
    played = earth()
    race = registry.store("gods2").load(played.game).living()[0]
    bare = svg(get(client(), played, "trees/knowledges.svg"))
    assert not [n for n in bare.iter(f"{SPACE}path") if n.get("class") == "s"]
    root = svg(get(client(), played, f"trees/knowledges.svg?subject={race.id}"))
    groups = [g.get("class") for g in root.iter(f"{SPACE}g")]
    assert groups.count("known") == len(race.knowledges) + 1  # one in the key below
    assert len([n for n in root.iter(f"{SPACE}path") if n.get("class") == "s"]) == len(groups)
    assert "Known:" in root.findtext(f"{SPACE}desc")


def test_what_is_no_tree_no_chart_and_no_race_is_missing():
    played = earth()
    toy, nobody = toy_game(), UUID(int=5)
    refusal(client(), played, "trees/feelings/", 404, "tree.missing")
    refusal(client(), played, "charts/feelings.svg", 404, "chart.missing")
    refusal(client(), played, f"trees/knowledges.svg?subject={nobody}", 404, "race.missing")
    refusal(client(), played, f"charts/pantheon/?subject={nobody}", 404, "race.missing")
    refusal(client(), played, "charts/population/?subject=elves", 422, "query.invalid")
    refusal(client(), played, "charts/pantheon/", 409, "subject.needed")
    refusal(client(), played, f"charts/mana/?subject={nobody}", 409, "subject.unneeded")
    assert client().get(toy.path("trees/knowledges/")).json()["code"] == "tree.missing"
    assert client().get(toy.path("charts/mana/")).json()["code"] == "chart.missing"


def test_the_values_of_a_chart_are_those_at_the_end_of_each_century():
    played = earth()
    pass_to(played, 3)
    found = chart(client(), played, "population/")
    assert [(m.chapter, m.ended) for m in found.moments] == [(0, True), (1, True), (2, True), (3, False)]
    rows = {row.key: row.amounts for row in found.rows}
    opened = LoggedEvent.objects.filter(game=played.game, type="CenturyOpened").order_by("seq")
    ends = [row.seq - 1 for row in opened]
    states = [*(log.fold(played.game, end) for end in ends), registry.store("gods2").load(played.game)]
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
    found = chart(client(), played, f"pantheon/?subject={race}")
    assert found.over == 100 and found.subject == race
    for at in range(len(found.moments)):
        assert sum(row.amounts[at] or 0 for row in found.rows) == 100 * found.over
    shown = svg(get(client(), played, f"charts/pantheon.svg?subject={race}"))
    assert len(list(shown.iter(f"{SPACE}pattern"))) == len(found.rows)


def test_one_race_has_its_units_and_its_strength():
    played = earth()
    race = next(iter(played.cast.races.values()))
    found = chart(client(), played, f"population/?subject={race}")
    assert {row.key for row in found.rows} == {"units", "strength"}


def test_graphql_shows_the_same():
    played = earth()
    pass_to(played, 2)
    race = str(next(iter(played.cast.races.values())))
    query = """query Look($g: UUID!, $r: UUID) { game(id: $g) {
      pictures { chapter { word number } charts { name title unit about } trees { name }
        cards { kind title cards { id name } } }
      map: mapSvg(chapter: 1)
      population: chart(name: "population") { name title unit subject over moments { chapter ended }
        rows { key name amounts } }
      mana: chart(name: "mana") { rows { key amounts } }
      shares: chartSvg(name: "pantheon", subject: $r)
      tree(name: "knowledges") { name title nodes { key name level code prerequisites asks } edges { source target }
        progress { subject name known next locked } }
      picture: treeSvg(name: "knowledges", subject: $r)
      chronicle(first: 50, chapter: 1) { results { event chapter text rules type } } } }"""
    answer = played.ask(played.ana, query, r=race)["game"]

    def text(rest: str) -> str:
        return get(played.ana, played, rest).content.decode()

    assert answer["pictures"] == get(played.ana, played, "pictures/").json()
    assert answer["map"] == text("map.svg?chapter=1")
    assert answer["population"] == get(played.ana, played, "charts/population/").json()
    assert answer["mana"]["rows"][0]["key"] == str(played.cast.ana)
    assert answer["shares"] == text(f"charts/pantheon.svg?subject={race}")
    assert answer["tree"] == get(played.ana, played, "trees/knowledges/").json()
    assert answer["picture"] == text(f"trees/knowledges.svg?subject={race}")
    page = get(played.ana, played, "chronicle/?chapter=1&limit=50").json()["results"]
    assert answer["chronicle"]["results"] == [
        {k: line[k] for k in ("event", "chapter", "text", "rules", "type")} for line in page
    ]
    body = {
        "query": "query Q($g: UUID!) { game(id: $g) { mapSvg(chapter: 9) } }",
        "variables": {"g": str(played.game.pk)},
    }
    errors = played.ana.post("/graphql/", body, content_type="application/json").json()["errors"]
    assert errors[0]["extensions"]["code"] == "chapter.ahead"


def test_a_name_that_people_write_stays_text_in_every_picture():
    played = earth()
    race = next(iter(played.cast.races.values()))
    services.run(played.game.pk, NamePlace(kind="race", subject=race, name="<script>&\"'"), actor=gm_of(played))
    pass_to(played, 2)
    for rest in (
        "charts/population.svg",
        f"charts/pantheon.svg?subject={race}",
        f"trees/knowledges.svg?subject={race}",
    ):
        assert "<script>" in "".join(svg(get(client(), played, rest)).itertext())
    assert "<script>" in "".join(svg(get(client(), played, "map.svg?chapter=1")).itertext())
