"""What bots wish of wonders and war, and what they answer in a war; whatever they wish, the rules accept."""

from collections.abc import Iterator
from uuid import UUID

from games.dawn.rules.bots.march_odds import WORTHWHILE, odds_of_march
from games.dawn.rules.command.arguments import Act, Args, Target
from games.dawn.rules.command.commands import CommandCity, CommandRace, as_race
from games.dawn.rules.powers.frame import Cast, PowerRules
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.schema_types import Place, Price, WonderKind, Works
from games.dawn.rules.state.state import At, State
from games.dawn.rules.war.commands import AttackAgain, CommitArmies, StandIn, StopWar, WaiveStandIn, able, present
from games.dawn.rules.war.march import own_armies, targets
from games.dawn.rules.war.rules import war_of
from games.dawn.rules.wonders.commands import WorkWonder
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look

SIGNS = 4
"""Of so many wonders for which there is nothing to hit one is a deed; the others are not worked."""


def attack(state: State, seat: UUID, tray: Tray) -> Command | None:
    """Every other time all armies of a city or of a race, against whom they are likely enough to beat and can reach."""
    use = f"bot/{seat}/{state.info.timers_set}/attack"
    by_city, by_race = (PRICES[row][state.course.age - 1] for row in (Price.COMMAND_CITY, Price.COMMAND_RACE))
    if state.balance(seat) < by_city or tray.roll(use, 2, RULE) == 1:
        return None
    fit: list[CommandCity | CommandRace] = []
    for race in state.living_races() if state.balance(seat) >= by_race else ():
        armies = tuple(army.id for army in own_armies(state, seat, as_race(state, race).armies))
        for target in _beatable(state, seat, armies):
            fit.append(CommandRace(race=race.id, act=Act.WAR, args=Args(target=target, armies=armies)))
    for city in sorted(state.cities.values(), key=lambda c: c.id):
        armies = tuple(army.id for army in state.armies_in(city.id)) if city.controller == seat else ()
        for target in _beatable(state, seat, armies):
            fit.append(CommandCity(city=city.id, act=Act.WAR, args=Args(target=target, armies=armies)))
    able_now = [command for command in fit if is_possible(state, seat, command)]
    return tray.draw(f"{use}/which", able_now, RULE) if able_now else None


def _beatable(state: State, seat: UUID, armies: tuple[UUID, ...]) -> list[Target]:
    """Whom these armies may attack with fair odds; nobody where there are none."""
    every = targets(state, seat) if armies else []
    return [target for target in every if odds_of_march(state, seat, target, armies) >= WORTHWHILE]


def wreck(state: State, seat: UUID, tray: Tray) -> Command | None:
    """One time in four a catastrophe on one square, if something of others is hit there; where not, seldom a deed."""
    use = f"bot/{seat}/{state.info.timers_set}/wreck"
    if state.balance(seat) < PRICES[Price.CATASTROPHE][state.course.age - 1] or tray.roll(use, 4, RULE) > 1:
        return None
    peopled = {(c.x, c.y) for c in state.cities.values()} | {(t.x, t.y) for t in state.territory.values()}
    walked = {(a.x, a.y) for a in state.avatars.values() if a.alive}
    places = sorted(peopled | walked) or sorted(state.squares)
    at = tray.draw(f"{use}/place", places, RULE)
    area = (Place(x=at[0], y=at[1]),)
    harm = [
        WorkWonder(kind=WonderKind.CATASTROPHE, squares=area, works=works, targets=targets)
        for works, targets in _prey(state, seat, at)
    ]
    fit = [command for command in harm if is_possible(state, seat, command)]
    if fit:
        return tray.draw(f"{use}/which", fit, RULE)
    if tray.roll(f"{use}/sign", SIGNS, RULE) > 1:
        return None
    return WorkWonder(kind=tray.draw(f"{use}/kind", tuple(WonderKind), RULE), squares=area, text="A sign.")


def _prey(state: State, seat: UUID, at: At) -> Iterator[tuple[Works, tuple[UUID, ...]]]:
    """What of others' a catastrophe may hit on a square."""
    city = state.city_at(at)
    if city is not None and city.controller != seat:
        yield Works.RAZE_CITY, (city.id,)
        if state.armies_in(city.id):
            yield Works.RAVAGE, ()
    for avatar in state.avatars_at(at):
        if avatar.owner != seat:
            yield Works.KILL_AVATAR, (avatar.id,)
    for race in sorted(t.race for t in state.territory.values() if (t.x, t.y) == at):
        if seat not in state.races[race].creators:
            yield Works.EXTINGUISH_RACE, (race,)


def is_possible(state: State, seat: UUID, command: PowerRules) -> bool:
    """Whether the rules accept what a bot wishes."""
    try:
        command.check(state, Cast(seat))
    except Refused:
        return False
    return True


def stand_in(look: Look[State], prompt: Prompt) -> Command:
    """An avatar, if the coin says so."""
    war = war_of(look.state, prompt)
    stands = look.coin(prompt)
    return StandIn(war=war.id, avatar=able(look.state, war, look.seat)[0]) if stands else WaiveStandIn(war=war.id)


def commit(look: Look[State], prompt: Prompt) -> Command:
    """All armies that are there, or one."""
    war = war_of(look.state, prompt)
    there = present(look.state, war, look.seat)
    return CommitArmies(war=war.id, armies=there if look.coin(prompt) else there[:1])


def go_on(look: Look[State], prompt: Prompt) -> Command:
    """While it has two armies, else if the coin says so."""
    war = war_of(look.state, prompt)
    goes_on = len(present(look.state, war, look.seat)) > 1 or look.coin(prompt)
    return (AttackAgain if goes_on else StopWar)(war=war.id)
