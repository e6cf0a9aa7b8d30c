"""The live demo event as a list of commands: twelve greater gods, twelve peoples, the Earth of 30 rows by 20 columns.

`games.workers.demo` seats the players of `GODS` (name of the god -> sphere) and plays the commands. Where the peoples
stand is in `demo_earth`. The first century goes by in the opening, so that a visitor finds named lands and cities, a
history of wars, and in the second century a war that waits. Bots stand in for the people until they play.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from django.conf import settings

from games.engine.kernel import Command
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.demo_earth import FEATURES, LANDS, PEOPLES, Inhabitants, Spot
from games.gods2.rules.bots.tempers import BY_SPHERE
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import ACTIVE
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf, Cell, CityAt, Held, Place, ShareOf, Target
from worlds.map_files import EARTH_ATTRIBUTION, earth, write_letters

Issued = tuple[str, Command]
GODS: Mapping[str, str] = {
    "Ashkar": "FE",
    "Verdane": "NA",
    "Thalune": "SE",
    "Orrovai": "SI",
    "Maribelle": "CW",
    "Tekheth": "CK",
    "Ilsoire": "LB",
    "Gordrun": "WA",
    "Xixx": "CH",
    "Morvane": "DE",
    "Justinel": "FJ",
    "Solenne": "LI",
}
"""The greater gods of the demo with their main spheres."""
LESSER_GOD, LESSER = "Xixx", CardOf(sphere="LS", count=2)
"""Who holds cards of the lesser spheres too, so that every power of the pack can be cast by somebody."""
MANA, SURPLUS = 20, 60
"""The mana of a god at the start; those of the elemental spheres come out of Creation with a large surplus."""
ELEMENTAL = ("FE", "NA", "SE", "SI")
TAUGHT = (("Thalune", "teach_boat_building", "Coast Folk"), ("Tekheth", "teach_masonry", "Riverlanders"))
"""What is taught in the first century: the god, the power, the people."""
WARMONGERS = ("Thalune", "Orrovai", "Verdane")
"""Gods with a surplus, of whom one declares the war that waits."""

TITLE = "Era Centrum, live"
PRACTICE: Mapping[str, int] = {}
ATTRIBUTION = EARTH_ATTRIBUTION
BOT = "god"
"""The policy that plays by the sphere of its god, where nobody names a temper."""
KEEPER = BOT
PEOPLE = ("Gordrun", "Ashkar", "Ilsoire")
"""The gods whom people play."""


def options(step_seconds: int) -> Gods2Options:
    """The settings of the demo: a century is a step, sessions open by themselves, previews where they are wanted."""
    return Gods2Options(century_seconds=step_seconds, auto_sessions=True, previews=settings.DEMO_PREVIEWS)


def players() -> tuple[tuple[str, str], ...]:
    """The seats of the event: name, and the temper of the bot that plays it; "" for a person."""
    bots = ((name, BY_SPHERE[sphere].name) for name, sphere in GODS.items() if name not in PEOPLE)
    return (*((name, "") for name in PEOPLE), *bots)


def opening(now: Callable[[], State]) -> Iterator[Issued]:
    """What is issued once the game has started: a century goes by, and the second begins with a war.

    now: the state as the commands before have left it.
    """
    yield "gm", OpenSession()
    yield from _name_places(now())
    yield from _go_on(now, 1)
    yield from _teach_peoples(now())
    yield from _go_on(now, 2)
    yield from _declare_war(now())


def _go_on(now: Callable[[], State], century: int) -> Iterator[Issued]:
    """The GM ends what goes on, step by step, until the gods of a century may act.

    Where the rules are shown beforehand they have their way.
    """
    while (state := now()).chapter < century or state.era.phase not in ACTIVE:
        shown = sorted(state.previews)
        yield "gm", AcceptPreview(prompt=shown[0]) if shown else EndNow()


def commands(seats: Mapping[str, UUID], options: Gods2Options) -> list[Issued]:
    """The commands that set the event up, in their order, each with who issues it.

    seats: the player's seat of each god by the god's name.
    """
    setup: list[Command] = [ConfigureGame(options=options), _map(write_letters(earth()).split())]
    setup += [_god(seats[name], name, sphere, elemental=sphere in ELEMENTAL) for name, sphere in GODS.items()]
    members = {name: str(seat) for name, seat in seats.items()}
    setup += [_race(people, members) for people in PEOPLES]
    return [("host", command) for command in setup]


def _map(terrain: Sequence[str]) -> SetMap:
    cells = tuple(
        Cell(terrain=letter, features=FEATURES.get((y, x), ()))
        for y, row in enumerate(terrain)
        for x, letter in enumerate(row)
    )
    return SetMap(width=len(terrain[0]), height=len(terrain), cells=cells)


def _god(seat: UUID, name: str, sphere: str, *, elemental: bool) -> DefineGod:
    """Six cards of one sphere, as in the published game; Xixx holds those of the lesser spheres beside."""
    cards = (CardOf(sphere=sphere, count=6), *((LESSER,) if name == LESSER_GOD else ()))
    return DefineGod(seat=seat, name=name, cards=cards, amount=SURPLUS if elemental else MANA)


def _race(people: Inhabitants, members: Mapping[str, str]) -> DefineRace:
    return DefineRace(
        name=people.name,
        attributes=tuple(people.attributes),
        knowledges=tuple(people.knowledges),
        pantheon=tuple(ShareOf(member=members.get(god, god), share=p * 100) for god, p in people.pantheon.items()),
        placed=tuple(Held(square=_place(spot), units=n) for spot, n in people.units.items()),
        cities=tuple(CityAt(square=_place(spot)) for spot in people.cities),
    )


def _place(spot: Spot) -> Place:
    return Place(x=spot[1], y=spot[0])


def _name_places(state: State) -> Iterator[Issued]:
    """The GM names lands, and the cities that stood before the first century."""
    for name, spots in LANDS.items():
        yield "gm", NamePlace(kind="land", squares=tuple(_place(spot) for spot in spots), name=name)
    names = {_place(spot).square: name for people in PEOPLES for spot, name in people.cities.items()}
    for city in state.cities.values():
        yield "gm", NamePlace(kind="city", subject=city.id, name=names[city.square])


def _teach_peoples(state: State) -> Iterator[Issued]:
    """Gods whom nobody plays teach peoples."""
    ids = {race.name: race.id for race in state.living()}
    for god, power, name in TAUGHT:
        if name in ids and god not in PEOPLE:
            yield god, CastPower(power=power, targets=(Target(race=ids[name]),), signed=True)


def _declare_war(state: State) -> Iterator[Issued]:
    """The first of the warmongers who has a people in contact with one of strangers sends it to war."""
    at_war = {frozenset((war.attacker, war.defender)) for war in waiting(state)}
    seats = {god.name: seat for seat, god in state.gods.items()}
    for god in WARMONGERS:
        for race in state.living():
            for other in contacts(state, race.id) if (race.id, str(seats[god])) in state.shares else ():
                if (other, str(seats[god])) not in state.shares and frozenset((race.id, other)) not in at_war:
                    yield god, DeclareWar(attacker=race.id, defender=other, signed=True)
                    return
