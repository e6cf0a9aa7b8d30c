"""What bots wish of wonders and war, and what they answer in a war; whatever they wish, the rules accept."""

from uuid import UUID

from games.dawn.rules.bots.march_odds import WORTHWHILE, odds_of_march
from games.dawn.rules.command.arguments import Act, Args, Target
from games.dawn.rules.command.powers import CommandCity, CommandRace, as_race
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.schema_types import Asked, Place, Price, WonderKind, Works
from games.dawn.rules.state.state import State
from games.dawn.rules.war.commands import AttackAgain, CommitArmies, StandIn, StopWar, WaiveStandIn, able, present
from games.dawn.rules.war.events import war_of
from games.dawn.rules.war.march import own_armies, targets
from games.dawn.rules.wonders import WorkWonder
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Command

RULE = "bot"


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
    able_now = [command for command in fit if _possible(state, seat, command)]
    return tray.draw(f"{use}/which", able_now, RULE) if able_now else None


def _beatable(state: State, seat: UUID, armies: tuple[UUID, ...]) -> list[Target]:
    """Whom these armies may attack with fair odds; nobody where there are none."""
    every = targets(state, seat) if armies else []
    return [target for target in every if odds_of_march(state, seat, target, armies) >= WORTHWHILE]


def wreck(state: State, seat: UUID, tray: Tray) -> Command | None:
    """One time in four a wonder on one square, with what it may hit there."""
    use = f"bot/{seat}/{state.info.timers_set}/wreck"
    if state.balance(seat) < PRICES[Price.CATASTROPHE][state.course.age - 1] or tray.roll(use, 4, RULE) > 1:
        return None
    at = tray.draw(f"{use}/square", sorted(state.squares), RULE)
    places = [at, *sorted({(c.x, c.y) for c in state.cities.values()} | {(t.x, t.y) for t in state.territory.values()})]
    at = tray.draw(f"{use}/place", places, RULE)
    city, area = state.city_at(at), (Place(x=at[0], y=at[1]),)
    races = sorted(t.race for t in state.territory.values() if (t.x, t.y) == at)
    fit = [WorkWonder(kind=kind, squares=area, text="A sign.") for kind in WonderKind]
    fit.append(WorkWonder(kind=WonderKind.CATASTROPHE, squares=area, works=Works.RAVAGE))
    named = [(Works.KILL_AVATAR, a.id) for a in state.avatars_at(at)]
    named += [(Works.RAZE_CITY, city.id)] if city else []
    named += [(Works.EXTINGUISH_RACE, race) for race in races]
    for works, target in named:
        fit.append(WorkWonder(kind=WonderKind.CATASTROPHE, squares=area, works=works, targets=(target,)))
    return tray.draw(f"{use}/which", [command for command in fit if _possible(state, seat, command)], RULE)


def _possible(state: State, seat: UUID, command: CommandCity | CommandRace | WorkWonder) -> bool:
    try:
        command.check(state, Cast(seat))
    except Refused:
        return False
    return True


def in_war(state: State, seat: UUID, prompt: Prompt, coin: bool) -> Command | None:
    """What a bot answers in a war: an avatar if the coin says so, all it has or one, and on while it has two."""
    war = war_of(state, prompt)
    there = present(state, war, seat)
    match prompt.kind:
        case Asked.STAND_IN if coin:
            return StandIn(war=war.id, avatar=able(state, war, seat)[0])
        case Asked.STAND_IN:
            return WaiveStandIn(war=war.id)
        case Asked.COMMIT:
            return CommitArmies(war=war.id, armies=there if coin else there[:1])
        case Asked.CONTINUE:
            return AttackAgain(war=war.id) if coin or len(there) > 1 else StopWar(war=war.id)
    return None
