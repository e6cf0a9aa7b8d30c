"""Religious turmoil (G2-TURM-1 to 9): how it begins and ends, and members thrown out of a pantheon.

A race that was in turmoil at any moment of a century gives no worship mana for it. It ends by agreement, by a power, or
when one member is left. What gods do about it, and the dice of the century's end, stand in `turmoil_commands`.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.geometry.carried_effects import carried_effects
from games.gods2.rules.geometry.stats import works_for
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pack.operations import Kick, Protect, Turmoil
from games.gods2.rules.pantheon.turmoil_events import MemberExpelled, TurmoilEnded, TurmoilStarted, name_of_member
from games.gods2.rules.state.records import DIABOLISM
from games.gods2.rules.state.shares import expel, share_list
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Doing, Working
from games.gods2.rules.workings.scopes import target_races

Steps = Iterator[Event]


def start_turmoil(state: State, race: UUID, cause: str, casting: UUID | None = None) -> Steps:
    """Begin a turmoil; in one that runs nothing happens, in a pantheon of one it ends at once (G2-TURM-1, 9)."""
    if state.races[race].turmoil:
        return
    yield TurmoilStarted(race=race, cause=cause, casting=casting)
    yield from settle_faith(state, race)


def settle_faith(state: State, race: UUID) -> Steps:
    """End a turmoil in which one member is left, who has everything (G2-TURM-8, 9)."""
    if state.races[race].turmoil and len(state.pantheon(race)) <= 1:
        yield TurmoilEnded(race=race, cause="sole")


def expel_member(state: State, race: UUID, member: str, cause: str) -> Steps:
    """Throw a member out; the last one stays."""
    before = state.pantheon(race)
    if member not in before or len(before) == 1:
        return
    yield MemberExpelled(race=race, member=member, pantheon=share_list(expel(before, member)), cause=cause)
    if member == DIABOLISM:
        yield from count_event(state, "diabolism_leaves", race)
    yield from settle_faith(state, race)


def is_guarded(state: State, race: UUID) -> bool:
    """Whether no power starts a turmoil in a race."""
    return any(
        e.against == "turmoil_by_power" and works_for(state, race, e) for _, e in carried_effects(state, race, Protect)
    )


def check_turmoil(state: State, working: Working, effect: Turmoil) -> None:
    """Refuse (`target.protected`, `turmoil.missing`) what would change nothing for a known reason."""
    if not working.races:
        return
    race = state.races[working.race]
    if effect.state == "start" and is_guarded(state, race.id):
        raise Refused("target.protected", f"No power starts a turmoil among {race.name}.", rules=("G2-TURM-1",))
    if effect.state == "end" and not race.turmoil:
        raise Refused("turmoil.missing", f"{race.name} are in no turmoil.", rules=("G2-TURM-7",))


def _turmoil(state: State, ctx: Context, working: Working, effect: Turmoil) -> Steps:
    for race in target_races(state, working):
        if effect.state == "end":
            if state.races[race].turmoil:
                yield TurmoilEnded(race=race, cause="power")
        elif working.power is None or not is_guarded(state, race):  # a place of fear is no power
            yield from start_turmoil(state, race, working.cause, working.casting)


def _kick(state: State, ctx: Context, working: Working, effect: Kick) -> Steps:
    members = list(state.pantheon(working.race))
    if effect.who == "random" and len(members) > 1:
        member = ctx.tray.draw(working.label(f"kick/{working.race}"), members, "G2-TURM-4")
        yield from expel_member(state, working.race, member, working.cause)
    elif effect.who != "random":
        named = [m for m in members if effect.who in (m, name_of_member(state, m).casefold())]
        for member in named[:1]:
            yield from expel_member(state, working.race, member, working.cause)


TURMOIL = Doing(_turmoil, check_turmoil, on_race=False)
KICK = Doing(_kick)
