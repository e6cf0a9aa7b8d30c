"""How a table is conducted: the game-master's hand on the clock, each move a logged command with its reason."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from games.engine.audience import PUBLIC
from games.engine.bots import WAKING, Thought, bot_key
from games.engine.game_state import Status, dump
from games.engine.kernel import Issuer, execute
from games.engine.lifecycle.gm_commands import (
    ClockSlipped,
    EndNow,
    Extend,
    FireNow,
    GameEnded,
    Overrule,
    Overruled,
    Pause,
    Paused,
    Resume,
    Resumed,
    Rewind,
    Rewound,
    Start,
    Started,
    TimeTurned,
)
from games.engine.lifecycle.seating import HandOver
from games.engine.members import Members
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST_ACTOR, ruleset_with, table
from tests.playbook import event_like, refused
from tests.toy.rules.commands import AddStones, TideCame

SECOND = timedelta(seconds=1)


def running_game(**options):
    cairns = table(**options)
    cairns.when(Start(), HOST_ACTOR)
    return cairns


def test_the_game_begins_once_and_what_the_ruleset_sets_in_motion_follows():
    cairns = table()
    events = cairns.when(Start(), HOST_ACTOR)
    assert [type(e).__name__ for e in events] == ["Started", "TimerSet"]
    assert cairns.state.info.status is Status.RUNNING
    with refused("phase.closed", cairns.state):
        cairns.when(Start(), GM_ACTOR)


@pytest.mark.rule("CF-5")
def test_a_start_that_the_ruleset_refuses_has_not_begun():
    cairns = table()
    for seat in (ANN, BOB):
        del cairns.state.seats[seat]
    length = len(cairns.log)
    with refused("seats.few", cairns.state):
        cairns.when(Start(), HOST_ACTOR)
    assert (cairns.state.info.status, len(cairns.log)) == (Status.LOBBY, length)


@pytest.mark.rule("CF-5")
@pytest.mark.parametrize("command", [Pause(), Extend(seconds=5), EndNow(), FireNow(timer="tide")])
def test_the_clock_is_handled_only_while_it_runs(command):
    cairns = table()
    with refused("phase.closed", cairns.state):
        cairns.when(command, GM_ACTOR)
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Pause(), GM_ACTOR)
    if not command.while_paused:
        with refused("clock.paused", cairns.state):
            cairns.when(command, GM_ACTOR)
    cairns.when(Resume(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([GameEnded(reason="enough")]))
    with refused("phase.closed", cairns.state):
        cairns.when(command, GM_ACTOR)


def test_a_clock_that_runs_is_not_resumed():
    cairns = running_game()
    with refused("clock.running", cairns.state):
        cairns.when(Resume(), GM_ACTOR)


def test_every_seat_sees_why_the_clock_stands_still():
    cairns = running_game()
    assert cairns.when(Pause(reason="Tea."), HOST_ACTOR) == [Paused(reason="Tea.")]
    assert cairns.events_for()[-1][2] == "The clock stands still. Tea."
    cairns.now += 61 * SECOND
    assert cairns.when(Resume(), HOST_ACTOR) == [Resumed(by=61 * SECOND)]
    assert cairns.events_for()[-1][2] == "The clock goes on after 1 minute 1 second."


@pytest.mark.rule("CF-10")
def test_a_rule_that_was_overruled_is_named_with_the_reason():
    cairns = running_game()
    before = dump(cairns.state)
    assert cairns.when(Overrule(rule="G2-WAR-1", reason="a typing error"), GM_ACTOR) == [
        Overruled(rule="G2-WAR-1", reason="a typing error")
    ]
    assert cairns.log[-1].audience == PUBLIC
    assert cairns.log[-1].text == "The game-master overrules G2-WAR-1: a typing error."
    assert dump(cairns.state) == before
    for rule, reason in (("G2-WAR-1", ""), ("war", "why")):
        with pytest.raises(ValidationError):
            Overrule(rule=rule, reason=reason)


def test_the_clock_belongs_to_host_and_game_master_and_a_ruling_to_the_game_master():
    commands = Members.of("games.engine.lifecycle", "gm_commands").commands
    only_gm = {c.__name__ for c in commands if c.issuers == {Issuer.GM}}
    both = {c.__name__ for c in commands if c.issuers == {Issuer.GM, Issuer.HOST}}
    assert only_gm == {"Overrule", "Rewind"}
    assert both == {"Start", "EndSetup", "Pause", "Resume", "Extend", "EndNow", "FireNow"}


def test_the_last_tide_ends_the_game_and_calls_every_timer_off():
    cairns = running_game(options='{"tides": 2}')
    events = cairns.wait(timedelta(hours=1))
    assert [e for e in events if isinstance(e, (TideCame, GameEnded))] == [
        TideCame(count=1), TideCame(count=2), event_like(GameEnded),
    ]  # fmt: skip
    assert (cairns.state.info.status, dict(cairns.state.timers)) == (Status.FINISHED, {})
    assert cairns.log_folds_to_state()


class Pages:
    """The past of one game, folded from its first events."""

    def __init__(self, cairns):
        self.cairns = cairns

    def at(self, number):
        log, self.cairns.log = self.cairns.log, self.cairns.log[:number]
        past = self.cairns.retold()
        self.cairns.log = log
        return number, past

    def lasting_behind(self, position):
        return [h.event for h in self.cairns.log[position:] if h.event.survives_rewind]


def rewound(cairns, to):
    ctx = cairns.context(GM_ACTOR)
    ctx.history = Pages(cairns)
    return [h.event for h in execute(cairns.state, Rewind(to=to, reason="a slip"), ctx)]


@pytest.mark.rule("CF-10")
def test_a_game_goes_on_from_an_earlier_moment_with_other_dice_and_no_old_generation():
    cairns = running_game()
    cairns.when(AddStones(stones=5), ANN)
    to, piles, left = len(cairns.log), dump(cairns.state.piles), cairns.state.timers["tide"].due - cairns.now
    cairns.wait(200 * SECOND)
    cairns.when(AddStones(stones=3), BOB)
    timers_set, seats = cairns.state.info.timers_set, dump(cairns.state.seats)
    events = rewound(cairns, to)
    assert [type(e) for e in events] == [Rewound, ClockSlipped, TimeTurned]
    assert (dump(cairns.state.piles), dump(cairns.state.seats)) == (piles, seats)
    assert cairns.state.tide.count == 0
    assert cairns.state.timers["tide"].due == cairns.now + left
    assert (cairns.state.info.rewinds, cairns.state.info.timers_set) == (1, timers_set)


def test_a_rewind_within_a_second_moves_no_deadline():
    cairns = running_game()
    cairns.when(AddStones(stones=5), ANN)
    to, due = len(cairns.log), cairns.state.timers["tide"].due
    cairns.when(AddStones(stones=3), BOB)
    assert [type(e) for e in rewound(cairns, to)] == [Rewound, TimeTurned]
    assert cairns.state.timers["tide"].due == due


@pytest.mark.rule("CF-10")
@pytest.mark.parametrize("is_over", [False, True])
def test_a_rewind_wakes_the_bots_that_have_come_since_while_the_game_goes_on(is_over):
    ruleset = ruleset_with(policies={"idle": lambda state, seat, tray: Thought(None, None)})
    cairns = table(ruleset=ruleset)
    cairns.when(Start(), HOST_ACTOR)
    cairns.when(HandOver(seat=ANN, bot="idle", reason="ill"), HOST_ACTOR)
    cairns.wait(2 * WAKING)
    if is_over:
        cairns.happens(lambda state, ctx: iter([GameEnded(reason="enough")]))
    to = len(cairns.log)
    cairns.when(HandOver(seat=BOB, bot="idle", reason="ill"), HOST_ACTOR)
    rewound(cairns, to)
    assert [cairns.state.seats[seat].bot for seat in (ANN, BOB)] == ["idle", "idle"]
    woken = {key: timer.due for key, timer in cairns.state.timers.items() if key.startswith("bot:")}
    assert woken == ({} if is_over else {bot_key(BOB): cairns.now + WAKING})


def test_nobody_goes_back_behind_the_start_or_without_a_history():
    cairns = running_game()
    with refused("history.missing", cairns.state):
        cairns.when(Rewind(to=1, reason="a slip"), GM_ACTOR)
    with refused("history.early", cairns.state):
        rewound(cairns, 1)


def test_the_start_event_says_who_begins():
    cairns = running_game()
    assert ("Started", "{}", "Cairns begins.") in cairns.events_for()
    assert Started().sentence(cairns.state) == "Cairns begins."
