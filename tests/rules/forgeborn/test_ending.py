"""The end: limits, time that is called, seats that are left; what always holds (chapters 6 and 7)."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.engine.audience import GM_READER
from games.engine.game_state import Status
from games.engine.kernel import Actor, Issuer, apply_events, require_issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import GameEnded, Overrule, Overruled
from games.engine.lifecycle.seating import HandedOver, Join
from games.engine.prompts.questions import ask_row
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.state.records import Action, Ballot, HelpOffer, Purse, Seal, Vote
from games.forgeborn.rules.state.schema_types import Asked, EndReason, PlaceKind, Step
from games.forgeborn.rules.state.schema_types import Deed as Doing
from games.forgeborn.rules.turns.commands import CallTime, EndTurn, LeaveSeat
from games.forgeborn.rules.turns.events import GameFinished, LastTurnsStarted, SeatLeft, TimeCalled, TurnEnd, TurnEnded
from games.forgeborn.rules.turns.rules import start_last_turns
from tests.playbook import Playbook, event_like, refused
from tests.rules.forgeborn.lobby import lobby, of_kind, on_map_a
from tests.rules.forgeborn.table import GM, GM_SEAT, HOST, REFEREE, S1, S2, S3, playing, smith

THING = UUID(int=0x401)


def glory(book: Playbook, **vp: int) -> None:
    for seat, points in zip((S1, S2, S3), vp.values(), strict=False):
        book.state.set_purse(seat, vp=points)


def play_round(book: Playbook) -> list[Any]:
    """Let every seat that is still to come in this round end its turn."""
    happened = list[Any]()
    for seat in (book.state.course.active, *book.state.course.to_come):
        happened = book.when(EndTurn(), by=seat)
    return happened


@pytest.mark.rule("FB-EX-81", "FB-END-1", "FB-AMB-46", "FB-END-4")
def test_the_round_limit_ends_the_game_and_equals_share_the_victory() -> None:
    book = playing(S1, S2, S3, options='{"referee":"none","round_limit":12}')
    book.state.set_course(round=12)
    glory(book, one=9, two=14, three=14)
    happened = play_round(book)
    (finished,) = of_kind(happened, GameFinished)
    assert (finished.winners, finished.reason) == ((S2, S3), EndReason.ROUNDS)
    assert [(each.seat, each.vp) for each in finished.glory] == [(S1, 9), (S2, 14), (S3, 14)]
    assert (book.state.course.step, book.state.info.status) == (Step.FINISHED, Status.FINISHED)


@pytest.mark.rule("FB-END-1", "FB-AMB-46")
def test_without_a_limit_rounds_do_not_end_the_game_and_a_dragon_slain_in_the_last_one_gives_last_turns() -> None:
    book = playing(S1, S2)
    book.state.set_course(round=500)
    play_round(book)
    assert (book.state.course.step, book.state.course.round) == (Step.TURN, 501)
    limited = playing(S1, S2, options='{"referee":"none","round_limit":1}')
    limited.plant(*start_last_turns(limited.state, S1))
    limited.when(EndTurn(), by=S1)
    assert (limited.state.course.step, limited.state.course.active) == (Step.LAST_TURNS, S2)
    (finished,) = of_kind(limited.when(EndTurn(), by=S2), GameFinished)
    assert finished.reason is EndReason.DRAGON


@pytest.mark.rule("FB-EX-82", "FB-END-2", "FB-DRG-2")
def test_a_dragon_that_falls_in_the_last_round_goes_before_the_time_that_was_called() -> None:
    book = playing(S1, S2, S3)
    book.state.set_course(round=5)
    assert book.when(CallTime(reason="late"), by=HOST) == [event_like(TimeCalled, round=5, reason="late")]
    book.when(EndTurn(), by=S1)
    book.plant(*start_last_turns(book.state, S2))
    book.when(EndTurn(), by=S2)
    assert (book.state.course.step, book.state.course.active, book.state.course.to_come) == (Step.LAST_TURNS, S3, (S1,))
    (finished,) = of_kind(play_round(book), GameFinished)
    assert finished.reason is EndReason.DRAGON


@pytest.mark.rule("FB-END-2", "FB-AMB-46")
def test_time_that_is_called_lets_the_round_be_played_to_its_end() -> None:
    book = playing(S1, S2)
    glory(book, one=1, two=3)
    with refused("reason.missing", book.state):
        book.when(CallTime(reason=" "), by=GM)
    book.when(CallTime(reason="the last train"), by=GM)
    with refused("time.called", book.state):
        book.when(CallTime(reason="again"), by=HOST)
    book.when(EndTurn(), by=S1)
    assert book.state.course.active == S2
    (finished,) = of_kind(book.when(EndTurn(), by=S2), GameFinished)
    assert (finished.reason, finished.winners) == (EndReason.CALLED, (S2,))
    with refused("issuer.other"):
        require_issuer(CallTime(reason="so"), Actor(Issuer.SEAT, seat=S1))


@pytest.mark.rule("FB-AMB-58", "FB-END-2")
def test_time_is_not_called_before_the_first_turn_nor_in_the_last_turns() -> None:
    for book in (lobby(S1, S2), on_map_a(S1, S2)):
        with refused("phase.closed", book.state):
            book.when(CallTime(reason="so"), by=HOST)
    book = playing(S1, S2)
    book.plant(*start_last_turns(book.state, S1))
    book.when(EndTurn(), by=S1)
    with refused("phase.closed", book.state):
        book.when(CallTime(reason="so"), by=HOST)


@pytest.mark.rule("FB-EX-111", "FB-END-4")
def test_after_the_end_nothing_is_done_any_more() -> None:
    book = playing(S1, S2, options='{"referee":"none","round_limit":1}')
    happened = play_round(book)
    assert [type(event) for event in of_kind(happened, GameFinished, GameEnded)] == [GameFinished, GameEnded]
    assert (dict(book.state.prompts), dict(book.state.timers)) == ({}, {})
    for name in {"face-dragon", "end-turn", "leave-seat"} & RULESET.commands.keys():
        with refused("phase.closed", book.state):
            book.when(RULESET.commands[name](), by=S1)
    # The service shows the secret of the dice after GameEnded, in every ruleset (`SecretShown`).
    assert {roll.source for record in book.log for roll in record.rolls} <= {"server"}


@pytest.mark.rule("FB-EX-83", "FB-END-3", "FB-AMB-47")
def test_who_has_left_is_no_longer_one_of_the_other_players() -> None:
    book = playing(S1, S2, S3)
    happened = book.when(LeaveSeat(), by=S3)
    assert happened == [event_like(SeatLeft, seat=S3), event_like(HandedOver, seat=S3, user=None)]
    assert book.state.voters(S1) == (S2,)
    pair = playing(S1, S2)
    pair.when(LeaveSeat(), by=S2)
    assert pair.state.voters(S1) == ()


@pytest.mark.rule("FB-END-3", "FB-AMB-47", "FB-TRN-6")
def test_all_stays_with_a_seat_that_is_left_its_turns_are_passed_over_and_who_takes_it_goes_on() -> None:
    book = playing(S1, S2, S3)
    book.state.set_purse(S2, vp=5, secret=1, claim=THING)
    held = smith(book, S2)
    book.when(LeaveSeat(), by=S2)
    assert (smith(book, S2), book.state.purses[S2].vp, book.state.purses[S2].claim) == (held, 5, THING)
    book.when(EndTurn(), by=S1)
    assert book.state.course.active == S3
    book.when(Join(name="New", seat=S2), by=Actor(Issuer.SEAT, user=UUID(int=900)))
    book.when(EndTurn(), by=S3)
    book.when(EndTurn(), by=S1)
    assert book.state.course.active == S2
    assert book.state.artifacts[THING].holder == held.id, "the claim is used when the turn starts"
    book.when(EndTurn(), by=S2)


@pytest.mark.rule("FB-END-3", "FB-AMB-60")
def test_who_leaves_in_their_turn_ends_it_at_once() -> None:
    book = playing(S1, S2)
    happened = book.when(LeaveSeat(), by=S1)
    assert [type(event) for event in of_kind(happened, SeatLeft, HandedOver, TurnEnded)] == [
        SeatLeft, HandedOver, TurnEnded,
    ]  # fmt: skip
    assert of_kind(happened, TurnEnded) == [event_like(TurnEnded, seat=S1, reason=TurnEnd.ABSENT)]
    assert book.state.course.active == S2


@pytest.mark.rule("FB-AMB-60")
def test_a_question_to_the_game_master_is_settled_when_the_last_one_leaves() -> None:
    book = on_map_a(S1, S2)
    book.when(LeaveSeat(), by=GM)
    assert book.state.course.step is Step.MAP, "the host is asked too"
    asked = book.state.question(Asked.MAP)
    prompt = book.state.prompts[asked]
    book.state.prompts[asked] = replace(prompt, owners=(GM_READER,))
    book.when(LeaveSeat(), by=S1)
    assert book.state.course.step is Step.SMITHS


@pytest.mark.rule("FB-END-3")
def test_the_game_closes_when_no_players_seat_is_held_and_before_the_first_turn_nobody_wins() -> None:
    book = playing(S1, S2)
    glory(book, one=2, two=1)
    book.when(LeaveSeat(), by=S1)
    (finished,) = of_kind(book.when(LeaveSeat(), by=S2), GameFinished)
    assert (finished.reason, finished.winners) == (EndReason.LEFT, (S1,))
    early = on_map_a(S1, S2)
    early.when(LeaveSeat(), by=S1)
    (finished,) = of_kind(early.when(LeaveSeat(), by=S2), GameFinished)
    assert (finished.reason, finished.winners, finished.glory) == (EndReason.LEFT, (), ())
    unbegun = lobby(S1, S2)
    for seat in (S1, S2):
        assert not of_kind(unbegun.when(LeaveSeat(), by=seat), GameFinished)


@pytest.mark.rule("FB-END-3", "FB-AMB-62")
def test_a_ballot_and_an_offer_of_help_fall_away_with_their_seat() -> None:
    book = playing(S1, S2, S3)
    state, vote, deed = book.state, UUID(int=0x700), UUID(int=0x701)
    state.votes[vote] = Vote(vote, THING, S1, (S2, S3))
    for seat in (S2, S3):
        state.ballots[vote, seat], state.seals[vote, seat] = Ballot(vote, seat, is_yes=True), Seal(vote, seat)
        state.offers[deed, seat] = HelpOffer(deed, seat)
    state.actions[deed] = Action(deed, Doing.BEGIN_ARTIFACT, S1, smith(book, S1).id, smith(book, S1).place)
    book.plant(SeatLeft(seat=S3))
    assert state.votes[vote].electorate == (S2,)
    assert list(state.ballots) == list(state.seals) == [(vote, S2)]
    assert list(state.offers) == [(deed, S2)]


@pytest.mark.rule("FB-EX-94", "FB-GM-4", "FB-GM-6")
@pytest.mark.parametrize("case", ["power", "holder", "vp", "place"])
def test_a_correction_that_cannot_be_is_refused_whole(case: str) -> None:
    book = playing(S1, S2)
    table, row, field, value = {
        "power": ("artifacts", str(THING), "power", 3),
        "holder": ("artifacts", str(THING), "holder", str(UUID(int=9))),
        "vp": ("purses", str(S1), "vp", -1),
        "place": ("characters", str(smith(book, S1).id), "place", str(UUID(int=9))),
    }[case]
    good = change("purses", str(S2), "vp", 4)
    twin = book.state.twin()
    with refused("amend.invalid"):
        book.when(Amend(changes=(good, change(table, row, field, value)), reason="so"), by=GM)
    book.state = twin
    book.when(Amend(changes=(good,), reason="so"), by=GM)
    assert book.state.purses[S2].vp == 4


def change(table: str, row: str, field: str, value: object) -> Change:
    return Change(deed=Deed.ALTER, table=table, row=row, fields=(FieldChange(field=field, value=json.dumps(value)),))


@pytest.mark.rule("FB-ROW-4")
def test_what_a_player_has_is_one_row_that_everybody_sees_and_a_gm_corrects_in_a_live_game() -> None:
    book = playing(S1, S2)
    right = {"vp": 2, "resource": 3, "secret": 4, "is_swayed": True, "claim": None}
    assert [*Purse.__slots__] == ["seat", *right]
    fields = tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in right.items())
    book.when(Amend(changes=(Change(deed=Deed.ALTER, table="purses", row=str(S1), fields=fields),), reason="so"), by=GM)
    assert book.state.purses[S1] == Purse(S1, **right)
    for seats, gm in ((frozenset(), False), (frozenset({S2}), False), (frozenset({S1}), True)):
        assert dict(book.state.view_for(seats, gm=gm).purses.items()) == dict(book.state.purses.items())


@pytest.mark.rule("FB-GM-4")
def test_a_rule_is_set_aside_with_a_reason_and_as_an_event() -> None:
    book = playing(S1, S2)
    assert book.when(Overrule(rule="FB-TRN-2", reason="for once"), by=GM) == [
        event_like(Overruled, rule="FB-TRN-2", reason="for once")
    ]
    for nameless in ({"rule": "FB-TRN-2", "reason": ""}, {"rule": "", "reason": "for once"}):
        with pytest.raises(ValidationError):
            Overrule(**nameless)
    with pytest.raises(ValidationError):
        Amend(changes=(change("purses", str(S1), "vp", 7),), reason="")


@pytest.mark.rule("FB-GM-6")
def test_every_place_can_be_reached_after_a_correction() -> None:
    book = playing(S1, S2)
    lair = book.state.place_of_kind(PlaceKind.LAIR).id
    way = next(way for way in book.state.ways.values() if lair in (way.a, way.b))
    cut = Change(deed=Deed.DELETE, table="ways", row=f"{way.a}/{way.b}")
    with refused("amend.invalid"):
        book.when(Amend(changes=(cut,), reason="so"), by=GM)


@pytest.mark.rule("FB-GM-1", "FB-AMB-60")
def test_a_turn_with_an_open_question_inside_does_not_end() -> None:
    book = playing(S1, S2, options=REFEREE)
    ctx = book.context(GM)
    asked = ask_row(book.state, ctx, Asked.DESCRIBE, character="Ilmar", place="the Lair")
    book.log += apply_events(book.state, asked, ctx)
    with refused("prompt.open", book.state):
        book.when(EndTurn(), by=S1)
    turn = book.state.timers[f"prompt:{book.state.question(Asked.TURN)}"]
    assert (turn.due, turn.left) == (None, timedelta(minutes=5)), "the clock of the turn stands still"
    assert book.state.seats[GM_SEAT].user is not None
    assert LastTurnsStarted.__name__ not in {type(record.event).__name__ for record in book.log}
