"""Free acts and mana (G2-MANA-8): what costs nothing and may be done again and again pays nobody for doing it again.

Cirra holds six cards of every sphere, so that every source of the pack would pay her. Each act that a god may do
without a price is done ten times in a century, by a race that does not worship her: she loses nothing by it.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from uuid import UUID

import pytest

from games.engine.kernel import Issuer
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules import RULESET
from games.gods2.rules.casting.choice_commands import ChooseEffect
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.gm_desk.commands import SignEntry
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.mana.events import ManaPaid
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
)
from games.gods2.rules.pantheon.turmoil_commands import AnswerExpulsion, StartTurmoil
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.shares import share_list
from games.gods2.rules.window.commands import DrawNumber, LeaveQueue, PassNumber
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, two_peoples

TIMES = 10
PRICED = {CastPower, DeclareWar, OrderMigration}
"""What mana is paid for."""
ANSWERS = {AnswerCasting, AnswerExpulsion, ChooseEffect, NamePlace, SignEntry}
"""What a god is asked for, or may say once, about something that was paid or happened by itself."""
Act = Callable[[Playbook, UUID], None]


def draft_order(book: Playbook, race: UUID) -> UUID:
    """A draft of the shares as they are."""
    draft = DraftPantheonOrder(race=race, pantheon=share_list(book.state.pantheon(race)))
    order: UUID = book.when(draft, by=BEN)[0].order
    return order


def agree(book: Playbook, race: UUID) -> None:
    """All gods agree on the shares as they are."""
    order = draft_order(book, race)
    for seat in sorted(book.state.gods):
        if (race, str(seat)) in book.state.shares:
            book.when(SignPantheonOrder(order=order), by=seat)
    book.when(HandInPantheonOrder(order=order), by=BEN)


def quarrel(book: Playbook, race: UUID) -> None:
    """A turmoil at will, where none is."""
    if not book.state.races[race].turmoil:
        book.when(StartTurmoil(race=race), by=BEN)


def quarrel_and_agree(book: Playbook, race: UUID) -> None:
    quarrel(book, race)
    agree(book, race)


def draft_and_drop(book: Playbook, race: UUID) -> None:
    order = draft_order(book, race)
    book.when(SignPantheonOrder(order=order), by=BEN)
    book.when(UnsignPantheonOrder(order=order), by=BEN)
    book.when(DropPantheonOrder(order=order), by=BEN)


def queue(book: Playbook, race: UUID) -> None:
    book.when(DrawNumber(), by=ANA)
    book.when(PassNumber(), by=ANA)
    book.when(LeaveQueue(), by=ANA)


def answer_in_advance(book: Playbook, race: UUID) -> None:
    book.when(SetStandingAnswer(kind="expulsion", answer="decline"), by=ANA)


ACTS: Mapping[Act, set[type]] = {
    agree: {DraftPantheonOrder, SignPantheonOrder, HandInPantheonOrder},
    quarrel: {StartTurmoil},
    quarrel_and_agree: {StartTurmoil, HandInPantheonOrder},
    draft_and_drop: {DropPantheonOrder, UnsignPantheonOrder},
    queue: {DrawNumber, PassNumber, LeaveQueue},
    answer_in_advance: {SetStandingAnswer},
}
"""The free acts and the commands that they are made of."""


def earnings(act: Act | None, times: int = 1, pack: int = 2) -> dict[UUID, Decimal]:
    """What each god earns in a century in which an act is done so many times on each race."""
    book, *_ = two_peoples(Gods2Options(pack_version=pack))
    every = {sphere: 6 for sphere, row in book.state.pack.spheres.items() if row.group == "greater"}
    book, dwarves, _ = two_peoples(Gods2Options(pack_version=pack), cards={CLEO: every})
    for _ in range(times if act is not None else 0):
        act(book, dwarves)
    events = [*book.when(EndNow(), by=GM), *book.when(ApproveWorksheet(), by=GM)]
    return {e.seat: Decimal(e.earned) for e in of_kind(events, ManaPaid)}


@pytest.mark.rule("G2-MANA-8")
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_no_god_earns_more_by_doing_a_free_act_ten_times(act: Act) -> None:
    once, often = earnings(act), earnings(act, TIMES)
    assert once and all(often[god] <= once[god] for god in once)


@pytest.mark.rule("G2-MANA-8")
def test_a_turmoil_at_will_pays_nobody() -> None:
    none, turmoil = earnings(None), earnings(quarrel)
    assert all(turmoil[god] <= none[god] for god in none)


@pytest.mark.rule("G2-MANA-8")
def test_a_turmoil_at_will_that_is_agreed_away_pays_no_more_than_the_agreement_alone() -> None:
    agreed, both = earnings(agree), earnings(quarrel_and_agree)
    assert all(both[god] <= agreed[god] for god in agreed)


def test_in_version_1_these_acts_were_loops() -> None:
    """What the tests above look for is there to be found."""
    assert earnings(quarrel_and_agree, TIMES, pack=1)[CLEO] > earnings(quarrel_and_agree, pack=1)[CLEO] + 60
    assert earnings(quarrel, pack=1)[CLEO] > earnings(None, pack=1)[CLEO]


def test_every_command_of_a_god_is_priced_or_an_answer_or_one_of_these_acts() -> None:
    of_gods = {command for command in RULESET.own.commands if Issuer.SEAT in command.issuers}
    assert of_gods == PRICED | ANSWERS | {command for commands in ACTS.values() for command in commands}
