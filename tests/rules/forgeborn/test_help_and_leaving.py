"""Helpers in their order, and what a seat that is left had begun (FB-ART-7, FB-ART-8, FB-AMB-62)."""

from datetime import timedelta

import pytest

from games.engine.prompts.prompt import PromptCounted
from games.forgeborn.rules.conflict.events import PoolRolled
from games.forgeborn.rules.forge.commands import BeginArtifact, DeclineHelp, ForgeArtifact, OfferHelp, SpendRoll
from games.forgeborn.rules.forge.events import ArtifactMade
from games.forgeborn.rules.forge.rules import FormChoice, FunctionChoice
from games.forgeborn.rules.gains.events import DiceLost
from games.forgeborn.rules.state.schema_types import Asked, Form, Function, PlaceKind
from games.forgeborn.rules.turns.commands import EndTurn, LeaveSeat
from games.forgeborn.rules.vault.commands import CastBallot, RequestArtifact
from tests.dice import d
from tests.playbook import of_kind
from tests.rules.forgeborn import stage
from tests.rules.forgeborn.table import S1, S2, S3, S4, dice, give_dice, move, playing, smith

THING = next(iter(stage.playing().artifacts))
BEGIN = BeginArtifact(
    name="Thunder",
    form=FormChoice(kind=Form.BLUNT, die=8),
    function=FunctionChoice(kind=Function.KNOWLEDGE, die=4),
)


@pytest.mark.rule("FB-ART-8")
def test_helpers_roll_in_the_order_of_turns_after_the_maker():
    book = playing(S1, S2, S3, S4)
    book.when(EndTurn(), by=S1)
    book.when(BEGIN, by=S2)
    for seat in (S1, S3, S4):
        book.when(OfferHelp(free=(12, 12, 12), sacrifice=(8,)), by=seat)
    free, rest = (12, 12, 12), [d(12, str(S2), 1, 1, 1), d(8, str(S2), 1)]
    for seat in (S3, S4, S1):
        rest += [d(12, str(seat), 1, 1, 1), d(8, str(seat), 1)]
    happened = book.when(ForgeArtifact(free=free, sacrifice=(8,), helpers=(S4, S1, S3)), by=S2, dice=rest)
    (rolled,) = of_kind(happened, PoolRolled)
    assert [helper.seat for helper in rolled.helpers] == [S3, S4, S1] and rolled.total == 16
    drawn = next(record.rolls for record in book.log if record.event is rolled)
    assert [roll.sides for roll in drawn] == [12, 12, 12, 8] * 4


@pytest.mark.rule("FB-ART-8", "FB-AMB-56", "FB-END-3")
def test_an_empty_seat_is_not_asked_for_help():
    book = playing(S1, S2, S3)
    book.when(LeaveSeat(), by=S2)
    book.when(BEGIN, by=S1)
    asked = book.state.question(Asked.HELP)
    assert asked is not None and book.state.prompts[asked].owners == (f"seat:{S3}",)


@pytest.mark.rule("FB-ART-8", "FB-AMB-39")
def test_silence_accepts_nobody_though_help_was_offered():
    book = playing(S1, S2)
    book.when(BEGIN, by=S1)
    book.when(OfferHelp(free=(12,)), by=S2)
    (rolled,) = of_kind(book.wait(timedelta(minutes=2)), PoolRolled)
    assert rolled.helpers == ()


@pytest.mark.rule("FB-ART-2", "FB-ART-3", "FB-ROW-1")
def test_form_then_function_is_paid_and_the_round_is_noted():
    book = playing(S1, S2)
    happened = book.when(BEGIN, by=S1)
    assert [(e.cause.value, e.dice) for e in of_kind(happened, DiceLost)] == [("form", (8,)), ("function", (4,))]
    book.when(DeclineHelp(), by=S2)
    book.when(ForgeArtifact(free=(12,)), by=S1, dice=[d(12, str(S1), 5)])
    (made,) = of_kind(book.when(SpendRoll(dice=(4,)), by=S1), ArtifactMade)
    assert book.state.artifacts[made.artifact].round == 1


@pytest.mark.rule("FB-ART-7", "FB-END-3", "FB-AMB-62")
def test_a_helper_who_leaves_after_the_roll_has_helped():
    book = playing(S1, S2, S3)
    move(book, smith(book, S3), PlaceKind.CITY)
    give_dice(book, smith(book, S2), 6, 6, 6, 10)
    book.when(BEGIN, by=S1)
    book.when(OfferHelp(free=(6, 6, 6), sacrifice=(10,)), by=S2)
    book.when(ForgeArtifact(free=(12,), helpers=(S2,)), by=S1)
    book.when(LeaveSeat(), by=S2)
    (made,) = of_kind(book.when(SpendRoll(dice=(4,)), by=S1), ArtifactMade)
    assert made.helpers == (smith(book, S2).id,)
    assert dice(book, smith(book, S2).id) == [6, 6, 6] and book.state.purses[S2].vp == 1


@pytest.mark.rule("FB-VLT-2", "FB-AMB-62")
def test_a_ballot_of_a_seat_that_is_left_is_neither_counted_nor_read_by_who_comes():
    book = playing(S1, S2, S3, S4)
    book.when(RequestArtifact(artifact=THING), by=S1)
    book.when(CastBallot(yes=True), by=S2)
    book.when(LeaveSeat(), by=S2)
    assert not [owner for _, owner in book.state.answers if owner == f"seat:{S2}"]
    (counted,) = of_kind(book.when(CastBallot(yes=True), by=S3), PromptCounted)
    assert counted.count == 1
