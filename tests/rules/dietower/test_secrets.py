"""What nobody else may learn leaves no trace in what is public: unseen actors, what they hold, who is named."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import Reveal, SetState
from games.dietower.rules.actors.events import ActorRevived, ActorShown
from games.dietower.rules.actors.people_commands import SaveMonster
from games.dietower.rules.combat.action_events import HealthChanged, HoldTriggered, MonsterBeaten
from games.dietower.rules.combat.commands import EndTurn, HoldAction
from games.dietower.rules.combat.encounter_commands import CloseEncounter, JoinEncounter, OpenEncounter
from games.dietower.rules.combat.events import EncounterClosed, TurnEnded
from games.dietower.rules.combat.ruling_commands import TriggerHold
from games.dietower.rules.state.schema_types import ActionKind, ActorKind, Condition, Harm, Hidden, Mode, Target
from games.dietower.rules.tower.commands import AmendConsequence, ReportDie, WriteConsequence
from games.engine.audience import PUBLIC
from tests.playbook import Playbook, of_kind
from tests.rules.dietower.stage import GM, S1, S2, check, monster, npc, pc, playing, require_sound

LONG = timedelta(minutes=6)
"""Longer than a turn waits."""


def hold_attack(book: Playbook, actor: UUID, by: Any) -> UUID:
    """Let somebody hold the attack of the own turn; the hold."""
    known = set(book.state.holds)
    book.when(HoldAction(actor=actor, action=ActionKind.ATTACK, trigger="when they run"), by=by)
    (hold,) = set(book.state.holds) - known
    return UUID(str(hold))


@pytest.mark.rule("DT-CMB-4", "DT-CMB-17")
@pytest.mark.parametrize("holds", [False, True])
def test_what_a_monster_holds_counts_as_nothing_done_in_its_turn(holds):
    book = playing(S1)
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,), first=beast), by=GM)
    if holds:
        hold_attack(book, beast, GM)
    assert not book.state.require_encounter().done
    events = book.wait(LONG)
    assert [e.silent for e in of_kind(events, TurnEnded)][:1] == [True]
    closed = of_kind(events + book.wait(6 * LONG), EncounterClosed)
    assert [e.reason for e in closed] == ["silence"]


@pytest.mark.rule("DT-CMB-4", "DT-AMB-38")
@pytest.mark.parametrize("secretly", [False, True])
def test_the_number_of_a_trigger_says_nothing_of_what_is_held_in_secret(secretly):
    book = playing(S1)
    beast = monster(book)
    book.when(OpenEncounter(members=(beast,), first=beast), by=GM)
    hidden = hold_attack(book, beast, GM)
    book.when(EndTurn(), by=GM)
    shown = hold_attack(book, pc(book, S1), S1)
    if secretly:
        book.when(TriggerHold(hold=hidden), by=GM)
    events = book.when(TriggerHold(hold=shown), by=GM)
    assert len(of_kind(events, HoldTriggered)) == 1
    assert book.state.holds[shown].triggered == 1


@pytest.mark.rule("DT-AMB-52", "DT-CHR-5")
def test_a_beaten_monster_that_nobody_has_seen_is_shown_before_it_is_up_again():
    book = playing(S1)
    beast = monster(book, health=1)
    book.plant(HealthChanged(actor=beast, health=0), MonsterBeaten(actor=beast))
    events = book.when(SaveMonster(actor=beast, name="Gnaw", health=2), by=GM)
    assert [type(e) for e in of_kind(events, ActorShown, ActorRevived)] == [ActorShown, ActorRevived]
    require_sound(book)


def ids_in(value: Any) -> Iterator[UUID]:
    """Every id in the fields of an event."""
    if isinstance(value, UUID):
        yield value
    elif isinstance(value, dict):
        for held in value.values():
            yield from ids_in(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from ids_in(held)


@pytest.mark.rule("DT-CHR-8", "DT-AMB-52")
def test_no_public_event_names_somebody_who_was_not_shown_before_it():
    """Each command that names somebody hidden: in a terrible thing, its amendment, a state, a revelation, a fight."""
    book = playing(S1, S2, mode=Mode.PHYSICAL)
    struck, other, fallen, known, late = (npc(book, name, notes="x") for name in ("A", "B", "C", "D", "E"))
    beast = monster(book)
    check(book, S1, (1, 1), cd=40)
    book.when(ReportDie(placement=book.state.due_placements()[0].id, stands=False), by=GM)
    (terrible,) = book.state.consequences
    hit = (Target(actor=struck, fallen=True),)
    book.when(WriteConsequence(consequence=terrible, kind=Harm.INJURY, text="A beam.", targets=hit), by=GM)
    again = (Target(actor=other, fallen=True),)
    amended = AmendConsequence(consequence=terrible, kind=Harm.LOSS, text="A wall.", targets=again, reason="a slip")
    book.when(amended, by=GM)
    book.when(SetState(actor=fallen, state=Condition.FALLEN, reason="a fever"), by=GM)
    book.when(Reveal(actor=known, field=Hidden.NOTES), by=GM)
    book.when(OpenEncounter(members=(beast,)), by=GM)
    book.when(JoinEncounter(actor=late), by=GM)
    book.when(CloseEncounter(), by=GM)
    hidden = {a.id for a in book.state.actors.values() if a.kind is not ActorKind.PC}
    seen: set[UUID] = set()
    for record in book.log:
        if isinstance(record.event, ActorShown):
            seen.add(record.event.actor)
        if record.audience == PUBLIC:
            assert set(ids_in(record.event.model_dump())) & hidden <= seen, record.event
    assert seen == hidden
