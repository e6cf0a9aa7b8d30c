"""The past to look at: the map of a chapter, read once, seen as it could be seen then."""

from dataclasses import replace

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry, services
from games.gods2.pictures import plan_of as plan_of_state
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.state.value_types import Place
from games.models import LoggedEvent
from games.reads import history
from tests.api.pictures import SPACE, chart, earth, get, gm_of, pass_to, refusal, svg
from tests.api.worlds import client, toy_game
from tests.games.moments import rewind_to
from worlds.drawing.map_svg import map_svg
from worlds.drawing.map_view import PlanLand
from worlds.ids import colours_apart
from worlds.map_survey import plan_of
from worlds.models import Race
from worlds.visibility import Visibility

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_the_past_is_folded_once_for_all_charts():
    played = earth()
    pass_to(played, 3)
    get(client(), played, "charts/population/")
    folds = []
    for rest in ("population/", "mana/", f"pantheon/?subject={next(iter(played.cast.races.values()))}"):
        with CaptureQueriesContext(connection) as captured:
            get(client(), played, f"charts/{rest}")
        assert not [q for q in captured if '"games_loggedevent"."body"' in q["sql"] and '"seq" <=' in q["sql"]]
        folds.append(len(captured))
    assert len(set(folds)) == 1


def test_the_map_drawn_from_a_state_is_the_map_drawn_from_its_rows():
    played = earth()
    pass_to(played, 3)
    marsh = NamePlace(kind="land", squares=(Place(x=1, y=0), Place(x=0, y=0)), name="The Marsh")
    services.run(played.game.pk, marsh, actor=gm_of(played))
    state, world = registry.store("gods2").load(played.game), played.game.world
    colours = colours_apart(dict(Race.objects.filter(world=world).values_list("id", "colour")))
    stored = replace(plan_of(world), lands=tuple(registry.store("gods2").lands(played.game)))
    assert stored.lands == (PlanLand("The Marsh", ((0, 0), (1, 0))),)
    assert plan_of_state(state, colours).races == stored.races
    for part in ("terrain", "owner", "units", "cities", "marks", "lands"):
        assert getattr(plan_of_state(state, colours), part) == getattr(stored, part), part
    now = get(client(), played, "map.svg").content
    assert (
        b">The Marsh</text>" in now
        and b">The Marsh</text>" in client().get(f"/api/v1/worlds/{world.pk}/map.svg").content
    )
    assert (
        get(client(), played, "map.svg?chapter=3").content
        == now
        == map_svg(
            replace(
                plan_of(world, title=played.game.name, subtitle=registry.store("gods2").caption(played.game)),
                lands=stored.lands,
            )
        ).encode()
    )


def test_the_map_of_a_century_shows_the_world_as_it_was_then():
    played = earth()
    before = get(client(), played, "map.svg").content
    pass_to(played, 2)
    first = get(client(), played, "map.svg?chapter=1")
    root = svg(first)
    assert root.findtext(f"{SPACE}title") == "Stage: The end of century 1"
    pass_to(played, 4)
    caches["responses"].clear()
    again = get(played.ana, played, "map.svg?chapter=1")
    assert again.content == first.content != get(client(), played, "map.svg?chapter=3").content
    start = get(client(), played, "map.svg?chapter=0").content
    assert b"Before the first century" in start and start != before
    assert get(client(), played, "map.svg?chapter=1", 200)["ETag"] == first["ETag"]
    unchanged = client().get(played.path("map.svg?chapter=1"), headers={"If-None-Match": first["ETag"]})
    assert unchanged.status_code == 304


def test_a_century_that_has_not_begun_is_refused_with_its_numbers():
    played = earth()
    for rest in ("map.svg?chapter=7", "chronicle/?chapter=7"):
        problem = refusal(played.ana, played, rest, 409, "chapter.ahead")
        assert problem["facts"] == {"asked": 7, "running": 1}
        assert problem["detail"] == "Century 7 has not begun: century 1 is running."
    for bad in ("-1", "x", "1.5", "99999", ""):
        refusal(played.ana, played, f"map.svg?chapter={bad}", 422, "query.invalid")
        refusal(played.ana, played, f"chronicle/?chapter={bad}", 422, "query.invalid")
    toy = toy_game()
    for rest in ("map.svg?chapter=1", "chronicle/?chapter=1"):
        answer = client().get(toy.path(rest))
        assert answer.json()["code"] == ("map.missing" if "map" in rest else "chapter.none")


def test_the_past_follows_a_rewind():
    played = earth()
    pass_to(played, 2)
    gm = gm_of(played)
    first = get(client(), played, "map.svg?chapter=1").content
    race = next(iter(played.cast.races.values()))
    to = LoggedEvent.objects.filter(game=played.game, type="BoardOpened").order_by("seq").first().seq
    services.run(played.game.pk, rewind_to(played.game.pk, to, "Once more."), actor=gm)
    played.game.refresh_from_db()
    refusal(client(), played, "map.svg?chapter=2", 409, "chapter.ahead")
    services.run(played.game.pk, NamePlace(kind="race", subject=race, name="Reborn"), actor=gm)
    pass_to(played, 2)
    again = get(client(), played, "map.svg?chapter=1").content
    assert b"Reborn" in again and b"Reborn" not in first
    assert "Reborn" in {row.name for row in chart(client(), played, "population/").rows}


def test_a_picture_of_the_past_is_folded_once():
    played = earth()
    pass_to(played, 3)
    get(client(), played, "map.svg?chapter=1")
    with CaptureQueriesContext(connection) as captured:
        get(client(), played, "map.svg?chapter=1")
    assert len(captured) <= 6, [q["sql"][:90] for q in captured]


def test_the_same_question_is_answered_with_the_same_bytes():
    played = earth()
    pass_to(played, 2)
    race = next(iter(played.cast.races.values()))
    for rest in (
        "charts/population.svg",
        f"charts/pantheon.svg?subject={race}",
        "trees/knowledges.svg",
        "map.svg?chapter=1",
    ):
        first = get(played.ana, played, rest).content
        caches["responses"].clear()
        assert get(played.ana, played, rest).content == first


def test_a_reader_who_may_not_see_a_game_may_not_look_at_its_past():
    toy = toy_game(is_public=False)
    for rest in ("pictures/", "charts/mana/", "charts/mana.svg", "trees/knowledges.svg", "map.svg?chapter=1"):
        assert client(toy.eve).get(toy.path(rest)).json()["code"] == "game.missing"


def test_a_state_of_the_past_holds_no_secret_of_others():
    played = earth()
    pass_to(played, 2)
    views = []
    history.at_end_of(played.game, Visibility.nobody(), 1, "test", lambda state, _message: views.append(state) or b"")
    assert not views[0].purses and not views[0].cards and views[0].races
