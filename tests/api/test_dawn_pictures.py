"""Dawn to look at and to read: its map, its chronicle by Ages, its charts."""

from xml.etree import ElementTree

import pytest
from django.utils import timezone

from tests.api.dawn import JSON, graphql
from tests.api.worlds import client
from tests.games.dawn import begin, command, peopled_world, setting_up

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


def test_the_map_shows_climates_wonders_regions_peoples_armies_and_avatars() -> None:
    here = peopled_world(now=timezone.now())
    drawn = client().get(here.url("map.svg"))
    assert (drawn.status_code, drawn["Content-Type"].split(";")[0]) == (200, "image/svg+xml")
    tree = ElementTree.fromstring(drawn.content)
    titles = {title.text for title in tree.iter(f"{SVG}title")}
    assert {"polar", "fantastic land", "floating land"} <= titles
    assert {"Elves", "Dwarves"} <= titles
    assert {"city: Oakhold", "city: Deephall", "army: 2 of Oakhold", "avatar: Horn"} <= titles
    written = "".join(text for text in tree.itertext())
    assert "Greenlands" in written and "Ironhills" in written and "Glass" in written
    assert "3 SQUARES" in written and "SHADES" in written
    assert "Age of Land, round" in written
    assert client().get(here.url("map.svg")).content == drawn.content
    shown = graphql(client(), "query($g: UUID!) { game(id: $g) { mapSvg(chapter: 1) } }", g=str(here.id))["game"][
        "mapSvg"
    ]
    assert shown.encode() == drawn.content
    world = client().get(f"/api/v1/worlds/{here.game.world_id}/map.svg").content.decode()
    assert "Oakhold" in world and "Greenlands" in world


def test_the_chronicle_of_a_game_is_divided_into_its_ages() -> None:
    here = begin(now=timezone.now())
    with here.keeping():
        for age, shore in ((1, "First shore"), (2, "Second shore")):
            while here.state.course.age < age or here.active != "ann":
                here.run(command("end-turn"), here.active)
            here.grant("ann", 50)
            here.shape("ann", shore, (age, 0))
    text = client().get(here.url("chronicle/?format=markdown&chapter=1")).content.decode()
    assert "## Age of Land" in text and "First shore" in text and "Second shore" not in text
    second = client().get(here.url("chronicle/?chapter=2")).json()["results"]
    assert [line["chapter"] for line in second] == [2] and "Second shore" in second[0]["text"]
    assert client().get(here.url("chronicle/?chapter=3")).json()["code"] == "chapter.ahead"
    assert client().get(here.url("map.svg?chapter=1")).status_code == 200
    charts = client().get(here.url("pictures/")).json()
    assert {"points", "territory", "armies"} == {chart["name"] for chart in charts["charts"]}
    assert client().get(here.url("charts/points.svg")).status_code == 200


def test_before_there_is_a_map_there_is_none_to_see() -> None:
    here = setting_up(now=timezone.now())
    assert client().get(here.url("map.svg")).status_code == 200
    lobby = here.client("host").post("/api/v1/games/", {"ruleset": "dawn", "name": "Later"}, content_type=JSON).json()
    answer = client().get(f"/api/v1/games/{lobby['id']}/map.svg")
    assert (answer.status_code, answer.json()["code"]) == (404, "map.missing")
