"""Lists across games read cards: games of both buckets in one page, seen by the same rules as anywhere."""

from functools import partial
from io import StringIO
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, connection, transaction
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from core.places import card_tables, cards, routing
from core.places.card_check import differing
from core.places.models import Slot
from core.places.place import CARDS, Place
from games import services
from games.engine.lifecycle.gm_commands import Pause
from games.models import Game, Seat, Timer
from tests.api.graph import nodes
from tests.api.worlds import Atlantis, atlantis, client
from tests.faults.shared import another
from tests.games.cairns import Cairns
from tests.places.buckets import BOTH, ONE, TWO, id_in
from tests.places.games import LONG, in_its_place, one_in_each, opened_in
from tests.toy.rules.commands import AddStones
from worlds.models import World, WorldMember

pytestmark = pytest.mark.django_db
GAMES, WORLDS = "/api/v1/games/", "/api/v1/worlds/"


def ids(answer: Any) -> list[str]:
    return [row["id"] for row in answer.json()["results"]]


def of(*games: Cairns) -> list[str]:
    return [str(each.game.pk) for each in games]


def add_stones(cairns: Cairns) -> None:
    services.run(cairns.game.pk, AddStones(stones=1), actor=in_its_place(cairns, lambda it: it.actor(it.ann)))


def change(cairns: Cairns, **fields: Any) -> None:
    """Change the row of a game behind the service's back."""
    with routing.at(cairns.game.pk):
        Game.objects.filter(pk=cairns.game.pk).update(**fields)


def notes() -> list[int]:
    """How many notes each bucket has."""
    with connection.cursor() as cursor:
        found = []
        for place in BOTH:
            cursor.execute(f"SELECT count(*) FROM {place.schema}.{cards.NOTES}")
            found.append(int(cursor.fetchone()[0]))
    return found


def test_games_of_both_buckets_stand_in_one_list_the_newest_first_and_its_cursor_leads_over_both():
    first, second = one_in_each()
    third = opened_in(ONE, lambda: another(first, LONG))

    assert ids(client().get(GAMES)) == of(third, second, first)
    pages, url = [], f"{GAMES}?limit=1"
    while url:
        page = client().get(url)
        pages += ids(page)
        url = page.json()["next"]
    assert pages == of(third, second, first)
    assert ids(client().get(f"{GAMES}?status=running&ruleset=toy")) == of(third, second, first)
    assert ids(client().get(f"{GAMES}?status=finished")) == []


def test_a_private_game_of_another_bucket_is_told_to_its_own_people_alone():
    first, second = one_in_each()
    change(second, is_public=False)
    with routing.at(first.game.pk):
        Seat.objects.filter(game=first.game, user=first.bob.pk).update(user=None)

    assert ids(client().get(GAMES)) == of(first)
    assert ids(client(first.bob).get(GAMES)) == of(second, first)
    assert ids(client(first.bob).get(f"{GAMES}?mine=1")) == of(second)


def test_the_inbox_asks_games_of_both_buckets():
    first, second = one_in_each()
    whose = client(first.ann).get(f"{GAMES}?my_turn=1")
    assert ids(whose) == of(second, first)
    change(first, waiting_for="[]")

    assert ids(client(first.ann).get(f"{GAMES}?my_turn=1")) == of(second)
    assert ids(client(first.ann).get(f"{GAMES}?asked=1")) == []
    assert ids(client(first.ann).get(f"{GAMES}?my_turn=1&as=gm")) == []


def test_worlds_of_both_buckets_stand_in_one_list_and_private_ones_for_their_members():
    made = []
    for place, is_public in zip(BOTH, (True, False), strict=True):
        with routing.at_place(place):
            made.append(
                World.objects.create(id=id_in(place), name=place.schema, width=0, height=0, is_public=is_public)
            )
    member = one_in_each()[0].ann
    with routing.at_place(TWO):
        WorldMember.objects.create(world=made[1], user=member)

    def found(who: Any) -> list[str]:
        return [row["name"] for row in client(who).get(f"{WORLDS}?name_contains=place").json()["results"]]

    assert (found(None), found(member)) == ([ONE.schema], [TWO.schema, ONE.schema])
    with routing.at_place(TWO):
        World.objects.filter(pk=made[1].pk).delete()
    assert found(member) == [ONE.schema]


