"""The live demo event as a list of commands: twelve greater gods, nine races, the Earth of 30 rows by 20 columns.

`games.demo` seats the players of `GODS` (name of the god -> his sphere) and plays the commands. Races stand close to
one another, so that there is contact, and war, within a century or two.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from games.engine.kernel import Command
from games.gods2.rules.century import OpenSession
from games.gods2.rules.fields import CardOf, Cell, CityAt, Held, Place, ShareOf
from games.gods2.rules.options import Gods2Options
from games.gods2.rules.setup import ConfigureGame, DefineGod, DefineRace, SetMap
from worlds.chart import EARTH_ATTRIBUTION, earth, write_letters

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

FEATURES: Mapping[tuple[int, int], tuple[str, ...]] = {
    (4, 2): ("mineral_resource",),
    (6, 4): ("fertile_land", "river"),
    (7, 4): ("fertile_land",),
    (10, 9): ("spreading_sands",),
    (6, 12): ("landmark",),
    (9, 14): ("mineral_resource",),
    (10, 13): ("volcano",),
    (7, 11): ("fertile_land", "river"),
    (6, 17): ("fertile_land",),
    (11, 14): ("defensible_location",),
    (3, 12): ("game_animals",),
    (13, 11): ("river",),
    (20, 7): ("fertile_land",),
    (16, 6): ("game_birds",),
    (22, 18): ("hot_spot",),
}
"""(row, column) -> features that we place; each fits the terrain of the 30 x 20 Earth."""


TITLE = "Era Centrum, live"
ATTRIBUTION = EARTH_ATTRIBUTION
BOT = "god"
PEOPLE = ("Gordrun", "Ashkar", "Ilsoire")
"""The gods whom people play."""


def options(century_seconds: int) -> Gods2Options:
    """The settings of the demo: short centuries, sessions that open by themselves."""
    return Gods2Options(century_seconds=century_seconds, auto_sessions=True)


def players() -> tuple[tuple[str, str], ...]:
    """The seats of the event: name, and the bot that plays it; "" for a person."""
    return (*((name, "") for name in PEOPLE), *((name, BOT) for name in GODS if name not in PEOPLE))


def opening() -> list[tuple[str, Command]]:
    """What is issued once the game has started: the GM opens the first session."""
    return [("gm", OpenSession())]


def commands(seats: Mapping[str, UUID], options: Gods2Options) -> list[tuple[str, Command]]:
    """The commands that set the event up, in their order, each with who issues it.

    seats: the player's seat of each god by his name.
    """
    setup: list[Command] = [ConfigureGame(options=options), _map(write_letters(earth()).split())]
    setup += [_god(seats[name], name, sphere) for name, sphere in GODS.items()]
    setup += _races({name: str(seat) for name, seat in seats.items()})
    return [("host", command) for command in setup]


def _map(terrain: Sequence[str]) -> SetMap:
    cells = tuple(
        Cell(terrain=letter, features=FEATURES.get((y, x), ()))
        for y, row in enumerate(terrain)
        for x, letter in enumerate(row)
    )
    return SetMap(width=len(terrain[0]), height=len(terrain), cells=cells)


def _god(seat: UUID, name: str, sphere: str) -> DefineGod:
    """Six cards of one sphere and 20 mana, as every greater god has at the start of the published game."""
    return DefineGod(seat=seat, name=name, cards=(CardOf(sphere=sphere, count=6),), amount=20)


def _race(
    name: str,
    gods: Mapping[str, int],
    units: Mapping[tuple[int, int], int],
    *,
    attributes: tuple[str, ...] = (),
    knowledges: tuple[str, ...] = (),
    cities: Sequence[tuple[int, int]] = (),
    seats: Mapping[str, str],
) -> DefineRace:
    """A race. gods: percent by god's name or special member. units: by (row, column)."""
    return DefineRace(
        name=name,
        attributes=attributes,
        knowledges=knowledges,
        pantheon=tuple(ShareOf(member=seats.get(god, god), share=percent * 100) for god, percent in gods.items()),
        placed=tuple(Held(square=Place(x=x, y=y), units=n) for (y, x), n in units.items()),
        cities=tuple(CityAt(square=Place(x=x, y=y)) for y, x in cities),
    )


