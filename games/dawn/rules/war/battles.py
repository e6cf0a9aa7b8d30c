"""One battle: its bonuses, its dice, and what is lost in it (DW-WAR-5..8, DW-WAR-10, DW-WAR-11)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from games.dawn.rules.artifacts import pass_on_with_last_city
from games.dawn.rules.land.presence import residents
from games.dawn.rules.revenge.events import AvatarDestroyed
from games.dawn.rules.state.constants import TIER_ATTACK, TIER_DEFENCE, WATER
from games.dawn.rules.state.records import Army, Avatar, City, War
from games.dawn.rules.state.schema_types import BonusSource, EdgeKind, Place, WarSide
from games.dawn.rules.state.state import At, State
from games.dawn.rules.war.battle_events import ArmiesLost, BattleRolled, Bonus, CityFell, Commitment, Host
from games.dawn.rules.war.odds import SIDES
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import answers_to

Committed = Mapping[WarSide, tuple[UUID, ...]]
"""What each side commits: armies, or the avatar who fights alone."""


def remaining_attackers(state: State, war: War) -> tuple[UUID, ...]:
    """Who is left on the march: armies that are still the attacker's, or the avatar who goes alone."""
    if war.alone is not None:
        return (war.alone,) if state.avatars[war.alone].alive else ()
    return tuple(army.id for army in _standing(state, war.armies) if _controller(state, army) == war.attacker)


def remaining_defenders(state: State, war: War) -> tuple[UUID, ...]:
    """The armies in the attacked city, by id; none where an avatar is attacked in the open."""
    return tuple(army.id for army in state.armies_in(war.city)) if war.city is not None else ()


def defenders_of(state: State, war: War) -> list[Avatar]:
    """The avatars that reside in the attacked city, by id; the attacker's own do nothing for it (DW-AMB-57)."""
    city = state.cities.get(war.city) if war.city is not None else None
    return [a for a in residents(state, city) if a.owner != war.attacker] if city is not None else []


def stand_in_of(state: State, war: War) -> UUID | None:
    """The avatar who stands in for a city without army, if still residing there."""
    here = {avatar.id for avatar in defenders_of(state, war)}
    return war.stand_in if war.stand_in in here and not remaining_defenders(state, war) else None


def defending_god(state: State, war: War) -> UUID:
    """Who decides for the defender: the city's controller, or the god of the avatar in the open (DW-WAR-12)."""
    if war.city is not None:
        return state.cities[war.city].controller
    if war.avatar is None:
        raise RuntimeError("a war against nobody")
    return state.avatars[war.avatar].owner


def _standing(state: State, armies: Sequence[UUID]) -> list[Army]:
    return [state.armies[army] for army in armies if army in state.armies]


def _controller(state: State, army: Army) -> UUID:
    return state.cities[army.city].controller


def attack_bonuses(state: State, armies: Sequence[UUID]) -> tuple[Bonus, ...]:
    """The attack of committed armies, each source once; an avatar alone has none (DW-WAR-6, DW-AVA-2)."""
    marching = _standing(state, armies)
    races, cities = {army.race for army in marching}, {army.city for army in marching}
    found: dict[BonusSource, int] = {}
    if len(races) == 1:
        (race,) = races
        found[BonusSource.TIER] = TIER_ATTACK[state.races[race].tier]
        found[BonusSource.RACE_EDGES] = _edges(state, race, EdgeKind.OFFENSIVE)
    if len(cities) == 1:
        (city,) = cities
        found[BonusSource.CITY_EDGES] = _edges(state, city, EdgeKind.OFFENSIVE)
    found[BonusSource.LEADER] = int(bool(_leaders(state, armies)))
    return _bonuses_shown(found)


def defence_bonuses(state: State, war: War) -> tuple[Bonus, ...]:
    """The defence of the attacked city, each source once; an avatar in the open has none (DW-WAR-6, DW-AVA-2)."""
    city = state.cities.get(war.city) if war.city is not None else None
    if city is None:
        return ()
    return _bonuses_shown(
        {
            BonusSource.TIER: TIER_DEFENCE[state.races[city.race].tier],
            BonusSource.RACE_EDGES: _edges(state, city.race, EdgeKind.DEFENSIVE),
            BonusSource.CITY_EDGES: _edges(state, city.id, EdgeKind.DEFENSIVE),
            BonusSource.FANTASTIC: fantastic_defence(state, city),
            BonusSource.RESIDENT: int(bool(defenders_of(state, war))),
        }
    )


def fantastic_defence(state: State, city: City) -> int:
    """What its square adds to a city's Defence: 1 where it is fantastic now, no matter since when (DW-LAND-4)."""
    return int(state.square((city.x, city.y)).fantastic)


def sum_of_bonuses(bonuses: Sequence[Bonus]) -> int:
    """A side's bonus."""
    return sum(bonus.amount for bonus in bonuses)