def test_what_was_opened_or_changed_a_moment_ago_is_listed_so():
    first, second = one_in_each()
    cards.follow_all()
    third = opened_in(TWO, lambda: another(first, LONG))
    assert ids(client().get(GAMES)) == of(third, second, first)
    change(third, name="Renamed")
    assert client().get(GAMES).json()["results"][0]["name"] == "Renamed"


def test_where_nothing_is_noted_following_is_one_query():
    one_in_each()
    cards.follow_all()
    with CaptureQueriesContext(connection) as captured:
        cards.follow_all()
    assert len(captured) == 1 and notes() == [0, 0]


def test_a_command_notes_its_game_and_a_row_that_stays_as_it_is_notes_nothing():
    first, second = one_in_each()
    cards.follow_all()
    add_stones(first)
    assert notes() == [1, 0]
    change(second, seq=F("seq"))
    assert notes() == [1, 0]
    services.run(second.game.pk, Pause(), actor=in_its_place(second, lambda it: it.gm))
    assert notes() == [1, 1]


def test_cards_are_not_written_and_what_has_none_is_not_read():
    first, _ = one_in_each()
    with pytest.raises(ProgrammingError, match="copies"), transaction.atomic(), cards.across():
        Game.objects.filter(pk=first.game.pk).update(name="x")
    with pytest.raises(ProgrammingError, match="does not exist"), transaction.atomic(), cards.across():
        Timer.objects.count()


def test_a_follower_that_is_killed_has_done_nothing(monkeypatch):
    first, second = one_in_each()
    before, copy = notes(), cards._copy

    def kill(cursor: Any, card: cards.Card, *more: Any) -> None:
        copy(cursor, card, *more)
        if card.table == "games_seat":
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(cards, "_copy", kill)
        with pytest.raises(KeyboardInterrupt), transaction.atomic():
            cards.follow_all()
    assert notes() == before
    assert ids(client().get(GAMES)) == of(second, first) and notes() == [0, 0]


def test_notes_are_followed_some_at_a_time(monkeypatch):
    monkeypatch.setattr(cards, "AT_ONCE", 3)
    first, second = one_in_each()
    assert max(notes()) > 3
    assert ids(client().get(GAMES)) == of(second, first) and notes() == [0, 0]


def test_what_was_moved_is_copied_from_where_it_lies_by_now():
    first, _ = one_in_each()
    cards.follow_all()
    Slot.objects.filter(slot__lt=2048).update(bucket=TWO.number)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {TWO.schema}.games_game SELECT * FROM {ONE.schema}.games_game")
        cursor.execute(f"DELETE FROM {ONE.schema}.games_seat")
        cursor.execute(f"UPDATE {TWO.schema}.games_game SET name = 'Moved' WHERE id = %s", [first.game.pk])
        cursor.execute(f"UPDATE {ONE.schema}.games_game SET name = 'Left behind'")

    assert "Moved" in {row["name"] for row in client().get(GAMES).json()["results"]}
    assert "Left behind" not in {row["name"] for row in client().get(GAMES).json()["results"]}


def checked(*arguments: str) -> tuple[int, list[str]]:
    """The exit status of `manage.py cards`, and its lines."""
    said, status = StringIO(), 0
    try:
        call_command("cards", *arguments, stdout=said)
    except SystemExit as end:
        status = int(str(end.code))
    return status, said.getvalue().splitlines()


def test_cards_that_differ_are_found_and_mended_and_a_check_changes_nothing():
    first, second = one_in_each()
    well = 0, [f"{card.table}: as it is" for card in cards.kept()]
    assert checked("--check") == well
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {CARDS.schema}.games_game SET name = 'Wrong' WHERE id = %s", [first.game.pk])
        cursor.execute(f"DELETE FROM {CARDS.schema}.games_seat WHERE game_id = %s", [second.game.pk])
        cursor.execute(f"INSERT INTO {CARDS.schema}.worlds_worldmember VALUES (1, %s, %s)", [id_in(ONE), id_in(ONE)])
    for _ in range(2):
        status, lines = checked("--check")
        assert (status, lines[0]) == (1, "worlds_world: as it is")
        assert lines[1:] == [f"{card.table}: 1 of its games or worlds differ" for card in cards.kept()[1:]]
    add_stones(second)  # games go on meanwhile

    assert checked() == (0, lines)
    assert checked("--check") == well and notes() == [0, 0]
    assert ids(client().get(GAMES)) == of(second, first)


