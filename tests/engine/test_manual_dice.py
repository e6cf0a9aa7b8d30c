"""Dice of a real table: a decision waits for them, and the server rolls when nobody does (CF-2, CF-6)."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.engine.audience import GM, PUBLIC, SERVER, reader, seat_and_gm
from games.engine.dice import SecretDice, Source, Tray, die
from games.engine.errors import DieOwed
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import Start
from games.engine.prompts.manual_dice import (
    AwaitedDice,
    DecisionHeld,
    DiceEntered,
    DieEntered,
    EnterDice,
    EnterDie,
    EnteredView,
    by_hand,
    dice_of_question,
    hold,
    put_off,
)
from games.engine.timer import fire
from tests.engine.cairns import ANN, BOB, GAME, GM_ACTOR, Cairns, ruleset_with, table
from tests.playbook import of_kind, refused
from tests.toy.rules.commands import AddStones, Propose, RollStones, StonesAdded
from tests.toy.rules.state import State

SECRET = b"secret of the tests"
WINDOW = timedelta(seconds=60)


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
            rewinds=self.state.info.rewinds,
            entered=EnteredView(self.state),
            by_hand=lambda label, index: by_hand(self.state, label, index),
        )
        return ctx

    def when(self, command, by=None, dice=None):
        actor = by if isinstance(by, Actor) else Actor(Issuer.SEAT, seat=by)
        return self.or_hold(
            lambda: super(RealTable, self).when(command, actor), lambda s, c, owed: hold(s, c, command, owed), actor
        )

    def strike(self, key):
        """Fire one timer as the clock does."""

        def ask_for_dice(state, ctx, owed):
            yield from put_off(state, ctx, state.timers[key], owed)

        return self.or_hold(lambda: self.happens(lambda s, c: fire(s, key, c), CLOCK), ask_for_dice, CLOCK)

    def or_hold(self, decide, held, actor):
        """Let something be decided; where it needs a die of the table, its state is dropped and it is set aside."""
        former, heads = deepcopy(self.state), dict(self.heads)
        try:
            return decide()
        except DieOwed as caught:
            owed = caught
        self.state, self.heads = former, heads
        return self.happens(lambda s, c: held(s, c, owed), actor)


class RollFor(Command):
    """Roll the dice of another seat, and keep a secret."""

    seat: UUID
    secret: str

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        dice = ctx.tray.pool("other", 2, 6, "TOY-PILE-2", roller=self.seat)
        yield StonesAdded(seat=self.seat, stones=sum(dice))


def real_table(options='{"dice_by_hand":true}'):
    cairns = table(ruleset=ruleset_with(RollTwice, RollFor), options=options)
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


@pytest.mark.rule("CF-5", "G2-DICE-2")
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
def test_the_deadline_leaves_to_the_server_all_dice_that_were_not_entered():
    servers = [die(SECRET, str(GAME), "0/twice", index, 6) for index in (0, 1)]
    for entered in ([], [6]):
        cairns = real_table()
        cairns.when(RollTwice(), ANN)
        for value in entered:
            cairns.when(EnterDie(prompt=question(cairns).id, value=value), GM_ACTOR)
        cairns.now += WINDOW
        assert pile_sizes(cairns.strike(f"prompt:{question(cairns).id}")) == [sum([*entered, *servers[len(entered) :]])]
        sources = [Source.ENTERED if at < len(entered) else Source.SERVER for at in (0, 1)]
        assert [r.source for r in cairns.log[-1].rolls] == sources
        assert (len(cairns.state.prompts), len(cairns.state.timers)) == (0, 1)
        assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-2")
def test_the_dice_of_a_pool_are_asked_for_and_entered_together():
    cairns = real_table()
    cairns.when(RollTwice(), ANN)
    asked = question(cairns)
    assert asked.question == "Roll 2d6 at the table for TOY-PILE-2 and enter what they show."
    assert (asked.owners, asked.audience, asked.answered_by) == (("gm",), GM, ("enter-dice", "enter-die"))
    assert dice_of_question(asked) == AwaitedDice(label="0/twice", index=0, faces=6, count=2)
    events = cairns.when(EnterDice(prompt=asked.id, values=(5, 3)), GM_ACTOR)
    assert of_kind(events, DiceEntered) == [DiceEntered(prompt=asked.id, values=(5, 3))]
    assert pile_sizes(events) == [8]
    assert [(r.index, r.value, r.source) for r in cairns.log[-1].rolls] == [(0, 5, "entered"), (1, 3, "entered")]
    assert cairns.state.prompts == {}
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-5", "G2-DICE-2")
@pytest.mark.parametrize(
    ("values", "code"), [((5,), "dice.count"), ((5, 3, 1), "dice.count"), ((5, 7), "die.range"), ((7, 5), "die.range")]
)
def test_as_many_dice_are_entered_as_are_asked_for_and_each_shows_one_of_its_sides(values, code):
    cairns = real_table()
    cairns.when(RollTwice(), ANN)
    with refused(code, cairns.state):
        cairns.when(EnterDice(prompt=question(cairns).id, values=values), GM_ACTOR)
    for low in ((0, 5), (-1, 5), ()):
        with pytest.raises(ValidationError):
            EnterDice(prompt=question(cairns).id, values=low)


@pytest.mark.parametrize("who", [ANN, GM_ACTOR])
def test_the_roller_or_a_game_master_enters_and_the_first_one_counts(who):
    cairns = real_table('{"dice_by_hand":true,"rollers_enter":true}')
    cairns.when(RollStones(dice=3), ANN)
    asked = question(cairns)
    assert (asked.audience, asked.owners) == (seat_and_gm(ANN), ("gm", reader(ANN)))
    assert asked.answered_by == ("enter-dice",)
    assert cairns.state.timers[f"prompt:{asked.id}"].due == cairns.now + timedelta(seconds=90)
    with refused("prompt.not_yours", cairns.state):
        cairns.when(EnterDice(prompt=asked.id, values=(1, 2, 3)), BOB)
    assert pile_sizes(cairns.when(EnterDice(prompt=asked.id, values=(1, 2, 3)), who)) == [6]
    for late in (ANN, GM_ACTOR):
        with refused("prompt.closed", cairns.state):
            cairns.when(EnterDice(prompt=asked.id, values=(1, 2, 3)), late)
    assert cairns.log_folds_to_state()


@pytest.mark.rule("CF-9")
def test_who_rolls_for_the_decision_of_another_does_not_read_it():
    cairns = real_table('{"dice_by_hand":true,"rollers_enter":true}')
    cairns.when(RollFor(seat=BOB, secret="ambush"), ANN)
    asked = question(cairns)
    assert asked.owners == ("gm", reader(BOB))
    seen = cairns.state.view_for(frozenset({BOB}))
    assert set(seen.prompts) == {asked.id}
    assert "ambush" not in repr([seen.prompts, seen.timers, seen.entered])
    assert "ambush" not in repr([h.event for h in cairns.log if h.audience != SERVER])
    assert pile_sizes(cairns.when(EnterDice(prompt=asked.id, values=(6, 6)), BOB)) == [12]
    assert cairns.log_folds_to_state()


def test_a_decision_that_was_held_before_pools_were_asked_for_together_is_taken_up():
    cairns = real_table()
    cairns.when(RollStones(), ANN)
    asked = question(cairns)
    old = {k: v for k, v in json.loads(asked.choices[0]).items() if k not in ("count", "apart")}
    cairns.state.prompts[asked.id] = replace(asked, choices=(json.dumps(old),))
    assert pile_sizes(cairns.when(EnterDie(prompt=asked.id, value=4), GM_ACTOR)) == [4]


@pytest.mark.parametrize("options", ['{"dice_by_hand":true}', '{"dice_by_hand":true,"rollers_enter":true}'])
def test_dice_that_are_entered_after_a_rewind_to_their_question_are_not_asked_for_again(options):
    cairns = real_table(options)
    cairns.when(RollStones(dice=2), ANN)
    asked = question(cairns)
    cairns.state.info = replace(cairns.state.info, rewinds=1)
    assert pile_sizes(cairns.when(EnterDice(prompt=asked.id, values=(2, 3)), GM_ACTOR)) == [5]
    assert [r.label for r in cairns.log[-1].rolls] == [f"1/pile:{ANN}/0"] * 2
    assert cairns.state.prompts == {}


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