CIVIL = ("tribal_law", "toolmaking", "agriculture", "civilization")


def _races(seats: Mapping[str, str]) -> list[Command]:
    """Nine peoples on three continents, on all three cultural levels."""
    return [
        _race(
            "Sandwalkers",
            {"Ashkar": 50, "Gordrun": 30, "Xixx": 20},
            {(10, 9): 2, (10, 10): 2, (11, 9): 2, (11, 10): 2, (12, 10): 1},
            attributes=("desert_race", "warlike"),
            knowledges=("tribal_law", "desert_survival", "fire_keeping", "toolmaking"),
            seats=seats,
        ),
        _race(
            "Riverlanders",
            {"Maribelle": 50, "Solenne": 30, "Verdane": 20},
            {(7, 10): 4, (7, 11): 5, (8, 11): 4, (6, 11): 4},
            attributes=("born_builders",),
            knowledges=(*CIVIL, "irrigation", "fishing", "writing"),
            cities=[(7, 11)],
            seats=seats,
        ),
        _race(
            "Ultra-Dwarves",
            {"Tekheth": 40, "Ashkar": 30, "Gordrun": 30},
            {(9, 13): 2, (9, 14): 2, (10, 14): 1, (8, 13): 2},
            attributes=("mountain_folk", "greedy"),
            knowledges=("tribal_law", "toolmaking", "fire_keeping", "pottery", "metalworking", "masonry"),
            seats=seats,
        ),
        _race(
            "Low Elves",
            {"Verdane": 40, "Ilsoire": 40, "Justinel": 20},
            {(5, 15): 3, (5, 16): 3, (6, 16): 4, (6, 17): 5, (5, 17): 3},
            attributes=("forest_folk", "long_lived"),
            knowledges=(*CIVIL, "writing", "law"),
            cities=[(6, 17)],
            seats=seats,
        ),
        _race(
            "Norsemen",
            {"Orrovai": 50, "Thalune": 30, "Gordrun": 20},
            {(3, 11): 2, (3, 12): 3, (4, 12): 2, (4, 11): 2},
            attributes=("warlike",),
            knowledges=("tribal_law", "toolmaking", "fishing", "boat_building"),
            seats=seats,
        ),
        _race(
            "Ash Cult",
            {"Morvane": 45, "Xixx": 40, "diabolism": 15},
            {(13, 10): 2, (13, 11): 2, (14, 10): 2},
            attributes=("fragile", "warlike"),
            knowledges=("tribal_law", "sacrificial_rites", "toolmaking", "archery", "desert_survival"),
            seats=seats,
        ),
        _race(
            "Plainsmen of the Dawn",
            {"Solenne": 55, "Justinel": 35, "atheism": 10},
            {(6, 3): 4, (6, 4): 5, (7, 3): 4, (7, 4): 5},
            attributes=("silver_tongued",),
            knowledges=(*CIVIL, "hunting_lore", "animal_husbandry"),
            cities=[(6, 4)],
            seats=seats,
        ),
        _race(
            "Hill Giants",
            {"Orrovai": 60, "Morvane": 40},
            {(4, 2): 1, (4, 3): 1, (3, 2): 1, (5, 4): 1},
            attributes=("giants",),
            knowledges=("hunting_lore",),
            seats=seats,
        ),
        _race(
            "Coast Folk",
            {"Thalune": 50, "Ilsoire": 30, "Tekheth": 20},
            {(8, 4): 1, (9, 4): 1, (9, 3): 1, (8, 3): 1},
            attributes=("small_folk", "prolific"),
            knowledges=("fishing",),
            seats=seats,
        ),
    ]