def _bonuses_shown(found: Mapping[BonusSource, int]) -> tuple[Bonus, ...]:
    return tuple(Bonus(source=source, amount=amount) for source, amount in found.items() if amount)


def _edges(state: State, target: UUID, kind: EdgeKind) -> int:
    return sum(1 for edge in state.edges_of(target) if edge.kind is kind)


def _leaders(state: State, armies: Sequence[UUID]) -> tuple[UUID, ...]:
    """The avatars who lead one of the armies, by id; several may lead the same."""
    return tuple(sorted(a.id for a in state.avatars.values() if a.alive and a.leads in armies))


def battle(state: State, ctx: Context, war: War, committed: Committed) -> Iterator[Event]:
    """Roll a battle and take what is lost. The attacker has committed something."""
    ours, theirs = committed[WarSide.ATTACKER], committed[WarSide.DEFENDER]
    use = f"war:{war.id}/{war.battle}"
    attack = _host(ctx, f"{use}/attacker", len(ours), () if war.alone else attack_bonuses(state, ours))
    defence = _host(ctx, f"{use}/defender", max(1, len(theirs)), defence_bonuses(state, war))
    won = attack.total > defence.total
    yield BattleRolled(
        war=war.id,
        battle=war.battle,
        attacker=attack,
        defender=defence,
        winner=WarSide.ATTACKER if won else WarSide.DEFENDER,
    )
    if won:
        yield from _take_losses(state, war, theirs)
    elif war.alone is not None:
        yield _avatar_death(war, war.alone, by=defending_god(state, war))
    else:
        yield ArmiesLost(armies=ours)


def _host(ctx: Context, use: str, dice: int, bonuses: tuple[Bonus, ...]) -> Host:
    shown = tuple(ctx.roll(use, SIDES, "DW-WAR-5") for _ in range(dice))
    return Host(dice=shown, bonuses=bonuses, total=sum(shown) + sum_of_bonuses(bonuses))


def _take_losses(state: State, war: War, theirs: tuple[UUID, ...]) -> Iterator[Event]:
    """What the defender loses: their armies; else the avatar who fought; else the city (DW-WAR-8, DW-WAR-10)."""
    fighter = war.avatar if war.city is None else stand_in_of(state, war)
    if theirs:
        yield ArmiesLost(armies=theirs)
    elif fighter is not None:
        yield _avatar_death(war, fighter, by=war.attacker)
    else:
        yield from _take_city(state, war)


def _avatar_death(war: War, avatar: UUID, *, by: UUID) -> Event:
    """An avatar who fought dies, on the square that was attacked (DW-AVA-5)."""
    return AvatarDestroyed(avatar=avatar, square=Place(x=war.x, y=war.y), by=by)


def _take_city(state: State, war: War) -> Iterator[Event]:
    """The city falls; who resided in it flees (DW-WAR-10, DW-WAR-11)."""
    city = state.city_at((war.x, war.y))
    if city is None:
        raise RuntimeError("a city that is not there has fallen")
    armies = () if war.alone else remaining_attackers(state, war)
    victors = state.armies[armies[0]].race if armies else city.race
    refuge = nearest_free(state, city)
    yield CityFell(
        city=city.id,
        controller=war.attacker,
        race=victors,
        armies=armies,
        avatars=(war.alone,) if war.alone else _leaders(state, armies),
        fled=tuple(avatar.id for avatar in defenders_of(state, war)),
        refuge=Place(x=refuge[0], y=refuge[1]) if refuge else None,
    )
    yield from pass_on_with_last_city(state, city.race, victors)


def nearest_free(state: State, city: City) -> At | None:
    """The land square without a city that is nearest in steps; ties: lowest y, then x. None on a map without one."""
    built = {(c.x, c.y) for c in state.cities.values()}
    free = [at for at, square in state.squares.items() if square.terrain not in WATER and at not in built]
    return min(free, key=lambda at: (steps((city.x, city.y), at), at[1], at[0]), default=None)


def steps(one: At, other: At) -> int:
    """How many steps over edges one square is from another (DW-SET-6)."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def side_of(war: War, seat: UUID) -> WarSide:
    """Which side a god is on who was asked what to commit."""
    return WarSide.ATTACKER if seat == war.attacker else WarSide.DEFENDER


def commitments(state: State, war: War, prompt: Prompt) -> tuple[Commitment, ...]:
    """What the sides that were asked had sealed."""
    return tuple(
        Commitment(
            side=side_of(war, UUID(owner.removeprefix("seat:"))),
            armies=tuple(map(UUID, json.loads(value))),
            salt=state.answers[prompt.id, owner].salt,
            digest=state.answers[prompt.id, owner].digest,
        )
        for owner, value in answers_to(state, prompt.id).items()
    )
