"""The wall clock goes back: the games go back with it, once, what was left is left, and their logs say so."""

from collections import defaultdict
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from structlog.testing import capture_logs

from games import services
from games.engine.audience import GM
from games.engine.lifecycle.gm_commands import ClockSlipped, Pause, Resume
from games.models import Game, LoggedEvent, Pulse, Timer
from games.runtime import batch, service_clock
from games.runtime.service_clock import CLOCK, ProcessClock
from games.runtime.session import GameSession
from games.storage.state_cache import STATE_CACHE
from games.workers import tasks
from games.workers.clock_watch import STANDS_SECONDS, ClockWatch
from tests.faults.era import open_era
from tests.faults.shared import another, clock_at, moment
from tests.games.cairns import NOON, Cairns, table
from tests.toy.rules.commands import AddStones
from tests.toy.rules.state import State

HOUR, TIDE = 3600, 600
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock_of_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_clock, "_process_clocks", defaultdict(ProcessClock))


class Machine:
    """A machine with one watchdog: its wall clock, in seconds after noon, and the time that truly passes."""

    def __init__(self, wall: float = 0) -> None:
        self.wall, self.true, self.watch = wall, 0.0, ClockWatch()

    def goes_on(self, seconds: int) -> int:
        """So many seconds pass, each with a look of the watchdog and a sweep; how many games were turned back."""
        turned = 0
        for _ in range(seconds):
            self.wall, self.true = self.wall + 1, self.true + 1
            turned += self.watch.look(moment(self.wall), self.true)
            with clock_at(self.wall):
                tasks.sweep.delay()
        return turned


def cairns_of(options: str = f'{{"tide_seconds": {TIDE}, "tides": 1000}}') -> Cairns:
    return table(options)


def slips(game: UUID) -> list[float]:
    """By how many seconds the log says that the clock slipped."""
    rows = LoggedEvent.objects.filter(game=game, type="ClockSlipped").order_by("seq")
    return [ClockSlipped.model_validate_json(row.body).by.total_seconds() for row in rows]


def left(game: UUID, wall: float) -> list[float]:
    """Seconds that the running timers have left, by a wall clock."""
    return [
        (due - moment(wall)).total_seconds() for due in Timer.objects.filter(game=game).values_list("due", flat=True)
    ]


@pytest.mark.parametrize("jump", [120, HOUR, 90 * 24 * HOUR])
def test_what_was_left_is_left_and_the_log_says_so(jump: int) -> None:
    cairns, machine = cairns_of(), Machine()
    machine.goes_on(100)
    assert left(cairns.game.pk, machine.wall) == [500]
    machine.wall -= jump
    with capture_logs() as lines:
        assert machine.goes_on(20) == 1
    (remaining,), (slipped,) = left(cairns.game.pk, machine.wall), slips(cairns.game.pk)
    assert 480 <= remaining <= 483  # it was last looked at up to two seconds before the clock went back
    assert -jump - 3 < slipped < -jump + 3
    said = LoggedEvent.objects.get(game=cairns.game, type="ClockSlipped").text
    assert said.startswith("The service's clock went back by ") and said.endswith("; every deadline moves with it.")
    (line,) = [line for line in lines if line["event"] == "clock_turned_back"]
    assert (line["games"], line["log_level"]) == (1, "warning") and abs(line["seconds"] - jump) < 3
    machine.goes_on(int(remaining))
    assert cairns.types()[-3:] == ["TimerFired", "TideCame", "TimerSet"]
    assert cairns.fresh().last_at == moment(machine.wall)
    assert cairns.rows_equal_log()


def test_a_machine_that_was_rolled_back_while_nothing_ran_goes_on_with_what_was_left() -> None:
    cairns, machine = cairns_of(), Machine()
    machine.goes_on(100)
    again = Machine(100 - HOUR)  # the process that starts knows of no other clock
    assert again.goes_on(20) == 1
    assert 480 <= left(cairns.game.pk, again.wall)[0] <= 483


def test_of_two_watchdogs_one_turns_the_games_back() -> None:
    cairns, one = cairns_of(), Machine()
    one.goes_on(10)
    other = Machine(10)
    other.goes_on(1)
    one.wall, other.wall = one.wall - HOUR, other.wall - HOUR
    assert sum(one.goes_on(1) + other.goes_on(1) for _ in range(30)) == 1
    assert len(slips(cairns.game.pk)) == 1


def test_while_another_machine_shows_the_later_time_no_game_is_turned_back() -> None:
    cairns, right, wrong = cairns_of(), Machine(), Machine(-HOUR)
    right.goes_on(10)
    with capture_logs() as lines:
        assert sum(right.goes_on(2) + wrong.goes_on(2) for _ in range(20)) == 0
    assert slips(cairns.game.pk) == []
    assert [line["event"] for line in lines].count("clocks_differ") == 1
    assert left(cairns.game.pk, right.wall) == [TIDE - right.wall]


def test_a_step_smaller_than_the_slip_is_waited_for() -> None:
    cairns, machine = cairns_of(), Machine()
    machine.goes_on(100)
    machine.wall -= settings.CLOCK_SLIP_SECONDS
    assert machine.goes_on(20) == 0
    assert slips(cairns.game.pk) == []


