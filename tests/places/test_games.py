"""The one writer with games in both buckets: called from nowhere, each works in its own place and in no other."""

from datetime import timedelta

import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from core.places import routing
from games import services
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.kernel import Command
from games.engine.lifecycle.gm_commands import Pause
from games.models import Game, Pulse, Receipt, Seat, Timer
from games.runtime import audit, service_clock
from games.runtime.decision import PendingCommand
from games.runtime.service_clock import CLOCK
from games.services import GameWork, IssuedCommand
from games.storage import log
from games.storage.state_cache import STATE_CACHE
from tests.games.cairns import NOON, Cairns
from tests.games.forgeborn import begin, made
from tests.games.moments import rewind_to
from tests.places.buckets import BOTH, ONE, TWO, id_in
from tests.places.games import in_its_place, one_in_each, opened_in, rows_of_schemas
from tests.toy.rules.commands import AddStones

pytestmark = pytest.mark.django_db
TIDES = '{"tide_seconds": 60}'


def issue(cairns: Cairns, command: Command, *, at: float = 1, key: str = "") -> PendingCommand:
    """A command of Ann's, not played yet."""
    actor = in_its_place(cairns, lambda of: of.actor(of.ann))
    return PendingCommand(
        game=cairns.game.pk,
        user=actor.user,
        issued=IssuedCommand(command, actor),
        now=NOON + timedelta(seconds=at),
        key=key,
    )


def play(*issued: PendingCommand, **more: object) -> list[GameWork]:
    """Each game's command, all in one call; the works."""
    works = [GameWork(each.game, [each]) for each in issued]
    services.play(works, **more)
    return works


def stones(cairns: Cairns) -> int:
    """What Ann has, as the rows say; they are what the log says."""

    def count(of: Cairns) -> int:
        assert of.rows_equal_log()
        pile = of.state().piles.get(of.seat(of.ann))
        return int(pile.stones) if pile else 0

    return in_its_place(cairns, count)


def seq(cairns: Cairns) -> int:
    return in_its_place(cairns, lambda of: of.fresh().seq)


def test_every_row_of_a_game_lies_in_its_bucket_and_none_elsewhere():
    empty = rows_of_schemas()
    smithy = opened_in(ONE, begin)
    found = rows_of_schemas()

    assert found.keys() == {"public", ONE.schema} and TWO.schema not in empty
    assert {"games_game", "games_loggedevent", "games_seat", "worlds_world", "forgeborn_character"} <= {
        *found[ONE.schema]
    }
    assert {name for name in found["public"] if found["public"][name] != empty["public"].get(name)} == {"accounts_user"}
    assert routing.place_of(smithy.id) == ONE


def test_a_game_is_opened_where_its_id_says(monkeypatch):
    host = User.objects.create_user(username="host")
    for place in BOTH:
        monkeypatch.setattr("games.services.uuid4", lambda place=place: id_in(place))
        game = services.open_game("toy", "Cairns", user=host.pk, now=NOON)
        with routing.at_place(place):
            assert Seat.objects.filter(game=game).count() == 2
        with routing.at_place(ONE if place == TWO else TWO):
            assert not Game.objects.filter(pk=game.pk).exists()


def test_a_forgotten_place_finds_no_table_for_reads_and_for_writes():
    cairns, _ = one_in_each()
    for forgetful in (
        lambda: Game.objects.get(pk=cairns.game.pk),
        lambda: cairns.fresh().events.count(),
        lambda: Timer.objects.update(failures=1),
        lambda: Pulse.objects.create(part="x", at=NOON),
        lambda: service_clock.pulse_of(CLOCK),
    ):
        with pytest.raises(ProgrammingError, match=r"relation .* does not exist"), transaction.atomic():
            forgetful()


def test_commands_of_both_places_are_played_in_one_call():
    first, second = one_in_each()
    issued = [issue(first, AddStones(stones=2)), issue(second, AddStones(stones=3)), issue(first, AddStones(stones=4))]
    services.play([GameWork(first.game.pk, [issued[0], issued[2]]), GameWork(second.game.pk, [issued[1]])])

    assert all(each.outcome and not each.error for each in issued)
    assert (stones(first), stones(second)) == (6, 3)


def test_a_refusal_in_one_place_changes_nothing_and_leaves_the_other_alone():
    first, second = one_in_each()
    before = seq(first)
    wrong, right = issue(first, Pause()), issue(second, AddStones(stones=3))
    play(wrong, right)

    assert isinstance(wrong.error, Refused) and right.outcome
    assert (seq(first), stones(first), stones(second)) == (before, 0, 3)
    with pytest.raises(Refused):
        services.issue(first.game.pk, wrong.issued, now=wrong.now)


@pytest.mark.parametrize("broken", [0, 1])
def test_a_fault_in_one_place_leaves_the_other_alone(monkeypatch, broken):
    games = one_in_each()
    issued = [issue(each, AddStones(stones=2)) for each in games]
    decide = AddStones.decide

    def fail(self, state, ctx):
        if ctx.game == games[broken].game.pk:
            raise ZeroDivisionError
        return decide(self, state, ctx)

    monkeypatch.setattr(AddStones, "decide", fail)
    works = play(*issued)

    assert isinstance(issued[broken].error, ZeroDivisionError) and issued[1 - broken].outcome
    assert [work.is_over for work in works] == [True, True]
    assert [stones(each) for each in games] == ([0, 2] if broken == 0 else [2, 0])


