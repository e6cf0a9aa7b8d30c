"""Guards of which one clause holds: bots' seats, heaps of empty seats, reasons, moments, the oldest question."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, ClassVar, cast
from uuid import UUID

import pytest

from games.engine.audience import PUBLIC, reader
from games.engine.game_state import Role, Status
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, DryRunEnd, Event, Issuer, apply_events
from games.engine.lifecycle import seating
from games.engine.lifecycle.gm_commands import ClockSlipped, EndSetup, Extend, GameEnded, Start, TimeTurned
from games.engine.lifecycle.seating import AddSeat, HandedOver, HandOver, Invite, Invited, Join, SeatMoved, SeatTaken
from games.engine.prompts.prompt import PromptClosed, Rule, ask, innermost_in
from games.engine.prompts.sealed import note_disclosures
from games.engine.timer import TimerFrozen
from tests.engine.cairns import ANN, BOB, GM_ACTOR, HOST_ACTOR, MASTER, Cairns, table
from tests.engine.test_gm_commands import rewound
from tests.playbook import of_kind, refused
from tests.toy.rules.commands import AddStones, CastVote, Propose

NEWCOMER = Actor(Issuer.SEAT, user=UUID(int=900))


def with_a_bots_seat(cairns: Cairns, role: Role) -> UUID:
    """A seat that a bot plays, of a role."""
    seat = UUID(int=71)
    cairns.happens(lambda s, c: iter([SeatTaken(seat=seat, role=role, name="Robot", bot="steady")]))
    return seat


@pytest.mark.rule("CF-5")
@pytest.mark.parametrize("role", [Role.PLAYER, Role.OBSERVER])
def test_a_seat_that_a_bot_plays_is_taken_and_stands_not_empty(role: Role, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MAX_EMPTY_SEATS", 1)
    cairns = table(ANN)
    seat = with_a_bots_seat(cairns, role)
    with refused("seat.taken", cairns.state):
        cairns.when(Join(name="New", seat=seat), NEWCOMER)
    with refused("seat.taken", cairns.state):
        cairns.when(Invite(seat=seat), GM_ACTOR)
    cairns.when(Join(name="New", role=role), NEWCOMER)
    cairns.happens(lambda s, c: iter([HandedOver(seat=seat, user=None)]))
    with refused("seats.empty", cairns.state):
        cairns.when(Join(name="Newer", role=role), replace(NEWCOMER, user=UUID(int=901)))


@pytest.mark.rule("CF-5")
def test_who_is_invited_has_a_new_seat_however_many_stand_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MAX_EMPTY_SEATS", 1)
    cairns = table(ANN)
    cairns.when(AddSeat(name="Stool", role=Role.OBSERVER), HOST_ACTOR)
    (invited,) = of_kind(cairns.when(Invite(role=Role.OBSERVER), HOST_ACTOR), Invited)
    with refused("seats.empty", cairns.state):
        cairns.when(Join(name="Watcher", role=Role.OBSERVER), NEWCOMER)
    assert of_kind(cairns.when(Join(name="Watcher", code=invited.code), NEWCOMER), SeatTaken)


@pytest.mark.rule("CF-5")
@pytest.mark.parametrize("reason", ["", "I move."])
def test_who_gives_their_own_seat_away_may_say_why(reason: str) -> None:
    cairns = table()
    happened = cairns.when(HandOver(seat=ANN, user=UUID(int=900), reason=reason), ANN)
    assert [e.reason for e in of_kind(happened, SeatMoved)] == ([reason] if reason else [])


def test_a_game_masters_seat_is_given_away_by_a_game_master_alone_where_one_sits() -> None:
    cairns = table()
    given = HandOver(seat=MASTER, user=UUID(int=900), reason="I lead.")
    with refused("issuer.other", cairns.state):
        cairns.when(given, HOST_ACTOR)
    assert cairns.when(given, GM_ACTOR)[0] == HandedOver(seat=MASTER, user=UUID(int=900))
    cairns.when(HandOver(seat=MASTER, user=None, reason="Gone."), replace(GM_ACTOR, seat=MASTER))
    assert cairns.when(given, HOST_ACTOR)[0] == HandedOver(seat=MASTER, user=UUID(int=900))


def test_a_deadline_that_stands_still_is_neither_put_off_nor_offered_to_be() -> None:
    cairns = table()
    cairns.when(Start(), HOST_ACTOR)
    cairns.happens(lambda s, c: iter([TimerFrozen(key="tide")]))
    with refused("timer.frozen", cairns.state):
        cairns.when(Extend(timer="tide", seconds=1), GM_ACTOR)
    offered = [legal for legal in legal_commands_for(cairns.state, [Extend], GM_ACTOR) if legal.barred is None]
    assert "tide" not in [timer for legal in offered for timer in legal.choices("timer")]


def test_who_acts_for_a_seat_says_why_it_changes_hands() -> None:
    cairns = table()
    acting = replace(GM_ACTOR, on_behalf_of=ANN)
    with refused("reason.missing", cairns.state):
        cairns.when(HandOver(seat=ANN, user=UUID(int=900)), acting)
    assert cairns.when(HandOver(seat=ANN, user=UUID(int=900), reason="Away."), acting)[0].user == UUID(int=900)


@pytest.mark.rule("CF-10")
@pytest.mark.parametrize(("milliseconds", "slips"), [(999, False), (1000, True)])
def test_a_rewind_moves_deadlines_from_a_second_on(milliseconds: int, slips: bool) -> None:
    cairns = table()
    cairns.when(Start(), HOST_ACTOR)
    cairns.when(AddStones(stones=5), ANN)
    to = len(cairns.log)
    cairns.wait(timedelta(milliseconds=milliseconds))
    cairns.when(AddStones(stones=3), BOB)
    happened = rewound(cairns, to)
    assert bool(of_kind(happened, ClockSlipped)) is slips and of_kind(happened, TimeTurned)


@pytest.mark.rule("CF-5")
def test_a_host_ends_no_set_up_while_the_clock_stands_still() -> None:
    cairns = table()
    cairns.state.set_status(Status.SETUP)
    cairns.state.info = replace(cairns.state.info, paused_at=cairns.now)
    with refused("clock.paused", cairns.state):
        cairns.when(EndSetup(), HOST_ACTOR)


@pytest.mark.rule("CF-6")
def test_the_end_of_a_game_leaves_no_question_and_no_answer() -> None:
    cairns = table()
    cairns.when(Start(), HOST_ACTOR)
    cairns.when(Propose(text="Rest?"), ANN)
    (prompt,) = cairns.state.prompts
    cairns.when(CastVote(prompt=prompt, yes=True), ANN)
    assert cairns.state.answers
    cairns.happens(lambda s, c: iter([GameEnded(reason="enough")]))
    assert not cairns.state.answers and not cairns.state.prompts and not cairns.state.timers


@pytest.mark.rule("CF-7")
@pytest.mark.parametrize("older", [9, 5])
def test_of_equal_questions_of_a_lane_the_oldest_comes_first(older: int) -> None:
    cairns = table()
    for number in (older, 14 - older):
        asks: Any = {"owners": [reader(ANN)], "rule": Rule.FIRST, "answered_by": ("add-stones",), "readers": PUBLIC}
        cairns.happens(lambda s, c, n=number, a=asks: ask(s, c, "QUESTION", "?", lane="a", prompt=UUID(int=n), **a))
        cairns.now += timedelta(seconds=1)
    first = innermost_in(cairns.state, "a")
    assert first is not None and first.id == UUID(int=older)


@pytest.mark.rule("CF-9")
def test_a_dry_run_ends_before_the_secret_of_another_seat_and_not_before_its_own() -> None:
    cairns = table()
    for seat, is_dry_run, ends in ((ANN, True, False), (BOB, True, True), (BOB, False, False)):
        ctx = replace(cairns.context(Actor(Issuer.SEAT, seat=ANN)), is_dry_run=is_dry_run)
        if ends:
            with pytest.raises(DryRunEnd):
                ctx.open_secret_of(seat)
        else:
            ctx.open_secret_of(seat)
        assert ctx.discloses is (seat == BOB)


class Opened(Event):
    """Opens what was sealed."""

    unseals: ClassVar[bool] = True

    def apply(self, state: Any) -> None:
        """Change nothing."""


@pytest.mark.parametrize(("is_sealed", "event", "discloses"), [
    (False, PromptClosed(prompt=UUID(int=7), result="settled", readers=PUBLIC), False),
    (True, PromptClosed(prompt=UUID(int=7), result="settled", readers=PUBLIC), True),
    (True, PromptClosed(prompt=UUID(int=8), result="settled", readers=PUBLIC), False),
    (False, Opened(), True),
])  # fmt: skip
def test_a_decision_says_whether_it_settles_a_sealed_question_or_opens_a_secret(
    is_sealed: bool, event: Event, discloses: bool
) -> None:
    ctx, state = table().context(HOST_ACTOR), SimpleNamespace(prompts={UUID(int=7): SimpleNamespace(sealed=is_sealed)})
    assert list(note_disclosures(cast("Any", state), ctx, iter([event]))) == [event]
    assert ctx.discloses is discloses


class Cited(Event):
    """Cites a rule of its own."""

    rules: ClassVar[tuple[str, ...]] = ("TOY-PILE-2",)

    def apply(self, state: Any) -> None:
        """Change nothing."""


def test_the_rule_that_an_event_cites_goes_before_its_commands() -> None:
    cairns = table()
    (record,) = apply_events(cairns.state, [Cited()], cairns.context(HOST_ACTOR), ("TOY-PILE-1",))
    assert record.rules == ("TOY-PILE-2",)