def test_until_the_games_are_turned_back_commands_are_decided_on_the_clock_as_it_was() -> None:
    """Else a deadline that is set meanwhile would be turned back too, although it was set on the new clock."""
    cairns, machine = cairns_of(), Machine()
    machine.goes_on(1)
    add_stones(cairns, machine)
    machine.goes_on(100)
    machine.wall -= HOUR
    standing = Pulse.objects.get(part=CLOCK).at
    add_stones(cairns, machine)
    assert cairns.fresh().last_at == standing
    assert machine.goes_on(int(STANDS_SECONDS) + 2) == 1
    add_stones(cairns, machine)
    assert cairns.fresh().last_at == moment(machine.wall)
    assert len(slips(cairns.game.pk)) == 1


def add_stones(cairns: Cairns, machine: Machine) -> None:
    """A player's command, by a web process of this machine."""
    with clock_at(machine.wall):
        services.run(cairns.game.pk, AddStones(stones=1), actor=cairns.actor(cairns.ann))


def test_a_process_asks_the_database_only_while_its_clock_is_in_doubt(django_assert_num_queries) -> None:
    clock = ProcessClock()
    with django_assert_num_queries(1):
        clock.look(moment(0), 0.0)  # it begins
        clock.look(moment(1), 1.0)
        clock.look(moment(5000), 2.0)  # forward: what is due says so
        clock.look(moment(5002), 5.0)  # a small step
    with django_assert_num_queries(1):
        clock.look(moment(5002 - HOUR), 6.0)
        clock.look(moment(5003 - HOUR), 7.0)


def test_paused_waiting_and_finished_games() -> None:
    running, machine = cairns_of(), Machine()
    paused = another(running, f'{{"tide_seconds": {TIDE}, "tides": 9}}')
    lobby = services.open_game("toy", "Later", user=running.host.pk, now=moment(50))
    over = another(running)
    Game.objects.filter(pk=over.game.pk).update(status="finished")
    STATE_CACHE.clear()  # the row was changed behind the service's back
    machine.goes_on(60)
    paused.run(Pause(reason="lunch"), paused.gm, at=60)
    machine.wall -= HOUR
    assert machine.goes_on(20) == 3
    assert slips(over.game.pk) == [] and len(slips(lobby.pk)) == 1
    paused.run(Resume(), paused.gm, at=machine.wall + 500)
    assert 538 <= left(paused.game.pk, machine.wall + 500)[0] <= 541
    assert paused.rows_equal_log()


def test_every_time_of_a_century_and_its_wars_goes_back() -> None:
    era, machine = open_era(30, NOON, seconds=2 * HOUR), Machine()
    machine.goes_on(5)
    machine.wall -= HOUR
    assert machine.goes_on(10) == 1
    assert era.faults() == []


def test_a_game_whose_rules_fail_is_parked_and_the_others_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, machine = cairns_of(), Machine()
    sound, paused = another(broken), another(broken, f'{{"tide_seconds": {TIDE}, "tides": 9}}')
    machine.goes_on(5)
    paused.run(Pause(reason="lunch"), paused.gm, at=5)
    shift = State.shift

    def fail(state: State, by: timedelta) -> None:
        shift(state, by)
        if state.info.id != sound.game.pk:
            raise ValueError("broken")

    monkeypatch.setattr(State, "shift", fail)
    machine.wall -= HOUR
    with capture_logs() as lines:
        assert machine.goes_on(10) == 1
    assert {line["game"] for line in lines if line["event"] == "clock.game_not_turned_back"} == {
        str(broken.game.pk), str(paused.game.pk),
    }  # fmt: skip
    assert [len(slips(each.game.pk)) for each in (broken, paused, sound)] == [0, 0, 1]
    assert (broken.types()[-2:], paused.types()[-2:]) == (["Paused", "TimerFailed"], ["Paused", "TimerFailed"])
    notice = LoggedEvent.objects.get(game=broken.game, type="TimerFailed")
    assert notice.audience == GM and "(ValueError: broken); resume to try again." in notice.text
    assert machine.goes_on(TIDE) == 0  # nothing fires while it is parked
    monkeypatch.setattr(State, "shift", shift)
    for parked, wanted in ((broken, TIDE - 10), (paused, TIDE - 5)):  # a paused one has lost no time
        parked.run(Resume(), parked.gm, at=machine.wall)
        assert parked.fresh().last_at == moment(machine.wall)
        assert abs(left(parked.game.pk, machine.wall)[0] - wanted) <= 2
        assert parked.rows_equal_log()
    resumed = LoggedEvent.objects.get(game=broken.game, type="Resumed")
    assert resumed.text == "The clock goes on."


def test_a_game_that_cannot_even_be_parked_is_left_and_the_others_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, machine = cairns_of(), Machine()
    another(broken)

    def fail(session: GameSession, by: timedelta, at: object, *fault: object) -> None:
        if session.game.pk == broken.game.pk:
            raise ValueError("broken")

    for name in ("turn_back", "park_ahead"):
        monkeypatch.setattr(batch.clock, name, fail)
    machine.goes_on(5)
    machine.wall -= HOUR
    with capture_logs() as lines:
        assert machine.goes_on(10) == 1
    assert [line["game"] for line in lines if line["event"] == "clock.game_not_parked"] == [str(broken.game.pk)]