def test_where_the_database_goes_away_what_was_done_in_another_place_stands(monkeypatch):
    first, second = one_in_each()
    issued = [issue(first, AddStones(stones=2)), issue(second, AddStones(stones=2))]
    lock = services.batch.lock

    def lost(games, *more, **others):
        if second.game.pk in games:
            raise OperationalError("gone")
        return lock(games, *more, **others)

    monkeypatch.setattr(services.batch, "lock", lost)
    with pytest.raises(OperationalError):
        play(*issued)
    monkeypatch.undo()

    assert issued[0].outcome and not issued[1].outcome and not issued[1].error


def test_a_time_that_is_over_begins_no_other_place():
    first, second = one_in_each()
    issued = [issue(first, AddStones(stones=2)), issue(second, AddStones(stones=2))]
    works = play(*issued, seconds=-1)

    assert [(work.is_over, work.was_held) for work in works] == [(False, False)] * 2
    assert not any(each.outcome or each.error for each in issued)
    play(*issued)
    assert all(each.outcome for each in issued)


def test_a_game_that_does_not_exist_is_missing_in_its_place():
    first, second = one_in_each()
    for place, known in ((ONE, second), (TWO, first)):
        lost = issue(known, AddStones(stones=2))
        lost.game = id_in(place)
        play(lost, issue(known, AddStones(stones=1)))
        assert isinstance(lost.error, Refused) and lost.error.code == "game.missing"


def test_timers_of_both_places_fire_at_their_times_in_one_call():
    first, second = one_in_each(TIDES)
    games = [first.game.pk, second.game.pk]

    for seconds in (61, 121):
        assert services.fire_due_in(games, NOON + timedelta(seconds=seconds)) == dict.fromkeys(games, 1)
    assert services.fire_due(games[0], NOON + timedelta(seconds=181)) == 1
    assert [in_its_place(each, lambda of: of.state().tide.count) for each in (first, second)] == [3, 2]
    for each in (first, second):
        in_its_place(each, Cairns.rows_equal_log)


def test_a_key_is_acknowledged_in_its_place_and_a_rewind_goes_back_there():
    for cairns in one_in_each():
        first = issue(cairns, AddStones(stones=2), key="once")
        again = issue(cairns, AddStones(stones=2), key="once", at=2)
        play(first)
        STATE_CACHE.clear()
        play(again)
        assert again.outcome.replayed and again.outcome.first_seq == first.outcome.first_seq
        with routing.at(cairns.game.pk):
            assert Receipt.objects.filter(game=cairns.game, key="once").count() == 1
            gm = cairns.gm
            back = rewind_to(cairns.game.pk, first.outcome.first_seq, "Again.")
        play(issue(cairns, AddStones(stones=5), at=3))
        services.run(cairns.game.pk, back, actor=gm, now=NOON + timedelta(seconds=4))
        assert stones(cairns) == 2


@pytest.mark.parametrize("place", BOTH, ids=["first", "second"])
def test_a_real_ruleset_is_played_in_each_place(place):
    smithy = opened_in(place, begin)
    with routing.at_place(place):
        name, other = ("ann", "bob") if smithy.active == "ann" else ("bob", "ann")
        form, function = {"kind": "clothing", "die": 4}, {"kind": "fortune", "die": 8}
        commands = [
            (smithy.actor(name), made("begin-artifact", name="Ember", form=form, function=function)),
            (smithy.actor(other), made("decline-help")),
        ]
    for actor, command in commands:
        services.run(smithy.id, command, actor=actor, now=smithy.now)
    with pytest.raises(Refused):
        services.run(smithy.id, commands[1][1], actor=commands[1][0], now=smithy.now)
    with routing.at_place(place):
        assert dump(smithy.state) == dump(log.fold(smithy.game)) and not list(log.broken_links(smithy.game))
        assert smithy.game.events.filter(type="ArtifactBegun").exists()


def test_lobbies_are_counted_over_all_places(settings, monkeypatch):
    settings.MAX_LOBBIES = 3
    host = User.objects.create_user(username="host")
    for place in (ONE, TWO, TWO):
        monkeypatch.setattr("games.services.uuid4", lambda place=place: id_in(place))
        services.open_game("toy", "Cairns", user=host.pk)
    with pytest.raises(Refused, match="wait for the start"):
        services.open_game("toy", "Cairns", user=host.pk)


def test_each_place_has_a_clock_and_its_games_alone_are_turned_back():
    one_in_each(TIDES)
    now = timezone.now()
    standing = now + timedelta(hours=1)
    for place, at in ((ONE, now), (TWO, standing)):
        with routing.at_place(place):
            service_clock.renew(CLOCK, at)
    service_clock._process_clocks.clear()
    with routing.at_place(ONE):
        assert service_clock.now() < standing
    with routing.at_place(TWO):
        assert service_clock.now() == standing
        assert services.turn_back(standing, now, timedelta()) == 1
        assert service_clock.now() < standing
    with routing.at_place(ONE):
        assert services.turn_back(standing, now, timedelta()) == 0
    service_clock._process_clocks.clear()


@pytest.mark.django_db(transaction=True)
def test_a_command_takes_one_statement_more_than_without_places():
    first, second = one_in_each()
    for each in (first, second):
        play(issue(each, AddStones(stones=1)))
    issued = issue(first, AddStones(stones=2))
    with CaptureQueriesContext(connection) as captured:
        play(issued)
    alone = [query["sql"] for query in captured.captured_queries]
    assert not any("SAVEPOINT" in sql for sql in alone)
    assert [sql for sql in alone if sql.startswith("SET")] == ['SET LOCAL search_path TO "place_01", public']
    assert alone[:2] == ["BEGIN", 'SET LOCAL search_path TO "place_01", public'] and alone[-1] == "COMMIT"
    assert audit.compare_states() == 0 and audit.compare_state(first.game.pk) == []
