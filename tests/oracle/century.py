"""One quiet century from its opening to the payment (section 6), and what gods earn in it (1.12, 1.13, 1.17)."""

from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.dice import Dice
from tests.oracle.earth import Earth, Race
from tests.oracle.gifts import LAND
from tests.oracle.growth import grow
from tests.oracle.war import declarations, fight

SPECIAL = ("atheism", "diabolism")


@dataclass(frozen=True)
class Factor:
    """What a god holds for a source (G2-MANA-1). when: century_end, event or era_end."""

    counter: str
    when: str
    factor: Fraction


@dataclass(frozen=True)
class Paid:
    """What a god earned, what is paid of it with what was carried, and what is carried on."""

    earned: Fraction
    amount: int
    carried: Fraction


@dataclass
class Report:
    """What the century came to."""

    wars: list[tuple[str, str, str]]
    """Attacker, defender, how it ended; in the order of fighting."""
    worshippers: dict[str, int]
    paid: dict[str, Paid]


def century(
    earth: Earth, dice: Dice, factors: dict[str, list[Factor]], carried: dict[str, Fraction], last: bool = False
) -> Report:
    """Steps 3 to 17 of a century without a god's act. last: whether it is the sixteenth (G2-MANA-7)."""
    for race in dice.shuffle("growth", earth.living()):
        grow(earth, race)
    wars = [(a, d, fight(earth, a, d, dice)) for a, d in declarations(earth, dice)]
    for race in earth.living():
        if earth.races[race].turmoil:
            _turmoil(earth.races[race], earth, dice)
    worshippers = {race: worship(earth, race) for race in earth.living()}
    paid = {}
    for god, held in factors.items():
        earned = sum((f.factor * count_of(earth, f, god, worshippers, last) for f in held), Fraction(0))
        whole = (carried[god] + earned).__floor__()
        paid[god] = Paid(earned, whole, carried[god] + earned - whole)  # G2-MANA-5
    return Report(wars, worshippers, paid)


def _turmoil(race: Race, earth: Earth, dice: Dice) -> None:
    """The die of a race in turmoil (G2-TURM-3 to 6); a god who is chosen declines."""
    die = dice.roll("turmoil", 6)
    if die <= 2:
        return
    members = sorted(race.shares, key=lambda m: (m in SPECIAL, m))
    chosen = dice.draw("member", members)
    if die <= 4:
        _expel(race, earth, chosen)
    elif chosen in SPECIAL:
        _expel(race, earth, dice.draw("victim", [m for m in members if m != chosen]))


def _expel(race: Race, earth: Earth, member: str) -> None:
    """The lost share goes to the others in proportion, by largest remainder (G2-TURM-6, G2-PAN-9)."""
    rest = {m: share for m, share in race.shares.items() if m != member}
    if member == "diabolism":
        earth.happen("diabolism_leaves")
    exact = {m: Fraction(10_000 * share, sum(rest.values())) for m, share in rest.items()}
    shares = {m: part.__floor__() for m, part in exact.items()}
    order = sorted(rest, key=lambda m: (-(exact[m] - shares[m]), -rest[m], m))
    for m in order[: 10_000 - sum(shares.values())]:
        shares[m] += 1
    race.shares = {m: share for m, share in shares.items() if share}
    if len(race.shares) == 1:
        race.turmoil = False  # G2-TURM-8


def worship(earth: Earth, race: str) -> int:
    """Effective worshippers: strength, 0 after any turmoil (G2-CALC-2, G2-TURM-2)."""
    who = earth.races[race]
    return 0 if who.turmoil or who.troubled else earth.strength(race)


def count_of(earth: Earth, source: Factor, god: str, worshippers: dict[str, int], last: bool) -> Fraction:
    """What a source counts (section 4.7)."""
    if source.when == "era_end" and not last:
        return Fraction(0)
    name, _, argument = source.counter.partition(":")
    living = [earth.races[race] for race in earth.living()]
    if name == "worshippers":
        return Fraction(sum(n * earth.races[r].shares.get(god, 0) for r, n in worshippers.items()), 10_000)
    if source.when == "event" or name == "wars_averted":
        return Fraction(earth.happened.get(source.counter, 0))
    match name:
        case "deaths":
            names = set(argument.split(","))
            found = sum(n for box, n in earth.boxes.items() if argument == "all" or names & set(box.split("+")))
        case "squares":
            found = sum(row.count(argument) for row in earth.terrain)
        case "empty_land":
            everywhere = ((r, c) for r, row in enumerate(earth.terrain) for c, here in enumerate(row) if here in LAND)
            found = sum(1 for square in everywhere if square not in earth.owner)
        case "cities":
            found = sum(1 for race in living for kind in race.cities.values() if kind == "city")
        case "great_cities":
            found = sum(1 for race in living for kind in race.cities.values() if kind == "great")
        case "wealth":
            found = sum(earth.number(race.key, "wealth") for race in living)
        case "knowledges_known":
            found = sum(len(race.knowledges) for race in living)
        case "knowledges_taught" | "orders_accepted":
            found = 0
        case "civilized_units":
            found = sum(earth.total(race.key) for race in living if race.level == "civilized")
        case "races_military_gte":
            found = sum(1 for race in living if earth.number(race.key, "military") >= int(argument))
        case "races_in_turmoil":
            found = sum(1 for race in living if race.turmoil or race.troubled)
        case "races_not_in_turmoil":
            found = sum(1 for race in living if not race.turmoil)
        case "races_without":
            found = sum(1 for race in living if argument not in race.shares)
        case "features":
            found = sum(1 for kinds in earth.features.values() if argument in kinds)
        case "unnamed_squares":
            found = len(earth.terrain) * len(earth.terrain[0])
        case _:
            raise KeyError(f"the rulebook has no counter {source.counter}")
    return Fraction(found)
