"""Encounters as bots find them: who looks, who was struck or hit, whose turn it is."""

from typing import Any
from uuid import UUID

from games.dietower.rules.bots.encounters import lead_encounter
from games.dietower.rules.bots.players import sensible
from games.dietower.rules.checks.events import PoolRolled, RollClosed
from games.dietower.rules.combat.action_events import (
    AttackDeclared,
    AttackHit,
    AttackMissed,
    HealthChanged,
    MonsterBeaten,
)
from games.dietower.rules.combat.commands import EndTurn, MoveActor
from games.dietower.rules.combat.encounter_commands import (
    OpenEncounter,
)
from games.dietower.rules.state.schema_types import Band, Harm, Reason, Target, Uses
from games.dietower.rules.tower.events import ConsequenceWritten, PlacementDue, TerribleThingDue, TowerFell
from games.engine.dice import SecretDice, Tray
from games.engine.kernel import Command
from games.engine.policies import Look, questions_of
from tests.playbook import Playbook
from tests.rules.dietower.scenes import fighting
from tests.rules.dietower.stage import GM, GM_SEAT, S1, S2, monster, npc, playing

LOOKS = 60
"""So many dice say whether something is done now and then."""


def look(book: Playbook, seat: UUID = GM_SEAT, number: int = 0) -> Look[Any]:
    """A seat's look at the game."""
    state = book.state.view_for(frozenset({seat}), gm=seat == GM_SEAT)
    return Look(state, seat, Tray(SecretDice(b"bots", str(number))), questions_of(state, seat))


def leads(book: Playbook) -> Command | None:
    """What the world master's bot says of the encounter."""
    return lead_encounter(look(book))


def does(book: Playbook, seat: UUID, number: int = 0) -> Command | None:
    """What a player's bot does."""
    asked = look(book, seat, number)
    return sensible(asked.state, seat, asked.tray).command


def strike(book: Playbook, actor: UUID, beast: UUID, number: int = 1, kind: Harm = Harm.INJURY) -> None:
    """The tower has fallen by a die that somebody owed for an attack of a Monster, and something has struck them."""
    attack, roll, placement, consequence = (UUID(int=number * 0x100 + n) for n in range(4))
    book.plant(
        AttackDeclared(attack=attack, actor=beast, target=actor, uses=Uses.NONE),
        AttackMissed(attack=attack),
        PoolRolled(roll=roll, actor=actor, attack=attack, dice=(1,), discarded=None, pool=(1,), flat=0),
        RollClosed(roll=roll, net=-1, extra=(), flat=0, total=1),
        PlacementDue(placement=placement, roll=roll, actor=actor, reason=Reason.NET_FAIL),
        TowerFell(placement=placement, actor=actor, height=3),
        TerribleThingDue(consequence=consequence, placement=placement, actor=actor),
        ConsequenceWritten(
            consequence=consequence, kind=kind, text="A beam.", targets=(Target(actor=actor, fallen=False),)
        ),
    )


def hit(book: Playbook, actor: UUID, beast: UUID, number: int) -> None:
    """An attack of a character has hit."""
    attack = UUID(int=0xA000 + number)
    book.plant(
        AttackDeclared(attack=attack, actor=actor, target=beast, uses=Uses.NONE),
        AttackHit(attack=attack, weakness=False),
    )


def beat(book: Playbook, beast: UUID) -> None:
    """The Monster is beaten."""
    book.plant(HealthChanged(actor=beast, health=0), MonsterBeaten(actor=beast))


def under_way(*seats: UUID) -> tuple[Playbook, UUID]:
    """An encounter in which somebody has done something."""
    book, beast = fighting(*seats)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=seats[0])
    return book, beast


def with_friend(*, member: bool) -> tuple[Playbook, UUID, UUID]:
    """An encounter under way; somebody goes along who takes part, or is elsewhere."""
    book = playing(S1, S2)
    beast, friend = monster(book), npc(book)
    book.when(OpenEncounter(members=(beast, *([friend] if member else []))), by=GM)
    book.when(MoveActor(target=beast, band=Band.SHORT), by=S1)
    return book, beast, friend


def monsters_turn() -> tuple[Playbook, UUID]:
    """The first seat's character stands at the side of the Monster, whose turn it is."""
    book, beast = under_way(S1, S2)
    for seat in (S1, S2):
        book.when(EndTurn(), by=seat)
    assert book.state.encounter.turn == beast
    return book, beast
