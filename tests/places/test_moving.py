"""Slots that move from one bucket to another while games go on; broken off anywhere, nothing has moved."""

import threading
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from core.ids import slot_of
from core.places import making, moving, routing
from core.places.cards import NOTES
from core.places.models import Slot
from games import services
from games.models import Game
from tests.games.cairns import Cairns
from tests.places.buckets import ONE, TWO
from tests.places.games import in_its_place, one_in_each, rows_of_schemas
from tests.places.test_games import issue, play, stones
from tests.toy.rules.commands import AddStones

WAIT_SECONDS = 30


def move_all(cairns: Cairns, to: int) -> int:
    """Move the slot of a game; how many rows went."""
    return sum(count for _, count in moving.move([slot_of(cairns.game.pk)], to))


def places(*arguments: str) -> str:
    """What the command says."""
    out = StringIO()
    call_command("places", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_a_slot_moves_with_every_row_and_nothing_else():
    first, second = one_in_each()
    play(issue(first, AddStones(stones=2)))
    before = rows_of_schemas()
    count = move_all(first, TWO.number)
    after = rows_of_schemas()

    def rows(found: dict[str, dict[str, int]]) -> int:
        return sum(n for schema in (ONE.schema, TWO.schema) for n in found.get(schema, {}).values())

    assert rows(before) == rows(after) and count == rows(before) - rows_of_schemas_of_one(before)
    assert ONE.schema not in after and routing.place_of(first.game.pk) == TWO
    assert Slot.objects.filter(bucket=1).count() == 2047
    assert stones(first) == 2 and stones(second) == 0  # rows and log are those of before
    assert places("check") == "Every row lies where its slot is.\n"


def rows_of_schemas_of_one(found: dict[str, dict[str, int]]) -> int:
    """The rows that lay in the second bucket already."""
    return sum(found[TWO.schema].values())


@pytest.mark.django_db
def test_a_game_goes_on_where_it_was_moved_to_and_comes_back():
    first, _ = one_in_each()
    for number, (to, expected) in enumerate([(2, 2), (1, 4), (2, 6)], start=1):
        move_all(first, to)
        assert move_all(first, to) == 0  # again: it lies there
        (work,) = play(issue(first, AddStones(stones=2), at=number))
        assert work.waiting[0].outcome and stones(first) == expected


@pytest.mark.django_db
@pytest.mark.parametrize("step", [0, 1, 40, 120])
def test_what_breaks_off_has_moved_nothing_and_is_repeated(monkeypatch, step):
    first, _ = one_in_each()
    before, digest, left = rows_of_schemas(), moving._digest, [step]

    def breaks(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return digest(*arguments)

    monkeypatch.setattr(moving, "_digest", breaks)
    with pytest.raises(KeyboardInterrupt):
        move_all(first, 2)
    assert rows_of_schemas() == before and Slot.objects.get(pk=slot_of(first.game.pk)).bucket_id == 1
    monkeypatch.undo()
    assert move_all(first, 2) > 0 and stones(first) == 0


@pytest.mark.django_db
def test_slots_without_games_move_together_at_the_price_of_a_few_statements():
    first, _ = one_in_each()
    full = slot_of(first.game.pk)
    with CaptureQueriesContext(connection) as few:
        moved = dict(moving.move([slot for slot in range(0x100, 0x180) if slot != full], 2))
    assert len(moved) == 127 and {*moved.values()} == {0} and len(few) < 20
    assert Slot.objects.get(pk=full).bucket_id == 1 and stones(first) == 0


@pytest.mark.django_db
def test_rows_that_differ_where_they_arrive_are_not_moved(monkeypatch):
    first, _ = one_in_each()
    before, digest = rows_of_schemas(), moving._digest
    monkeypatch.setattr(moving, "_digest", lambda *asked: (*digest(*asked)[:1], (asked[2], digest(*asked)[1])))
    with pytest.raises(moving.Immovable, match="differs in place_02; nothing was moved"):
        move_all(first, 2)
    assert rows_of_schemas() == before


@pytest.mark.django_db
def test_what_a_process_believes_of_before_is_found_out():
    first, second = one_in_each()
    stale = list(routing._table)
    move_all(first, 2)
    routing._table[:] = stale
    issued = issue(second, AddStones(stones=1)), issue(second, AddStones(stones=1), at=2)
    late = services.PendingCommand(game=first.game.pk, user=None, issued=None)
    late.issued = in_two(first)
    services.play([services.GameWork(first.game.pk, [late]), services.GameWork(second.game.pk, list(issued))])
    assert late.outcome and all(each.outcome for each in issued) and (stones(first), stones(second)) == (5, 2)


def in_two(cairns: Cairns) -> services.IssuedCommand:
    """A command of Ann's, whose seat is read where it lies by now."""
    with routing.at_place(TWO):
        return services.IssuedCommand(AddStones(stones=5), cairns.actor(cairns.ann))


@pytest.mark.django_db
def test_a_game_that_is_opened_while_its_slot_moves_is_made_where_that_goes():
    first, _ = one_in_each()
    stale = list(routing._table)
    move_all(first, 2)
    routing._table[:] = stale
    with routing.making(first.game.pk):
        assert routing.current() == TWO


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_game_that_moves_finds_it_there(monkeypatch):
    first, _ = one_in_each()
    issued, digest = issue(first, AddStones(stones=3)), moving._digest
    is_locked, is_asked = threading.Event(), threading.Event()

    def waits(*arguments):
        is_locked.set()
        assert is_asked.wait(WAIT_SECONDS)
        return digest(*arguments)

    def move() -> None:
        move_all(first, 2)
        connections.close_all()

    monkeypatch.setattr(moving, "_digest", waits)
    mover = threading.Thread(target=move)
    mover.start()
    assert is_locked.wait(WAIT_SECONDS)
    player = threading.Thread(target=lambda: (play(issued), connections.close_all()))
    player.start()
    until_somebody_waits()
    is_asked.set()
    for thread in (mover, player):
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()
    assert issued.outcome and not issued.error and stones(first) == 3
    assert in_its_place(first, lambda of: Game.objects.count()) == 2


def until_somebody_waits() -> None:
    """Until a session of this database waits for a lock."""
    waiting = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database OR l.database IS NULL " \
              "WHERE NOT granted AND d.datname = current_database()"  # fmt: skip
    pause = threading.Event()
    for _ in range(WAIT_SECONDS * 20):
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        pause.wait(0.05)
    raise AssertionError("nobody waits")


@pytest.mark.django_db
def test_rows_are_numbered_apart_so_that_those_of_any_bucket_fit_into_another():
    first, second = one_in_each()
    for cairns, place in ((first, ONE), (second, TWO)):
        numbers = in_its_place(cairns, lambda of: list(of.game.events.values_list("pk", flat=True)))
        assert numbers and all(number >> making.NUMBER_BITS == place.number for number in numbers)


@pytest.mark.django_db
def test_every_table_of_a_bucket_moves_but_what_the_bucket_has_for_itself():
    moved = {table.name for table in moving.slot_tables()}
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'place_01'")
        tables = {name for (name,) in cursor.fetchall()}
    assert tables - moved == {"django_migrations", "games_pulse", NOTES} and moved <= tables


@pytest.mark.django_db
def test_a_place_is_split_and_slots_are_moved_by_the_command():
    first, _ = one_in_each()
    assert "1024 slots" in places("split", "1", "2").splitlines()[-1]
    digits = f"{slot_of(first.game.pk):03x}"
    assert "rows are in place 2 now" in places("move", digits, "2") and places("move", digits, "2").startswith(
        "0 slots"
    )
    assert places("move", "000-0ff", "2").endswith("in place 2 now.\n")
    assert places("move", "1", "2").endswith("in place 2 now.\n") and not Slot.objects.filter(bucket=1)
    assert stones(first) == 0 and "place_02: 4096 slots, 2 games" in places("list")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("move", "100", "3"), "There is no place 3 with tables"),
        (("move", "zzz", "2"), "zzz is no slot, no span of slots and no place"),
        (("move", "200-100", "2"), "is no span of slots"),
        (("move", "fff-1000", "2"), "is no span of slots"),
        (("split", "1", "1"), "split among others than itself"),
    ],
)
def test_what_cannot_be_moved_is_refused_in_words(arguments, says):
    with pytest.raises(CommandError, match=says):
        places(*arguments)


@pytest.mark.django_db
def test_a_row_that_lies_astray_is_found():
    first, _ = one_in_each()
    Slot.objects.filter(pk=slot_of(first.game.pk)).update(bucket=2)
    with pytest.raises(CommandError, match=r"place_01\.games_game: 1 rows of slot"):
        places("check")
