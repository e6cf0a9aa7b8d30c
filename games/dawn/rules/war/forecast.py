"""What a battle would bring, before it is fought: exact odds against each number the other side may commit (DW-WAR-5).

All of it follows from what lies open: who is there, bonuses, dice. What the other side commits is sealed and is not
guessed: each possible number has its odds. Chances whose dice fall in more ways than both APIs can show are rounded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from uuid import UUID

from games.dawn.rules.command.arguments import Target
from games.dawn.rules.powers.forecast import forecast_with_state
from games.dawn.rules.powers.frame import PowerRules
from games.dawn.rules.state.records import War
from games.dawn.rules.state.schema_types import WarSide
from games.dawn.rules.state.state import State
from games.dawn.rules.war.battles import (
    attack_bonuses,
    defence_bonuses,
    defenders_of,
    remaining_attackers,
    remaining_defenders,
    stand_in_of,
    sum_of_bonuses,
)
from games.dawn.rules.war.odds import SIDES, Force, chance
from games.engine.errors import Refused
from games.engine.insight.forecast import Forecast, ForecastOutcome, Odd, percent
from games.engine.kernel import Actor, Context
from games.engine.wording import quantity

PARTS = 10**9
"""Chances of dice that fall in more ways than this are rounded to so many parts."""
SEALED = "What the other side commits: the odds are those against each number of armies it has."
RESIDENT = "Whether an avatar stands in: then the avatar dies in place of the city's fall."
STRONGEST = "Which armies attack: of so many, the strongest are reckoned with."
ROUNDED = "Some chances are rounded to billionths."
MAX_TARGETS, MAX_NUMBERS = 3, 5
"""So many targets are told of in words; so many numbers of armies of a side have their odds in a table."""
NOT_BEGUN = UUID(int=0)
"""The id of a war that is only thought of."""
LATER = "This is the first battle with all who march; how the war goes on is decided after each."


@dataclass(frozen=True, slots=True)
class Side:
    """One side's choice."""

    side: WarSide
    armies: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """One pair of forces that may meet."""

    ours: int
    """Armies that the attacker commits, or the avatar alone."""
    theirs: int
    """Armies that the defender commits; 0: the city's own die, or an avatar."""
    won: Fraction
    """How likely the attacker is to win."""


def forecast_command(state: State, ctx: Context, actor: Actor, command: PowerRules) -> Forecast:
    """What a command that may begin a war would do: its price, and the first battle with all who march.

    Raises what `forecast_power` raises, and `odds.large`.
    """
    whole, twin = forecast_with_state(state, ctx, actor, command)
    war = next((war for war in twin.wars.values() if war.id not in state.wars), None)
    if war is None:
        return whole
    hidden = (RESIDENT,) if not remaining_defenders(twin, war) and defenders_of(twin, war) else ()
    march = Side(WarSide.ATTACKER, remaining_attackers(twin, war))
    found = forecast_battle(twin, war, march, (*whole.hidden, *hidden, LATER))
    return replace(found, price=whole.price, steps=whole.steps, barred=whole.barred)


def forecast_battle(state: State, war: War, chosen: Side, hidden: tuple[str, ...] = ()) -> Forecast:
    """What a battle would bring if one side commits this, against each number of the other. Raises `odds.large`."""
    found = list(_meetings(state, war, chosen))
    prospects = tuple(
        prospect for meeting in found for prospect in _outcomes_of_meeting(state, war, chosen.side, meeting)
    )
    cases = max((SIDES ** (m.ours + max(1, m.theirs)) for m in found), default=1)
    exact = cases <= PARTS
    notes: tuple[str, ...] = (SEALED,) if len(found) > 1 else ()
    notes += (STRONGEST,) if found and chosen.side is WarSide.DEFENDER else ()
    return Forecast(
        price=None,
        steps=(),
        exact=exact,
        cases=min(cases, PARTS),
        prospects=prospects,
        hidden=(*notes, *hidden, *(() if exact else (ROUNDED,))),
    )


def odds_in_words(state: State, attacker: UUID, armies: tuple[UUID, ...], aimed: Sequence[Target]) -> str:
    """How likely a god would win the first battle with all these armies, for each of a few targets: a sentence.

    The least chance is that against all who may defend, the greatest that against the fewest; "" where none is counted.
    """
    found = []
    for target in aimed[:MAX_TARGETS]:
        city = state.city_at(target.square.at)
        war = War(NOT_BEGUN, attacker, *target.square.at, city.id if city else None, target.avatar, armies)
        try:
            chances = [meeting.won for meeting in _meetings(state, war, Side(WarSide.ATTACKER, armies))]
        except Refused:  # too many dice to count
            continue
        words = list(dict.fromkeys(percent(chance) for chance in (min(chances), max(chances))))
        found.append(f"against {state.title(war.city or target.avatar)} {' to '.join(words)}")
    if not found:
        return ""
    left = len(aimed) - MAX_TARGETS
    more = f"; {left} more may be attacked" if left > 0 else ""
    march = quantity(len(armies), "army", "armies")
    return f"You would win the first battle with {'all ' if len(armies) > 1 else ''}{march}: {', '.join(found)}{more}."


