"""Combined castings: gods present together add their cards and share the price (G2-HIST-2 to 4, W50)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import (
    CastingAnswered,
    CastingProposed,
    CastingWithdrawn,
    PowerAuthored,
    PowerCast,
    PowerGranted,
)
from games.gods2.rules.casting.joint import payer_shares
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.knowledge.events import KnowledgeLearned
from games.gods2.rules.mana.events import ManaSpent, PoolSpent
from games.gods2.rules.setup.roster_commands import MarkAbsent
from games.gods2.rules.state.effect_records import Grant, GrantSource
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Cards, DiplomacyPolicy, GodKind, Pool
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.events import WarFought
from games.gods2.rules.war.schedule_commands import FightWarNow, SetDiplomacy
from games.gods2.rules.window.commands import CallNumber, DrawNumber, LeaveQueue, PassNumber
from games.gods2.rules.window.events import NumberPassed, NumberServed
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, minutes
from tests.rules.gods2.joint import (
    POWER,
    balances,
    casting_prompt,
    each_with_a_war_card,
    parts,
    replays_alike,
    set_kind,
    teaching,
    with_powers,
    yes,
)

TRIO = ((ANA, 9), (BEN, 0), (CLEO, 0))


@pytest.mark.rule("G2-W50", "G2-HIST-2", "G2-HIST-3", "G2-HIST-7")
def test_three_gods_with_one_war_card_each_cast_a_power_of_level_three_paid_by_one() -> None:
    book, dwarves, _ = each_with_a_war_card()
    with refused("power.level", book.state):
        book.when(CastPower(power=POWER, targets=(Target(race=dwarves),)), by=ANA)

    first = book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    assert of_kind(first, CastingProposed) == [event_like(CastingProposed, price=9, parts=parts(*TRIO))]
    assert not of_kind(first, PowerCast) and balances(book) == [20, 20, 20]
    assert not of_kind(yes(book, CLEO), PowerCast)
    last = yes(book, BEN)

    casting = of_kind(first, CastingProposed)[0].casting
    assert of_kind(last, PowerCast, PowerAuthored, ManaSpent, KnowledgeLearned, NumberServed) == [
        event_like(PowerCast, casting=casting, price=9),
        event_like(PowerAuthored, casting=casting, primary=ANA, seats=(ANA, BEN, CLEO)),
        event_like(ManaSpent, seat=ANA, amount=9),
        event_like(ManaSpent, seat=BEN, amount=0),
        event_like(ManaSpent, seat=CLEO, amount=0),
        event_like(KnowledgeLearned, race=dwarves, knowledge="horsemanship"),
        event_like(NumberServed, number=1),
    ]
    assert balances(book) == [11, 20, 20]
    state = book.state
    assert not state.proposals and not state.prompts and not state.numbers and state.era.called is None


@pytest.mark.rule("G2-W50", "G2-HIST-2")
def test_an_absent_god_lends_no_card() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(MarkAbsent(seat=CLEO, absent=True), by=GM)
    with refused("caster.absent", book.state):
        book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    with refused("power.level", book.state):
        book.when(teaching(dwarves, (ANA, 9), (BEN, 0), split="given"), by=ANA)


@pytest.mark.rule("G2-HIST-3")
def test_a_price_is_split_equally_with_the_rest_to_the_primary_or_as_given() -> None:
    book, dwarves, _ = each_with_a_war_card()
    for cost, shares in ((9, [3, 3, 3]), (11, [5, 3, 3]), (2, [2, 0, 0])):
        assert [p.amount for p in payer_shares(cost, parts((ANA, 0), (BEN, 0), (CLEO, 0)), "equal")] == shares
    for amounts, split in (((4, 3, 3), "given"), ((9, 0, 0), "equal")):
        with refused("mana.split", book.state):
            book.when(teaching(dwarves, *zip((ANA, BEN, CLEO), amounts, strict=True), split=split), by=ANA)
    for seats in ((BEN, ANA, CLEO), (ANA, BEN, BEN)):
        with refused("mana.split", book.state):
            book.when(teaching(dwarves, *((seat, 3) for seat in seats)), by=ANA)
    with refused("seat.missing", book.state):
        book.when(teaching(dwarves, (ANA, 3), (BEN, 3), (UUID(int=77), 3)), by=ANA)
    book.when(teaching(dwarves, (ANA, 0), (BEN, 0), (CLEO, 0)), by=ANA)
    yes(book, BEN, CLEO)
    assert balances(book) == [17, 17, 17]


@pytest.mark.rule("G2-HIST-3")
def test_nobody_pays_unless_all_can() -> None:
    book, dwarves, _ = each_with_a_war_card()
    state = book.state
    state.purses[ANA] = replace(state.purses[ANA], balance=2)
    with refused("mana.short", state):
        book.when(teaching(dwarves, (ANA, 3), (BEN, 3), (CLEO, 3)), by=ANA)
    state.purses[ANA] = replace(state.purses[ANA], balance=3)
    state.purses[CLEO] = replace(state.purses[CLEO], balance=2)
    book.when(teaching(dwarves, (ANA, 3), (BEN, 3), (CLEO, 3)), by=ANA)
    with refused("mana.short", state):
        book.when(AnswerCasting(prompt=casting_prompt(book), yes=True), by=CLEO)
    yes(book, BEN)
    state.purses[CLEO] = replace(state.purses[CLEO], balance=3)
    state.purses[BEN] = replace(state.purses[BEN], balance=1)

    events = yes(book, CLEO)

    assert not of_kind(events, ManaSpent, PowerCast)
    assert of_kind(events, CastingWithdrawn)[0].reason == "one of the casters cannot any more"
    assert balances(book) == [3, 1, 3] and not state.proposals


@pytest.mark.rule("G2-HIST-2")
def test_at_the_last_yes_presence_and_cards_are_looked_at_again() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    yes(book, BEN)
    book.when(MarkAbsent(seat=BEN, absent=True), by=GM)
    reasons = [e.reason for e in of_kind(yes(book, CLEO), CastingWithdrawn)]
    assert reasons == ["one of the casters cannot any more"]  # an absence is shown to nobody else
    assert balances(book) == [20, 20, 20]


@pytest.mark.rule("G2-HIST-3", "G2-QUEUE-1")
def test_a_no_withdraws_the_casting_and_the_callers_minute_goes_on() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(DrawNumber(), by=ANA)
    book.wait(timedelta(seconds=20))
    book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    assert book.state.timers["queue:1"].due is None
    assert book.state.proposals[next(iter(book.state.proposals))].left == 40
    book.wait(timedelta(seconds=50))
    assert book.state.era.called == 1

    events = book.when(AnswerCasting(prompt=casting_prompt(book), yes=False), by=CLEO)

    assert [type(e) for e in of_kind(events, CastingAnswered, CastingWithdrawn)] == [CastingAnswered, CastingWithdrawn]
    assert balances(book) == [20, 20, 20]
    assert book.state.timers["queue:1"].due == book.now + timedelta(seconds=40)
    assert [p.kind for p in book.state.prompts.values()] == ["QUEUE.called"]
    assert of_kind(book.wait(timedelta(seconds=41)), NumberPassed)


@pytest.mark.rule("G2-HIST-3")
def test_silence_of_a_minute_withdraws_the_casting() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    yes(book, BEN)
    assert not of_kind(book.wait(timedelta(seconds=59)), CastingWithdrawn)
    assert of_kind(book.wait(timedelta(seconds=1)), CastingWithdrawn)
    assert book.state.era.called == 1 and not book.state.proposals
    with refused("prompt.closed", book.state):
        book.when(AnswerCasting(prompt=UUID(int=5), yes=True), by=CLEO)


def test_a_proposed_casting_is_a_secret_of_the_casters_and_the_gms() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.state.cards[BEN, "WA"] = Cards(BEN, "WA", 2)
    book.when(teaching(dwarves, (ANA, 9), (BEN, 0), split="given"), by=ANA)
    pair = f"gm+seat:{ANA}+seat:{BEN}"
    yes(book, BEN)
    kinds = (CastingProposed, CastingAnswered)
    assert {h.audience for h in book.log if isinstance(h.event, kinds)} == {pair}
    book, dwarves, _ = each_with_a_war_card()
    book.state.cards[BEN, "WA"] = Cards(BEN, "WA", 2)
    book.when(teaching(dwarves, (ANA, 9), (BEN, 0), split="given"), by=ANA)
    assert book.state.view_for(frozenset({BEN})).proposals
    assert not book.state.view_for(frozenset({CLEO})).proposals
    assert not [p for p in book.state.view_for(frozenset({CLEO})).prompts.values() if p.lane == "casting"]
    with refused("prompt.not_yours", book.state):
        book.when(AnswerCasting(prompt=casting_prompt(book), yes=True), by=CLEO)
    book.when(AnswerCasting(prompt=casting_prompt(book), yes=False), by=BEN)
    assert {h.audience for h in book.log if isinstance(h.event, CastingWithdrawn)} == {pair}


@pytest.mark.rule("G2-HIST-4")
def test_personal_and_borrowed_powers_are_cast_alone_and_an_artifacts_may_be_combined() -> None:
    book, dwarves, _ = each_with_a_war_card()
    grants = book.state.grants
    for seat, source in ((ANA, GrantSource.PERSONAL), (ANA, GrantSource.BORROWED), (BEN, GrantSource.BORROWED)):
        grants[seat, POWER, source.value] = Grant(seat, POWER, source, 1)
        with refused("power.not_combinable", book.state):
            book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
        del grants[seat, POWER, source.value]
    grants[ANA, POWER, "artifact"] = Grant(ANA, POWER, GrantSource.ARTIFACT, 1)
    book.when(teaching(dwarves, (ANA, 4), (BEN, 5), split="given"), by=ANA)
    assert [e.uses for e in of_kind(yes(book, BEN), PowerGranted)] == [0]
    assert balances(book) == [16, 15, 20]


@pytest.mark.rule("G2-HIST-4")
def test_a_personal_power_of_the_pack_is_never_combined() -> None:
    book, dwarves, _ = with_powers(trick={"kind": "personal", "codes": ["X"], "effects": []})
    book.state.grants[ANA, "trick", "artifact"] = Grant(ANA, "trick", GrantSource.ARTIFACT, 1)
    with refused("power.not_combinable", book.state):
        book.when(CastPower(power="trick", targets=(Target(race=dwarves),), parts=parts((ANA, 1), (BEN, 0))), by=ANA)
    book.when(CastPower(power="trick", targets=(Target(race=dwarves),)), by=ANA)


@pytest.mark.rule("G2-HIST-4")
def test_combining_is_allowed_where_one_would_do_and_the_first_is_the_you_of_the_power() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.state.cards[BEN, "WA"] = Cards(BEN, "WA", 5)
    target = (Target(race=dwarves),)
    book.when(CastPower(power="cult_of_war", targets=target, parts=parts((BEN, 0), (CLEO, 12)), split="given"), by=BEN)
    before = book.state.pantheon(dwarves)
    yes(book, CLEO)
    after = book.state.pantheon(dwarves)
    assert after[str(BEN)] > before[str(BEN)] and str(CLEO) not in after


@pytest.mark.rule("G2-HIST-3", "G2-MANA-4")
def test_two_demons_pay_out_of_one_pool_which_must_hold_both_parts() -> None:
    book, dwarves, _ = each_with_a_war_card()
    state = book.state
    for seat in (BEN, CLEO):
        set_kind(book, seat, GodKind.DEMON)
    state.pools[state.info.id] = Pool(state.info.id, 5, demons=(BEN, CLEO))
    wish = teaching(dwarves, (ANA, 1), (BEN, 4), (CLEO, 4), split="given")
    book.when(wish, by=ANA)
    assert [e.reason for e in of_kind(yes(book, BEN, CLEO), CastingWithdrawn)] == ["one of the casters cannot any more"]
    state.pools[state.info.id] = Pool(state.info.id, 8, demons=(BEN, CLEO))
    book.when(wish, by=ANA)
    assert [e.balance for e in of_kind(yes(book, BEN, CLEO), PoolSpent)] == [4, 0]


@pytest.mark.rule("G2-HIST-3")
def test_a_war_can_be_declared_together() -> None:
    book, dwarves, elves = each_with_a_war_card()
    book.when(DeclareWar(attacker=dwarves, defender=elves, parts=parts((ANA, 0), (BEN, 0))), by=ANA)
    proposal = next(iter(book.state.proposals.values()))
    assert (proposal.power, proposal.price) == ("declare_war", 6)
    assert of_kind(yes(book, BEN), WarDeclared) == [event_like(WarDeclared, attacker=dwarves, defender=elves)]
    assert balances(book) == [17, 17, 20]


@pytest.mark.rule("G2-QUEUE-1", "G2-WAR-1")
def test_no_war_is_fought_while_a_casting_is_not_finished_and_it_stays_in_its_place() -> None:
    book, dwarves, elves = each_with_a_war_card()
    book.state.cards[ANA, "WA"] = Cards(ANA, "WA", 2)
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0]
    for race in (dwarves, elves):
        book.state.races[race] = replace(book.state.races[race], attributes=())
        book.when(SetDiplomacy(war=war.war, race=race, policy=DiplomacyPolicy.REFRAIN), by=GM)
    book.wait(war.due - book.now - timedelta(seconds=10))
    book.when(teaching(dwarves, (ANA, 3), (BEN, 3), (CLEO, 3)), by=ANA)
    assert not of_kind(book.wait(timedelta(seconds=30)), WarFought)
    assert book.state.wars[war.war].due == war.due
    with refused("number.running", book.state):
        book.when(FightWarNow(war=war.war), by=GM)
    with refused("number.running", book.state):
        book.when(CallNumber(), by=GM)
    assert not of_kind(yes(book, BEN, CLEO), WarFought)
    assert of_kind(book.wait(timedelta(seconds=0)), WarFought) == [event_like(WarFought, war=war.war)]


@pytest.mark.rule("G2-QUEUE-1")
def test_the_caller_waits_for_their_partners_before_any_other_act() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    for command in (PassNumber(), LeaveQueue(), teaching(dwarves, *TRIO, split="given")):
        with refused("prompt.open", book.state):
            book.when(command, by=ANA)
    with refused("number.not_called", book.state):  # that something is proposed is a secret
        book.when(teaching(dwarves, (BEN, 9), (ANA, 0), split="given"), by=BEN)


@pytest.mark.rule("G2-QUEUE-1")
def test_when_the_activity_phase_ends_every_open_casting_is_withdrawn_first() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    events = book.when(EndNow(), by=GM)
    kinds = [type(e).__name__ for e in events]
    assert kinds.index("DeadlinePassed") < kinds.index("CastingWithdrawn") < kinds.index("NumberDropped")
    assert kinds.index("NumberDropped") < kinds.index("ActivityClosed")
    assert not book.state.proposals and balances(book) == [20, 20, 20]


def test_windows_are_shorter_in_shorter_centuries() -> None:
    book, dwarves, _ = each_with_a_war_card(Gods2Options(century_seconds=900))
    book.when(teaching(dwarves, *TRIO, split="given"), by=ANA)
    assert of_kind(book.wait(timedelta(seconds=30)), CastingWithdrawn)


def test_a_partner_who_is_asked_may_legally_answer_at_their_price() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(teaching(dwarves, (ANA, 0), (BEN, 0), (CLEO, 0)), by=ANA)
    found = {
        seat: legal_commands_for(book.state, (AnswerCasting,), Actor(Issuer.SEAT, seat=seat)) for seat in (ANA, BEN)
    }
    assert not found[ANA]
    assert [(o.legal, o.price) for o in found[BEN]] == [(True, 3)]


@pytest.mark.rule("G2-LOG-1")
def test_the_log_of_a_combined_casting_leads_to_the_same_state() -> None:
    book, dwarves, elves = each_with_a_war_card()
    book.state.races[dwarves] = replace(book.state.races[dwarves], knowledges=())
    target = (Target(race=elves),)
    book.when(CastPower(power="call_to_arms", targets=target, parts=parts((ANA, 0), (BEN, 0))), by=ANA)
    assert replays_alike(book)
    yes(book, BEN)
    book.wait(minutes(31))
    assert replays_alike(book)
