"""Alliances of a race, or of a city, with another race (DW-CMDR-3). They are records; they forbid no war."""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.command.arguments import act_invalid
from games.dawn.rules.land.presence import present_in
from games.dawn.rules.powers.questions import Consent
from games.dawn.rules.races.events import AllianceMade
from games.dawn.rules.state.records import Power, Race
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC
from games.engine.kernel import Context, Event


def check_alliance(state: State, seeker: UUID, own: Race, other: UUID) -> None:
    """Refuse an alliance that cannot be: `race.missing`, `race.extinct`, `act.invalid`."""
    race = state.race(other)
    if other == own.id:
        raise act_invalid(f"{race.name} cannot ally with itself; name another race.", "DW-CMDR-3")
    if are_allied(state, seeker, other):
        raise act_invalid(f"{state.title(seeker)} and {race.name} are allied already.", "DW-CMDR-3")


def are_allied(state: State, one: UUID, other: UUID) -> bool:
    """Whether an alliance of these two stands."""
    return any({a.one, a.other} == {one, other} for a in state.alliances.values() if not a.ended)


def speakers(state: State, race: UUID) -> list[UUID]:
    """Who speaks for a race: its creators who have presence in it and are in the game, in turn order (DW-AMB-14)."""
    return state.present(seat for seat in state.races[race].creators if present_in(state, seat, race))


def consent_to_ally(state: State, power: Power, other: UUID) -> Consent:
    """The question to those who speak for the other race: one yes is enough, and the caster's command is one."""
    asked = speakers(state, other)
    if power.caster in asked:
        asked = []
    what = f"{state.title(power.caster)} seeks an alliance with {state.title(other)}."
    return Consent(asked=tuple(asked), what=what, enough=1)


def ally(ctx: Context, seeker: UUID, other: UUID) -> Iterator[Event]:
    """The alliance is made."""
    yield AllianceMade(alliance=ctx.mint(PUBLIC), parties=(seeker, other))
