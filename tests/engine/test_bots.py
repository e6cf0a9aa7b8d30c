"""Bots: seats with a policy that sees what its seat may see, and no more."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.audience import GM, GM_READER, reader, seats
from games.engine.bots import BotPassed, PlayBot, Thought, bot_key
from games.engine.errors import Refused
from games.engine.kernel import CLOCK, Command, Context, Event, Issuer
from games.engine.lifecycle.gm_commands import GameEnded, Pause, Paused, Start
from games.engine.lifecycle.seating import HandedOver
from games.engine.prompts.prompt import PromptAnswered, Rule, answer, ask
from games.engine.timer import TimerSet
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST, MASTER, ruleset_with, table
from tests.playbook import refused
from tests.toy.rules.commands import AddStones, HideCoins, StonesAdded
from tests.toy.rules.state import State

AGAIN = timedelta(seconds=7)


class HalfDone(Command):
    """Adds a stone and only then finds that it may not."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield StonesAdded(seat=BOB, stones=1)
        raise Refused("stones.many", "Too late.")


class Rules(Command):
    """A ruling of the game-masters."""

    issuers = frozenset({Issuer.GM})

    prompt: UUID

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from answer(state, ctx, self.prompt, "true")


def master_plays(policy):
    """A running game whose game-master is a bot with this policy."""
    cairns = table(ruleset=ruleset_with(gm_policies={"keeper": policy}))
    cairns.when(Start(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([HandedOver(seat=MASTER, user=None, bot="keeper")]))
    return cairns


def bob_plays(policy, *commands):
    """A running game in which Bob is a bot with this policy."""
    cairns = table(ruleset=ruleset_with(*commands, policies={"policy": policy}))
    cairns.when(Start(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([HandedOver(seat=BOB, user=None, bot="policy")]))
    return cairns


@pytest.mark.rule("CF-9")
def test_a_policy_sees_only_what_its_seat_may_see():
    views = []

    def watch(state, seat, tray):
        views.append((seat, set(state.hoards), set(state.piles), set(state.seats), set(state.invitations)))
        return Thought(None, None)

    cairns = bob_plays(watch)
    for seat in (ANN, BOB):
        cairns.when(HideCoins(coins=5), seat)
        cairns.when(AddStones(stones=1), seat)
    cairns.when(PlayBot(seat=BOB))
    assert views == [(BOB, {BOB}, {ANN, BOB}, set(cairns.state.seats), set())]
    assert set(cairns.state.hoards) == {ANN, BOB}


@pytest.mark.rule("CF-9")
def test_the_acts_of_a_policy_do_not_depend_on_the_secrets_of_others():
    def count(state, seat, tray):
        return Thought(AddStones(stones=1 + sum(h.coins for h in state.hoards.values()) % 5), AGAIN)

    def choice(coins):
        cairns = bob_plays(count)
        for amount in coins:
            cairns.when(HideCoins(coins=amount), ANN)
        cairns.when(PlayBot(seat=BOB))
        return cairns.events_for()

    assert choice([]) == choice([3]) == choice([1, 2, 3])


def test_a_bot_acts_as_its_seat_and_is_asked_again():
    cairns = bob_plays(lambda state, seat, tray: Thought(AddStones(stones=2), AGAIN))
    events = cairns.when(PlayBot(seat=BOB))
    assert [type(e) for e in events] == [TimerSet, StonesAdded]
    assert cairns.state.timers[bot_key(BOB)].due == cairns.now + AGAIN
    assert cairns.state.piles[BOB].stones == 2
    cairns.wait(timedelta(seconds=21))
    assert cairns.state.piles[BOB].stones == 8
    assert cairns.log_folds_to_state()


@pytest.mark.parametrize("seconds", [None, 3])
def test_a_bot_that_is_asked_acts_after_the_thinking_time_of_its_game(monkeypatch, seconds):
    wait = seconds and timedelta(seconds=seconds)
    cairns = bob_plays(lambda state, seat, tray: Thought(None, None))
    monkeypatch.setattr(type(cairns.state), "thinking_time", wait)
    options = {"owners": [reader(ANN), GM_READER, reader(BOB)], "lane": "peace", "rule": Rule.ALL, "answered_by": ()}
    cairns.happens(lambda s, c: ask(s, c, "PEACE", "Peace?", **options))
    delays = {key: timer.due - cairns.now for key, timer in cairns.state.timers.items() if key.startswith("bot:")}
    assert delays == ({bot_key(BOB): wait} if wait else {})


@pytest.mark.rule("CF-5")
def test_a_refused_bot_passes_and_its_game_master_is_informed():
    cairns = bob_plays(lambda state, seat, tray: Thought(HideCoins(coins=100), AGAIN))
    for _ in range(10):
        cairns.when(PlayBot(seat=BOB))
    events = cairns.when(PlayBot(seat=BOB))
    assert events[1:] == [BotPassed(seat=BOB, code="coins.many")]
    assert cairns.log[-1].audience == GM
    assert cairns.state.hoards[BOB].coins == 1000
    assert bot_key(BOB) in cairns.state.timers


@pytest.mark.rule("CF-5")
def test_half_a_command_of_a_bot_does_not_stand():
    cairns = bob_plays(lambda state, seat, tray: Thought(HalfDone(), AGAIN), HalfDone)
    length = len(cairns.log)
    with refused("stones.many"):
        cairns.when(PlayBot(seat=BOB))
    assert len(cairns.log) == length


def test_a_bot_rolls_its_own_dice_and_no_event_carries_them():
    rolled = []

    def gamble(state, seat, tray):
        rolled.append(tray.roll("mood", 10**6, "TOY-BOT-1"))
        return Thought(AddStones(stones=1), None)

    cairns = bob_plays(gamble)
    cairns.when(PlayBot(seat=BOB))
    game_die = cairns.context(CLOCK).roll("mood", 10**6, "TOY-BOT-1")
    assert rolled != [game_die]
    assert all(h.rolls == () for h in cairns.log)


def test_a_seat_that_a_person_took_over_and_a_game_that_is_over_are_left_alone():
    cairns = bob_plays(lambda state, seat, tray: Thought(AddStones(stones=1), AGAIN))
    assert cairns.when(PlayBot(seat=ANN)) == []
    with refused("seat.missing", cairns.state):
        cairns.when(PlayBot(seat=UUID(int=77)))
    cairns.happens(lambda s, c: iter([GameEnded(reason="enough")]))
    assert cairns.when(PlayBot(seat=BOB)) == []


def test_a_bot_without_dice_of_its_own_is_an_error():
    cairns = bob_plays(lambda state, seat, tray: Thought(None, None))
    ctx = cairns.context(CLOCK)
    ctx.bot_tray = None
    with pytest.raises(RuntimeError, match="dice of their own"):
        list(PlayBot(seat=BOB).decide(cairns.state, ctx))


@pytest.mark.rule("CF-9")
def test_a_policy_of_a_game_master_sees_what_a_game_master_may_see():
    views = []

    def watch(state, seat, tray):
        views.append((seat, set(state.hoards), {p.kind for p in state.prompts.values()}))
        return Thought(None, None)

    cairns = master_plays(watch)
    for seat in (ANN, BOB):
        cairns.when(HideCoins(coins=5), seat)
    options = {"lane": "peace", "rule": Rule.ALL, "answered_by": ()}
    cairns.happens(lambda s, c: ask(s, c, "RULING", "So?", owners=[GM_READER], **options))
    cairns.happens(lambda s, c: ask(s, c, "SECRET", "And?", owners=[reader(ANN)], readers=seats(ANN), **options))
    cairns.when(PlayBot(seat=MASTER))
    assert views == [(MASTER, {ANN, BOB}, {"RULING"})]


def test_a_bot_acts_as_a_game_master_and_answers_for_the_game_masters():
    def rule(state, seat, tray):
        (ruling,) = state.prompts
        return Thought(Rules(prompt=ruling), None)

    cairns = master_plays(rule)
    options = {"owners": [GM_READER], "lane": "peace", "rule": Rule.FIRST, "answered_by": (Rules,)}
    cairns.happens(lambda s, c: ask(s, c, "RULING", "So?", **options))
    (ruling,) = cairns.state.prompts
    events = cairns.when(PlayBot(seat=MASTER))
    assert events == [PromptAnswered(prompt=ruling, owner=GM_READER, answer="true")]
    assert cairns.log_folds_to_state()


@pytest.mark.parametrize(("owners", "woken"), [((GM_READER, reader(ANN)), {MASTER}), ((reader(BOB),), set())])
def test_the_bot_of_a_game_master_is_woken_by_what_the_game_masters_are_asked(monkeypatch, owners, woken):
    cairns = master_plays(lambda state, seat, tray: Thought(None, None))
    monkeypatch.setattr(type(cairns.state), "thinking_time", timedelta(seconds=3))
    cairns.happens(lambda s, c: ask(s, c, "SO", "So?", owners=owners, lane="a", rule=Rule.ALL, answered_by=()))
    delays = {key: timer.due - cairns.now for key, timer in cairns.state.timers.items() if key.startswith("bot:")}
    assert delays == {bot_key(seat): timedelta(seconds=3) for seat in woken}


@pytest.mark.rule("CF-5")
@pytest.mark.parametrize(("seat", "passes"), [(BOB, True), (MASTER, False)])
def test_a_bot_issues_what_is_for_its_role_and_no_more(seat, passes):
    def pause(state, seat, tray):
        return Thought(Pause(), None)

    cairns = table(ruleset=ruleset_with(policies={"keeper": pause}, gm_policies={"keeper": pause}))
    cairns.when(Start(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=None, bot="keeper")]))
    assert cairns.when(PlayBot(seat=seat)) == [
        BotPassed(seat=BOB, code="issuer.other") if passes else Paused(reason="")
    ]


@pytest.mark.parametrize("seat", [BOB, MASTER, HOST])
def test_a_bot_whose_policy_plays_no_such_seat_passes(seat):
    other = {BOB: "gm_policies", MASTER: "policies", HOST: "policies"}[seat]
    cairns = table(ruleset=ruleset_with(**{other: {"idle": lambda state, seat, tray: Thought(Pause(), None)}}))
    cairns.when(Start(), GM_ACTOR)
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=None, bot="idle")]))
    assert cairns.when(PlayBot(seat=seat)) == [BotPassed(seat=seat, code="bot.missing")]
