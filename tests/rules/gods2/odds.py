"""Two equal peoples of the tests, their wars, and what a war has activated."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.effects.triggers import run_with_triggers
from games.gods2.rules.effects.war import declare_war as declare
from games.gods2.rules.state.effect_records import ModStatus
from games.gods2.rules.state.records import WarStatus
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.rules import fight
from tests.dice import Planted
from tests.playbook import DAWN, Playbook, of_kind
from tests.rules.gods2.era import ANA, begin, define, endow, set_up, shares, units
from tests.rules.gods2.worlds import People, earth_of, happen, race, row_major

DORMANT, ACTIVE = ModStatus.DORMANT, ModStatus.ACTIVE


def at_odds(packs: Any = None, **more: Any) -> tuple[State, People, People]:
    """Two equal peoples side by side, neither of which fears the other, on an open board."""
    norse = race("Norse", row_major(10, 0, 20), **more)
    picts = race("Picts", row_major(10, 20, 20))
    state = earth_of(["P" * 10] * 5, norse, picts, packs=packs)
    state.set_era(activity_ends_at=DAWN + timedelta(seconds=1500))
    return state, norse, picts


def war_on(state: State, attacker: People, defender: People) -> tuple[UUID, list[Any]]:
    """A god's war, declared now, and what that woke."""
    events = happen(state, lambda s, ctx: run_with_triggers(s, ctx, declare(s, ctx, attacker.id, defender.id, None)))
    return of_kind(events, WarDeclared)[0].war, events


def fight_war(state: State, war: UUID, dice: Iterable[Planted] = ()) -> list[Any]:
    """A declared war is fought; what happens."""
    return happen(state, lambda s, ctx: fight(s, ctx, war), dice)


def statuses(state: State, power: str) -> list[ModStatus]:
    """The life of each casting of a power, in casting order."""
    return [m.status for m in sorted(state.modifications.values(), key=lambda m: m.place) if m.power == power]


def peoples() -> tuple[Playbook, UUID, UUID]:
    """Dwarves of Ashkar beside Elves of Belun; nobody is peaceful, and Ashkar has mana and cards."""
    book = set_up(rows=("P" * 12,) * 4)
    dwarves = define(book, "Dwarves", units(*((x, 1, 1) for x in range(6))), pantheon=shares(a=100))
    elves = define(book, "Elves", units(*((x, 1, 1) for x in range(6, 12))), pantheon=shares(b=100))
    begin(book)
    for war in list(book.state.wars.values()):
        book.state.wars[war.id] = replace(war, status=WarStatus.CANCELLED)
        del book.state.timers[f"war:{war.id}"]
    endow(book, ANA, 200, "FJ", "LB", "WA", "DE", "SE", "CW")
    return book, dwarves, elves


def by_ana(book: Playbook, power: str, *targets: UUID) -> list[Any]:
    """Ashkar casts a power on these races."""
    return book.when(CastPower(power=power, targets=tuple(Target(race=r) for r in targets)), by=ANA)