def test_cards_of_a_table_that_has_changed_are_made_anew():
    first, second = one_in_each()
    said: list[str] = []
    card_tables.make_cards(said.append)
    assert said == []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for place in BOTH:
            cursor.execute(f"CREATE INDEX more ON {place.schema}.games_game (name)")
        card_tables.make_cards(said.append)
        cursor.execute(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = %s AND tablename = 'games_game'", [CARDS.schema]
        )
        assert any("(name)" in text for (text,) in cursor.fetchall())
    assert said == ["Copying games_game for lists across games ..."]
    assert differing()["games_game"] == [] and ids(client().get(GAMES)) == of(second, first)


def ask(query: str, who: Any = None) -> Any:
    answer = client(who).post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def world_in(place: Place) -> Atlantis:
    """A world in a bucket, with rows of most kinds."""
    create = partial(World.objects.create, id=id_in(place))
    with patch.object(World.objects, "create", create), routing.at_place(place):
        return atlantis(place.schema)


def test_what_rows_of_a_list_lead_to_is_read_in_their_own_place():
    for place in BOTH:
        world_in(place)
    found = ask(
        """{ worlds(first: 3, filters: {name: {iStartsWith: "place"}}, ordering: [{name: ASC}]) { totalCount
        edges { node { name races(first: 1, filters: {extinct: {exact: false}}) { totalCount edges { node { name
            presences(first: 1) { totalCount edges { node { units square { x } } } } } } }
        few: squares(first: 1) { totalCount edges { node { x } } }
        water: squares(first: 1, filters: {terrain: {exact: "W"}}) { totalCount } } } } }"""
    )["worlds"]
    assert found["totalCount"] == 2
    assert [each["name"] for each in nodes(found)] == [ONE.schema, TWO.schema]
    for each in nodes(found):
        race = nodes(each["races"])[0]
        assert (each["races"]["totalCount"], race["name"], race["presences"]["totalCount"]) == (1, "Elves", 2)
        assert nodes(race["presences"])[0]["square"] == {"x": 1}
        assert (each["few"]["totalCount"], each["water"]["totalCount"]) == (12, 3)


def test_games_of_both_buckets_are_listed_in_graphql_with_whom_they_wait_for_and_their_worlds():
    first, second = one_in_each()
    query = """{ games(%s) { totalCount pageInfo { endCursor } edges { node { id waitingFor { seat must }
        world { name races(first: 2) { totalCount } } } } }
        game(id: "%s") { mySeats { name } waitingFor { seat } } %s }"""
    found = ask(query % ("first: 1, myTurn: true", first.game.pk, ""), first.ann)
    assert [each["id"] for each in nodes(found["games"])] == of(second) and found["games"]["totalCount"] == 2
    assert found["game"]["mySeats"][0]["name"] == "Ann"
    after = f'first: 1, myTurn: true, after: "{found["games"]["pageInfo"]["endCursor"]}"'
    more = "beside: games(mine: true) { totalCount edges { node { id waitingFor { seat } } } }"
    found = ask(query % (after, second.game.pk, more), first.ann)
    assert [each["id"] for each in nodes(found["games"])] == of(first)
    assert [each["id"] for each in nodes(found["beside"])] == of(second, first)
    assert all(each["waitingFor"] for each in nodes(found["beside"]))


def test_the_home_page_and_the_overview_show_games_of_both_buckets():
    first, second = one_in_each()
    for cairns, name in ((first, "Far stones"), (second, "Near stones")):
        change(cairns, name=name)
    browser = Client()
    browser.force_login(first.ann)
    page = browser.get("/").content.decode()
    assert page.count("Far stones") and page.count("Near stones")

    admin = User.objects.create_superuser("root")
    browser.force_login(admin)
    page = browser.get("/admin/").content.decode()
    assert "Far stones" in page and "Near stones" in page
