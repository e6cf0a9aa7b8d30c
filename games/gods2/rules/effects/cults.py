"""Cults (G2-PAN-8 to 11, G2-MOD-8): a member of a pantheon gains by a power or a place, and nobody is asked.

Those that come of a feature by themselves follow the same rules (G2-PAN-10).

All cults of one working on a race are applied together; a cult never starts a turmoil. Points are whole percent.
"""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.turmoil import settle_faith
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pack.operations import Convert, Cult
from games.gods2.rules.pantheon.turmoil_events import CultGrew
from games.gods2.rules.state.records import DIABOLISM, GodKind
from games.gods2.rules.state.shares import JEALOUS, cult, leading_god, nobody_takes, share_list
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf
from games.gods2.rules.workings.context import Doing, Together, Working, applies
from games.gods2.rules.workings.scopes import target_races

Steps = Iterator[Event]

POINT = 100  # hundredths of a percent in a point


def member_named(state: State, working: Working, deity: str) -> str | None:
    """The member that an effect names: `caster`, a god by name or seat, diabolism, atheism; None: there is none.

    A demon is no member (G2-PAN-7): what demons cast for themselves, diabolism gains.
    """
    if deity in JEALOUS:
        return deity
    if deity == "caster":
        if working.caster is None:
            return None
        return DIABOLISM if state.gods[working.caster].kind is GodKind.DEMON else str(working.caster)
    for god in sorted(state.gods.values(), key=lambda g: g.id):
        if god.kind is GodKind.GOD and deity.casefold() in (str(god.id), god.name.casefold()):
            return str(god.id)
    return None


def member_of(state: State, working: Working, deity: str) -> str:
    """The member that an effect names. Raises `member.missing`."""
    found = member_named(state, working, deity)
    if found is None:
        who = "Nobody has cast this, so no caster" if deity == "caster" else f"There is no god {deity} in this game who"
        raise Refused("member.missing", f"{who} gains by it.", rules=("G2-PAN-2", "G2-PAN-8"))
    return found


def gains_of(state: State, working: Working, race: UUID, effects: Sequence[Cult]) -> dict[str, int]:
    """What each member gains by the cults of one working that hold for a race, in hundredths of a percent."""
    gains: dict[str, int] = {}
    for effect in effects:
        if applies(state, race, working, effect):
            member = member_named(state, working, effect.deity)
            if member is not None:
                gains[member] = gains.get(member, 0) + effect.points * POINT
    return gains


def grow_cult(
    state: State, ctx: Context, race: UUID, gains: Mapping[str, int], cause: str, casting: UUID | None
) -> Steps:
    """Apply a cult to a race, with what follows from its new shares. A cult that changes nothing is not reported.

    Who has everything loses nothing by what nobody has aimed at the race alone: there is nobody to take it.
    """
    before = state.pantheon(race)
    after = before if nobody_takes(before, gains) else cult(before, gains)
    if after == before:
        return
    shares = tuple(ShareOf(member=m, share=points) for m, points in sorted(gains.items()))
    yield CultGrew(race=race, gains=shares, pantheon=share_list(after), cause=cause, casting=casting)
    if DIABOLISM in before and DIABOLISM not in after:
        yield from count_event(state, "diabolism_leaves", race)
    yield from settle_faith(state, race)


def check_cult(state: State, working: Working, effect: Cult) -> None:
    """Refuse (`pantheon.sole`, `member.missing`) a cult that nobody could pay for with their share (G2-PAN-11)."""
    member_of(state, working, effect.deity)
    for race in working.races[:1]:
        cult(state.pantheon(race), gains_of(state, working, race, (effect,)))


def _cults(state: State, ctx: Context, working: Working, effects: list[Cult]) -> Steps:
    for race in target_races(state, working):
        gains = gains_of(state, working, race, effects)
        if gains:
            yield from grow_cult(state, ctx, race, gains, working.cause, working.casting)


def _convert(state: State, ctx: Context, working: Working, effect: Convert) -> Steps:
    """The god with the largest share gains in the races in contact (tie: lowest id); special members convert nobody."""
    god = leading_god(state.pantheon(working.race))
    if god is None:
        return
    for race in contacts(state, working.race):
        yield from grow_cult(state, ctx, race, {god: effect.points * POINT}, working.cause, working.casting)


CULT = Together(_cults, check_cult)
CONVERT = Doing(_convert)
