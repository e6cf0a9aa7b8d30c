"""Cards follow the rows of both buckets, whatever breaks off; they are compared, mended and made anew."""

import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, connection, connections, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from core.places import card_tables, cards
from core.places.card_check import differing
from core.places.models import Slot
from core.places.place import CARDS
from games import services
from games.engine.lifecycle.gm_commands import Pause
from games.models import Game, Timer
from tests.api.worlds import client
from tests.places.buckets import BOTH, ONE, TWO, id_in
from tests.places.games import add_stones, change, ids, in_its_place, of, one_in_each

pytestmark = pytest.mark.django_db
WAIT_SECONDS = 30
GAMES = "/api/v1/games/"


def notes() -> list[int]:
    """How many notes each bucket has."""
    with connection.cursor() as cursor:
        found = []
        for place in BOTH:
            cursor.execute(f"SELECT count(*) FROM {place.schema}.{cards.NOTES}")
            found.append(int(cursor.fetchone()[0]))
    return found


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


@pytest.mark.django_db(transaction=True)
def test_followers_at_once_copy_everything_while_games_go_on():
    first, second = one_in_each()
    is_over = threading.Event()

    def follow() -> None:
        try:
            while not is_over.is_set():
                cards.follow_all()
        finally:
            connections.close_all()

    followers = [threading.Thread(target=follow) for _ in range(3)]
    for each in followers:
        each.start()
    for _ in range(8):
        add_stones(first)
        add_stones(second)
    is_over.set()
    for each in followers:
        each.join(WAIT_SECONDS)

    assert ids(client().get(GAMES)) == of(second, first) and notes() == [0, 0]
    assert not any(differing().values())


@pytest.mark.django_db(transaction=True)
def test_a_command_does_not_wait_for_a_follower():
    first, _ = one_in_each()

    def play() -> None:
        try:
            add_stones(first)
        finally:
            connections.close_all()

    player = threading.Thread(target=play)
    with transaction.atomic():
        cards.follow_all()
        player.start()
        player.join(WAIT_SECONDS)
        assert not player.is_alive() and notes() == [1, 0]
    assert cards.follow(ONE) == 1
