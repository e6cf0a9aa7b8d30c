"""Dice of a real table: a decision waits for them, and the server rolls when nobody does (CF-2, CF-6)."""

from collections.abc import Iterator
from copy import deepcopy

import pytest

from games.engine.audience import GM, PUBLIC, SERVER
from games.engine.dice import SecretDice, Source, Tray, die
from games.engine.errors import DieOwed
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.manual_dice import WINDOW, DecisionHeld, DieEntered, EnterDie, EnteredView, by_hand, hold
from games.engine.timer import fire
from tests.engine.cairns import ANN, BOB, GAME, GM_ACTOR, Cairns, ruleset_with, table
from tests.playbook import of_kind, refused
from tests.toy.rules.commands import AddStones, Propose, RollStones, StonesAdded
from tests.toy.rules.state import State

SECRET = b"secret of the tests"


class RollTwice(Command):
    """Add the sum of two dice."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require_turn(ctx.actor.seat)
        yield StonesAdded(seat=ANN, stones=sum(ctx.tray.pool("twice", 2, 6, "TOY-PILE-2")))


class RealTable(Cairns):
    """A game whose game-master rolls the dice; what needs a die is set aside as the service does it."""

    def context(self, actor):
        ctx = super().context(actor)
        ctx.tray = Tray(
            SecretDice(SECRET, str(GAME)),
            entered=EnteredView(self.state),
            by_hand=lambda label, index: by_hand(self.state, label, index),
        )
        return ctx

    def when(self, command, by=None, dice=None):
        actor = by if isinstance(by, Actor) else Actor(Issuer.SEAT, seat=by)
        return self.decide_or_hold(
            lambda s, c: command.decide(s, c), lambda s, c, owed: hold(s, c, command, owed), actor
        )

    def strike(self, key):
        """Fire one timer as the clock does."""

        def fire_or_hold(state, ctx, owed):
            timer = state.timers[key]
            yield next(fire(state, key, ctx))
            yield from hold(state, ctx, ctx.command(timer.does, timer.arguments), owed)

        return self.decide_or_hold(lambda s, c: fire(s, key, c), fire_or_hold, CLOCK)

    def decide_or_hold(self, decide, held, actor):
        """Let something be decided; where it needs a die of the table, its state is dropped and it is set aside."""
        former, heads = deepcopy(self.state), dict(self.heads)
        try:
            return self.happens(decide, actor)
        except DieOwed as caught:
            owed = caught
        self.state, self.heads = former, heads
        return self.happens(lambda s, c: held(s, c, owed), actor)


def real_table():
    cairns = table(ruleset=ruleset_with(RollTwice), options='{"dice_by_hand":true}')
    cairns.__class__ = RealTable
    cairns.when(Start(), GM_ACTOR)
    return cairns


def question(cairns):
    (prompt,) = [p for p in cairns.state.prompts.values() if p.kind == "DICE"]
    return prompt


def pile_sizes(events):
    return [e.stones for e in of_kind(events, StonesAdded)]


@pytest.mark.rule("CF-2")
def test_a_decision_waits_for_the_die_of_the_table_and_goes_on_with_it():
    cairns = real_table()
    assert of_kind(cairns.when(RollStones(), ANN), StonesAdded) == []
    prompt = question(cairns)
    assert (prompt.audience, prompt.owners) == (GM, ("gm",))
    events = cairns.when(EnterDie(prompt=prompt.id, value=5), GM_ACTOR)
    assert pile_sizes(events) == [5]
    (roll,) = cairns.log[-1].rolls
    assert (roll.label, roll.value, roll.source) == (f"0/pile:{ANN}/0", 5, Source.ENTERED)
    assert cairns.state.prompts == {}
    assert [k for k in cairns.state.timers if k.startswith("prompt:")] == []
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-6")
def test_the_server_rolls_when_nobody_entered_the_die_in_time():
    cairns = real_table()
    cairns.when(RollStones(), ANN)
    key = f"prompt:{question(cairns).id}"
    assert cairns.state.timers[key].due == cairns.now + WINDOW
    cairns.now += WINDOW
    expected = die(SECRET, str(GAME), f"0/pile:{ANN}/0", 0, 6)
    assert pile_sizes(cairns.strike(key)) == [expected]
    assert cairns.log[-1].rolls[0].source is Source.SERVER
    assert cairns.state.prompts == {}
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-5")
def test_a_die_shows_one_of_its_sides_and_is_entered_once_by_a_game_master():
    cairns = real_table()
    cairns.when(RollStones(), ANN)
    prompt = question(cairns)
    with refused("die.range", cairns.state):
        cairns.when(EnterDie(prompt=prompt.id, value=7), GM_ACTOR)
    with refused("prompt.not_yours", cairns.state):
        cairns.when(EnterDie(prompt=prompt.id, value=3), BOB)
    cairns.when(EnterDie(prompt=prompt.id, value=3), GM_ACTOR)
    with refused("prompt.closed", cairns.state):
        cairns.when(EnterDie(prompt=prompt.id, value=4), GM_ACTOR)


def test_another_question_takes_no_die():
    cairns = real_table()
    cairns.when(Propose(text="More tides"), ANN)
    (motion,) = cairns.state.prompts
    with refused("prompt.closed", cairns.state):
        cairns.when(EnterDie(prompt=motion, value=3), GM_ACTOR)


@pytest.mark.rule("CF-2")
def test_a_decision_of_two_dice_asks_for_each_and_rolls_none_twice():
    cairns = real_table()
    cairns.when(RollTwice(), ANN)
    assert pile_sizes(cairns.when(EnterDie(prompt=question(cairns).id, value=6), GM_ACTOR)) == []
    assert question(cairns).question.startswith("Roll a d6")
    events = cairns.when(EnterDie(prompt=question(cairns).id, value=1), GM_ACTOR)
    assert pile_sizes(events) == [7]
    assert [(r.index, r.value, r.source) for r in cairns.log[-1].rolls] == [(0, 6, "entered"), (1, 1, "entered")]
    assert (len(cairns.state.prompts), len(cairns.state.timers)) == (0, 1)
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-6")
def test_each_of_two_dice_may_be_left_to_the_server():
    cairns = real_table()
    cairns.when(RollTwice(), ANN)
    cairns.now += WINDOW
    assert pile_sizes(cairns.strike(f"prompt:{question(cairns).id}")) == []
    events = cairns.when(EnterDie(prompt=question(cairns).id, value=2), GM_ACTOR)
    first = die(SECRET, str(GAME), "0/twice", 0, 6)
    assert pile_sizes(events) == [first + 2]
    assert [r.source for r in cairns.log[-1].rolls] == [Source.SERVER, Source.ENTERED]
    assert (len(cairns.state.prompts), len(cairns.state.timers)) == (0, 1)


@pytest.mark.rule("CF-9")
def test_nothing_is_announced_of_a_decision_that_waits():
    cairns = real_table()
    public = cairns.events_for(PUBLIC)
    events = cairns.when(RollStones(), ANN)
    assert cairns.events_for(PUBLIC) == public
    assert [h.audience for h in cairns.log if isinstance(h.event, DecisionHeld)] == [SERVER]
    assert of_kind(events, DieEntered) == []
    cairns.when(EnterDie(prompt=question(cairns).id, value=5), GM_ACTOR)
    assert [h.audience for h in cairns.log if isinstance(h.event, DieEntered)] == [GM]


def test_a_waiting_decision_blocks_no_other_command():
    cairns = real_table()
    cairns.when(RollStones(), ANN)
    assert pile_sizes(cairns.when(AddStones(stones=3), BOB)) == [3]


@pytest.mark.rule("CF-5")
def test_a_held_decision_that_the_rules_refuse_by_now_changes_nothing():
    cairns = real_table()
    cairns.when(RollStones(), ANN)
    del cairns.state.seats[ANN]
    trial = deepcopy(cairns)
    with refused("seat.missing"):
        trial.when(EnterDie(prompt=question(cairns).id, value=5), GM_ACTOR)
    assert trial.log == cairns.log