def odds_table(state: State, war: War) -> list[tuple[int, dict[int, Fraction]]]:
    """How likely the attacker is to win the next battle: by the armies that attack, by those that defend (0: none).

    The largest numbers of both sides, as far as a table has room. Raises `odds.large`.
    """
    ours, there = len(remaining_attackers(state, war)), len(remaining_defenders(state, war))
    defence = sum_of_bonuses(defence_bonuses(state, war))
    table = []
    for attacking in range(max(1, ours - MAX_NUMBERS + 1), ours + 1):
        force = Force(attacking, 0 if war.alone else _strongest(state, war, attacking))
        defending = range(max(min(1, there), there - MAX_NUMBERS + 1), there + 1)
        table.append((attacking, {n: chance(force, Force(max(1, n), defence)) for n in defending}))
    return table


def _meetings(state: State, war: War, chosen: Side) -> Iterator[Meeting]:
    """The forces that may meet. Of the attacker's armies it matters which: against a defender each number is the best.

    An attacker who retreats meets nobody.
    """
    defence = sum_of_bonuses(defence_bonuses(state, war))
    if chosen.side is WarSide.ATTACKER:
        attack = 0 if war.alone else sum_of_bonuses(attack_bonuses(state, chosen.armies))
        ours, there = len(chosen.armies), len(remaining_defenders(state, war))
        for theirs in range(min(1, there), there + 1) if ours else ():
            won = chance(Force(ours, attack), Force(max(1, theirs), defence))
            yield Meeting(ours, theirs, won)
        return
    for ours in range(1, len(remaining_attackers(state, war)) + 1):
        attack = 0 if war.alone else _strongest(state, war, ours)
        won = chance(Force(ours, attack), Force(len(chosen.armies), defence))
        yield Meeting(ours, len(chosen.armies), won)


def _strongest(state: State, war: War, number: int) -> int:
    """The highest bonus of so many armies of the march: one city's if it has so many, a led one among them."""
    march = remaining_attackers(state, war)
    by_city: dict[UUID, list[UUID]] = {}
    for army in march:
        by_city.setdefault(state.armies[army].city, []).append(army)
    groups = [group for group in by_city.values() if len(group) >= number] + [list(march)]
    led = {a.leads for a in state.avatars.values() if a.alive}
    picks = (sorted(group, key=lambda army: army not in led)[:number] for group in groups)
    return max(sum_of_bonuses(attack_bonuses(state, pick)) for pick in picks)


def _outcomes_of_meeting(state: State, war: War, side: WarSide, meeting: Meeting) -> Iterator[ForecastOutcome]:
    """Every outcome of one meeting; its key says what the other side commits."""
    mine = side is WarSide.ATTACKER
    key = f"against:{meeting.theirs if mine else meeting.ours}"
    won = meeting.won if mine else 1 - meeting.won
    losing = {  # what the attacker's victory and the attacker's defeat cost
        "armies_destroyed" if mine else "armies_lost": (meeting.theirs, meeting.won),
        "armies_lost" if mine else "armies_destroyed": (0 if war.alone else meeting.ours, 1 - meeting.won),
        "attacking_avatar_dies": (int(war.alone is not None), 1 - meeting.won),
        "defending_avatar_dies": (int(not meeting.theirs and _fighter(state, war)), meeting.won),
        "city_falls": (int(not meeting.theirs and war.city is not None and not _fighter(state, war)), meeting.won),
    }
    yield ForecastOutcome("won", None, key, _odds(1, won))
    for what, (amount, likely) in losing.items():
        if amount:
            yield ForecastOutcome(what, None, key, _odds(amount, likely))


def _fighter(state: State, war: War) -> bool:
    """Whether an avatar fights for the defender: in the open, or because they stand in."""
    return war.city is None or stand_in_of(state, war) is not None


def _odds(amount: int, likely: Fraction) -> tuple[Odd, ...]:
    """An amount with its chance, else nothing; what is certain stands alone."""
    chance = likely if likely.denominator <= PARTS else Fraction(round(likely * PARTS), PARTS)
    chances = ((0, 1 - chance), (amount, chance))
    return tuple(Odd(number, odds) for number, odds in chances if odds)
