"""Aggression (G2-AGG-3 to 6): each race's die, whom it attacks, and when the wars of the century are fought.

A race attacks those in contact with it, drawn with repetition. Where nobody is in reach nothing is declared, nor by a
race under a ban of war, which rolls no target die (AMB-55).
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.kernel import Context, Event
from games.gods2.rules.cascade.aftermath import run_and_settle, settle_races
from games.gods2.rules.declarations.events import AggressionRolled, DeclarationVoided, WarDeclared, WarsOrdered
from games.gods2.rules.declarations.gm_prompts import ask_about_war
from games.gods2.rules.declarations.rules import aggressive_dues, fight_timer, war_due
from games.gods2.rules.effects.triggers import at_die
from games.gods2.rules.effects.war import is_under_ban, name_of_ban, under_ban
from games.gods2.rules.geometry.stats import contacts, stat
from games.gods2.rules.state.options import options_of, scaled_window
from games.gods2.rules.state.records import WarKind
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import DueOf

Steps = Iterator[Event]

LADDER = ((9, 3), (7, 2), (5, 1))
"""Total of d6 and Aggression at least -> declarations (G2-AGG-3)."""


def declarations(die: int, aggression: int) -> int:
    """How many wars a race declares by its own will in a century (G2-AGG-3)."""
    return next((wars for least, wars in LADDER if die + aggression >= least), 0)


def roll_aggression(state: State, ctx: Context) -> Iterator[Event]:
    """Steps 6 to 8: the dice of all races, their targets, the order of the wars and their times."""
    century = state.era.century
    wanted: list[tuple[UUID, int]] = []
    for race in state.living():
        if state.races[race.id].extinct:  # by what another race's die has activated
            continue
        awake = yield from at_die(state, ctx, race.id)
        aggression = int(stat(state, race.id, "aggression").value)
        yield from awake.over(state)
        die = awake.throw(ctx, f"c{century}/aggression/{race.id}", 6, "G2-AGG-3")
        wars = declarations(die, aggression)
        yield AggressionRolled(race=race.id, aggression=aggression, declarations=wars)
        wanted.append((race.id, wars))
        if awake.here:
            yield from settle_races(state, ctx, "aggression")
    declared: list[UUID] = []
    for attacker, wars in wanted:
        reached = contacts(state, attacker) if wars else []
        for k in range(1, wars + 1 if reached else 1):
            if is_under_ban(state, attacker, WarKind.AGGRESSIVE):  # perhaps by what its own declaration has activated
                break
            defender = ctx.tray.draw(f"c{century}/target/{attacker}/{k}", reached, "G2-AGG-4")
            if held := name_of_ban(state, attacker, defender, WarKind.AGGRESSIVE):
                yield DeclarationVoided(attacker=attacker, defender=defender, reason=under_ban(held))
                continue
            war = ctx.mint(PUBLIC)
            posted = WarDeclared(war=war, attacker=attacker, defender=defender, kind=WarKind.AGGRESSIVE)
            yield from run_and_settle(state, ctx, iter((posted,)), "aggression", (attacker, defender))
            declared.append(war)
    if declared:
        yield from _order_wars(state, ctx, declared)


def _order_wars(state: State, ctx: Context, declared: list[UUID]) -> Iterator[Event]:
    end = state.era.activity_ends_at
    if end is None:
        raise RuntimeError("a century without an end of its Activity Phase")
    order = ctx.tray.shuffle(f"c{state.era.century}/wars", declared, "G2-AGG-6")
    delay = scaled_window(state, options_of(state).war_delay_seconds)
    if options_of(state).aggressive_wars == "together":  # AMB-59
        dues = [war_due(ctx.now, end, delay)] * len(order)
    else:
        dues = aggressive_dues(ctx.now, end, delay, len(order))
    posted = tuple(DueOf(war=war, due=due) for war, due in zip(order, dues, strict=True))
    yield WarsOrdered(wars=tuple(order), dues=posted)
    for due in posted:
        yield fight_timer(due.war, due.due)
        yield from ask_about_war(state, ctx, due.war)
