"""What bots wish of peoples: to create a race, to let one branch off, to raise one.

A wish names a command that the rules accept, or none. Each is thrown for, so that a turn comes to its end.
"""

from uuid import UUID

from games.dawn.rules.bots.naming import PEOPLES, fresh_name
from games.dawn.rules.land.shaping import at_home_on_water
from games.dawn.rules.races.commands import CoCreator, CreateRace, UpgradeRace
from games.dawn.rules.races.subrace_commands import CreateSubrace
from games.dawn.rules.state.constants import PRICES, TIERS, WATER
from games.dawn.rules.state.records import Race
from games.dawn.rules.state.schema_types import Place, Price
from games.dawn.rules.state.state import At, State
from games.engine.dice import Tray
from games.engine.kernel import Command

RULE = "bot"


def create(state: State, seat: UUID, tray: Tray) -> Command | None:
    """A race on land, alone or with another, if it has created none that lives; else a subrace, or a tier for one."""
    price = PRICES[Price.CREATE_RACE][state.course.age - 1]
    own = [race for race in state.living_races() if seat in race.creators]
    land = sorted(at for at, square in state.squares.items() if square.terrain not in WATER)
    if not own and land and state.balance(seat) >= price:
        home = tray.draw(_use(state, seat, "home"), land, RULE)
        name = fresh_name(state, seat, PEOPLES)
        return CreateRace(name=name, home=_place(home), co_creators=_partner(state, seat, price, tray))
    if not own or tray.roll(_use(state, seat, "create"), 3, RULE) > 1:
        return None
    race = tray.draw(_use(state, seat, "race"), own, RULE)
    raised = UpgradeRace(race=race.id) if race.tier != TIERS[-1] and state.balance(seat) >= price else None
    branch = _subrace(state, seat, race, land, tray)
    fit = [command for command in (branch, raised) if command is not None]
    return tray.draw(_use(state, seat, "which"), fit, RULE) if fit else None


def _partner(state: State, seat: UUID, price: int, tray: Tray) -> tuple[CoCreator, ...]:
    """One time in three another god who would pay a third of the price."""
    able = [god for god in state.partners(seat) if state.balance(god) >= price // 3]
    if not able or tray.roll(_use(state, seat, "alone"), 3, RULE) > 1:
        return ()
    return (CoCreator(seat=tray.draw(_use(state, seat, "partner"), able, RULE), share=price // 3),)


def _subrace(state: State, seat: UUID, race: Race, land: list[At], tray: Tray) -> CreateSubrace | None:
    """A people that branches off a race, now and then off another one too."""
    homes = sorted(at for at in state.land_of(race.id) if at in land or at_home_on_water(state, race.id))
    if not homes or state.balance(seat) < PRICES[Price.CREATE_SUBRACE][state.course.age - 1]:
        return None
    others = [other.id for other in state.living_races() if other.id != race.id]
    mixed = bool(others) and tray.roll(_use(state, seat, "mixed"), 3, RULE) == 1
    parents = (race.id, tray.draw(_use(state, seat, "other"), others, RULE)) if mixed else (race.id,)
    home = tray.draw(_use(state, seat, "branch"), homes, RULE)
    return CreateSubrace(name=fresh_name(state, seat, PEOPLES), parents=parents, home=_place(home))


def _use(state: State, seat: UUID, what: str) -> str:
    return f"bot/{seat}/{state.info.timers_set}/{what}"


def _place(at: At) -> Place:
    return Place(x=at[0], y=at[1])
