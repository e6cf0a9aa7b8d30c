"""Rows written by columns are the rows that the ORM would write, by one statement however many they are."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import IntegerChoices

from accounts.models import User
from core.columns import SPREAD, RowEraser, RowReader, RowUpdater, RowWriter, Writes, read_together
from games import services
from games.models import Die, Game, LoggedEvent, Stream, Timer
from games.storage.chronicle import Entry, write_entries
from games.storage.log import DICE
from tests.games.cairns import table
from worlds.models import Chronicle, World

pytestmark = pytest.mark.django_db
STREAMS = RowWriter(Stream, ("game_id", "audience", "head"), ("game_id", "audience"), ("head",))
NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def game() -> UUID:
    """The id of a game."""
    return table().game.pk


def send(writer: RowWriter, rows: list[Any]) -> None:
    """Write rows."""
    writes = Writes()
    writes.write(writer, rows)
    writes.send()


def erase(eraser: RowEraser, keys: list[Any]) -> None:
    """Delete rows."""
    writes = Writes()
    writes.erase(eraser, keys)
    writes.send()


def heads(game: UUID) -> dict[str, int]:
    """The streams that the tests have made."""
    return dict(Stream.objects.filter(game=game, audience__startswith="test").values_list("audience", "head"))


@pytest.mark.parametrize("number", [1, 2, 700])
def test_rows_are_written_by_one_statement_however_many(game, number, django_assert_num_queries):
    with django_assert_num_queries(1):
        send(STREAMS, [[game, f"test {n}", n] for n in range(number)])
    assert heads(game) == {f"test {n}": n for n in range(number)}
    with django_assert_num_queries(0):
        send(STREAMS, [])


def test_a_row_that_is_there_is_changed_where_it_may_change(game):
    send(STREAMS, [[game, "test a", 1], [game, "test b", 1]])
    send(STREAMS, [[game, "test b", 7], [game, "test c", 1]])
    assert heads(game) == {"test a": 1, "test b": 7, "test c": 1}


def test_without_a_name_for_what_is_there_a_second_one_is_refused(game):
    streams = RowWriter(Stream, ("game_id", "audience", "head"))
    send(streams, [[game, "test a", 1]])
    with pytest.raises(IntegrityError), transaction.atomic():
        send(streams, [[game, "test b", 1], [game, "test a", 2]])
    assert heads(game) == {"test a": 1}


def test_values_of_every_kind_come_back_as_they_went_and_the_rest_is_default(game):
    names = ("game_id", "key", "generation", "due", "left", "does", "arguments")
    left = timedelta(hours=30, microseconds=7)
    rows = [[game, "a", 1, NOON, None, "x", ""], [game, "b", 2, None, left, "y", "%s {z} \"'"]]
    send(RowWriter(Timer, names), rows)
    found = Timer.objects.filter(game=game, key__in="ab").order_by("key")
    assert [list(each) for each in found.values_list(*names)] == rows
    assert set(found.values_list("failures", "last_error")) == {(0, "")}


def test_numbers_of_a_choice_and_bare_ones_go_in_one_column(game):
    class Depth(IntegerChoices):
        DEEP = 40

    rows = [[game, "test a", 7], [game, "test b", Depth.DEEP], [game, "test c", 9]]
    send(STREAMS, rows)
    assert heads(game) == {"test a": 7, "test b": 40, "test c": 9}


def test_a_text_that_is_too_long_is_refused_and_never_cut(game):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite holds texts of any length")
    with pytest.raises(DataError), transaction.atomic():
        send(STREAMS, [[game, "test" * 1000, 1]])


def test_a_field_that_sets_itself_is_no_silent_nothing():
    with pytest.raises(TypeError, match="created_at sets itself"):
        RowWriter(World, ("id", "name"))


def test_those_rows_go_that_have_these_values_together(game, django_assert_num_queries):
    other = services.open_game("toy", "More", user=None).pk
    send(STREAMS, [[g, f"test {n}", n] for g in (game, other) for n in range(3)])
    streams = RowEraser(Stream, ("game_id", "audience"))
    with django_assert_num_queries(1):
        erase(streams, [(game, "test 0"), (other, "test 1"), (game, "test 9")])
    assert (set(heads(game)), set(heads(other))) == ({"test 1", "test 2"}, {"test 0", "test 2"})


def test_a_computed_value_follows_from_what_stood_there(game):
    row = LoggedEvent.objects.filter(game=game).latest("seq")
    send(DICE, [[game, row.seq, "public", "test", n, 6, 3, "secret", ""] for n in range(SPREAD // 5)])
    assert set(Die.objects.filter(game=game, label="test").values_list("event", flat=True)) == {row.pk}


def test_entries_of_a_chronicle_are_numbered_behind_those_that_stand_there():
    one, other = (World.objects.create(name=name, width=1, height=1) for name in ("one", "other"))
    for world, number in ((one, 2), (other, 1), (one, 250)):
        writes = Writes()
        write_entries(world, [Entry(uuid4(), NOON, 1, "", f"Line {n}") for n in range(number)], writes)
        writes.send()
    lines = Chronicle.objects.filter(world=one).order_by("position")
    positions = list(lines.values_list("position", flat=True))
    batch = SPREAD // 10  # of a writer with so many columns
    assert positions[: batch + 2] == list(range(1, batch + 3)) and len(set(positions)) == 252
    assert list(lines.values_list("text", flat=True)) == [f"Line {n}" for number in (2, 250) for n in range(number)]
    assert Chronicle.objects.get(world=other).position == 1


def test_what_is_sent_together_fails_together(game):
    streams = RowWriter(Stream, ("game_id", "audience", "head"))
    writes = Writes()
    for audience in ("test a", "test a"):
        writes.write(streams, [[game, audience, 1]])
    writes.write(STREAMS, [[game, "test b", 1]])
    with pytest.raises(IntegrityError), transaction.atomic():
        writes.send()
    assert heads(game) == {}


def test_what_goes_goes_before_what_comes(game):
    send(STREAMS, [[game, "test a", 1]])
    writes = Writes()
    writes.write(RowWriter(Stream, ("game_id", "audience", "head")), [[game, "test a", 2]])
    writes.erase(RowEraser(Stream, ("game_id", "audience")), [[game, "test a"]])
    writes.send()
    assert heads(game) == {"test a": 2}


def test_a_row_that_is_gone_is_not_updated_in_silence(game):
    writes = Writes()
    writes.write(STREAMS, [[game, "test a", 1]])
    writes.update(RowUpdater(Game, fixed=()), Game(pk=uuid4(), ruleset="toy"))
    with pytest.raises(LookupError, match="1 of 1 Game rows are gone"), transaction.atomic():
        writes.send()
    assert heads(game) == {}


def test_rows_are_updated_together_except_for_their_fixed_columns():
    people = [User.objects.create_user(name, email=f"{name}@example.org") for name in ("ada", "eve", "zoe")]
    updater, writes = RowUpdater(User, fixed=("email",)), Writes()
    for person in people[:2]:
        person.display_name, person.email, person.last_login = person.username.title(), "x@example.org", None
        writes.update(updater, person)
    writes.send()
    found = User.objects.order_by("username").values_list("display_name", "email", "password")
    assert list(found) == [
        ("Ada", "ada@example.org", people[0].password),
        ("Eve", "eve@example.org", people[1].password),
        ("", "zoe@example.org", people[2].password),
    ]


def test_rows_are_read_together_by_their_keys_in_the_order_of_these(game):
    send(STREAMS, [[game, name, number] for number, name in enumerate(("test b", "test a", "test c"))])
    reader, games = RowReader(Stream, ("game_id", "audience"), ("audience", "head")), RowReader(Game, ("id",), ("id",))
    keys = [[game, "test a"], [game, "test b"], [uuid4(), "test c"], [game, "test d"]]

    streams, found, none = read_together((reader, keys), (games, [[game], [uuid4()]]), (games, []))

    assert sorted(streams) == [("test a", 1), ("test b", 0)]
    assert (found, none) == ([(game,)], [])
