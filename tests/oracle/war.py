"""Aggression and wars (1.5, 1.16)."""

from heapq import heapify, heappop, heappush

from tests.oracle.dice import Dice
from tests.oracle.earth import Earth, Square, Units, ring
from tests.oracle.growth import Site, settle


def declarations(earth: Earth, dice: Dice) -> list[tuple[str, str]]:
    """Who attacks whom in this century, in the order of their wars (G2-AGG-3 to 6)."""
    wanted = []
    for race in earth.living():
        total = dice.roll(f"aggression {race}", 6) + earth.number(race, "aggression")
        wanted.append((race, 0 if total <= 4 else 1 if total <= 6 else 2 if total <= 8 else 3))
    declared = []
    for race, count in wanted:
        reached = earth.contacts(race) if count else []
        for _ in range(count if reached else 0):
            declared.append((race, dice.draw(f"target {race}", reached)))
    return dice.shuffle("wars", declared)


def fight(earth: Earth, attacker: str, defender: str, dice: Dice) -> str:
    """One war to its end (G2-WAR-18); how it ended: lapsed, averted, fought."""
    races = earth.races
    if races[attacker].extinct or races[defender].extinct:
        return "lapsed"
    if defender not in earth.contacts(attacker) and attacker not in earth.contacts(defender):
        return "lapsed"
    losses = _losses(earth, attacker, defender)
    for race, enemy, role in ((defender, attacker, "defender"), (attacker, defender, "attacker")):
        fears = losses[race] * 100 > 15 * earth.total(race)  # G2-DIP-3
        if not fears and "peaceful" not in races[race].attributes:
            continue
        die = dice.roll(f"diplomacy/{role}", 6)
        if die + earth.number(race, "diplomacy", role) - earth.number(enemy, "aggression") >= 6:  # G2-DIP-4
            earth.happen("wars_averted")
            return "averted"
    before = {race: earth.own(race) for race in (attacker, defender)}
    borders = {race: earth.reach(race) for race in (attacker, defender)}
    dead = {
        attacker: casualties(earth, before[attacker], before[defender], losses[attacker]),
        defender: casualties(earth, before[defender], before[attacker], losses[defender]),
    }
    for race in (attacker, defender):
        for square, count in dead[race].items():
            earth.put(race, square, before[race][square] - count)
    earth.die("war", losses[attacker] + losses[defender])
    for loser, winner in ((attacker, defender), (defender, attacker)):
        if losses[loser] > losses[winner] and 2 * losses[loser] >= 3 * losses[winner]:  # G2-WAR-5
            count = (losses[loser] - losses[winner]) // 2  # G2-WAR-6
            _flee(earth, loser, winner, before, borders[winner], dead[loser], count, dice)
            break
    earth.happen("war_fought")
    settle(earth, [attacker, defender])
    return "fought"


def _losses(earth: Earth, attacker: str, defender: str) -> dict[str, int]:
    """Units that each side loses (G2-WAR-2 to 4)."""
    military = {attacker: earth.number(attacker, "military", "attacker")}
    military[defender] = earth.number(defender, "military", "defender")
    found = {}
    for race, enemy in ((attacker, defender), (defender, attacker)):
        percent = max(0, 10 + military[enemy] - military[race])
        found[race] = min(ceil_of(percent * earth.strength(enemy), 100), earth.total(race))
    return found


def ceil_of(over: int, under: int) -> int:
    """A whole division, rounded up."""
    return -(-over // under)


def rings(earth: Earth, squares: Units, enemy: Units) -> dict[Square, int]:
    """The ring of each square about the nearest of the enemy's, found by walking outwards from the enemy."""
    if not enemy:
        return dict.fromkeys(squares, 0)
    found: dict[Square, int] = {}
    edge, visited, far = list(enemy), set(enemy), 0
    while edge and len(found) < len(squares):
        found.update((s, far) for s in edge if s in squares)
        further = []
        for square in edge:
            for other in earth.neighbours(square):
                if other not in visited:
                    visited.add(other)
                    further.append(other)
        edge, far = further, far + 1
    return found


def casualties(earth: Earth, units: Units, enemy: Units, losses: int) -> Units:
    """Where units die (G2-WAR-8)."""
    dead: Units = {}
    if not losses:
        return dead
    far = rings(earth, units, enemy)
    for near in sorted(set(far.values())):
        heap = [(0, -units[s], s) for s in units if far[s] == near]
        heapify(heap)
        while losses and heap:
            deaths, left, square = heappop(heap)
            dead[square], losses = deaths + 1, losses - 1
            if left + 1:
                heappush(heap, (deaths + 1, left + 1, square))
    return dead


def _flee(
    earth: Earth, loser: str, winner: str, before: dict[str, Units], border: set[Square], dead: Units, count: int,
    dice: Dice,
) -> None:  # fmt: skip
    """Squares are vacated, their units retreat, the winner moves in, cities fall (G2-WAR-9 to 14)."""
    if not count:
        return
    enemy, far = before[winner], rings(earth, before[loser], before[winner])
    beside = {s: sum(1 for t in earth.neighbours(s) if t in enemy) for s in before[loser]}
    order = sorted(before[loser], key=lambda s: (far[s], -dead.get(s, 0), -beside[s], s))
    leaving = order[:count]
    site = Site(earth, loser)
    room = {s: n - site.units.get(s, 0) for s, n in site.limits.items() if s not in leaving}
    standing = dict(site.units)
    for square in leaving:
        left = standing.pop(square, 0)
        for _ in range(left):
            open_to = [s for s, n in room.items() if n > 0]
            if not open_to:
                earth.die("starvation", 1)  # G2-WAR-11
                continue
            to = min(open_to, key=lambda s: (ring(square, s), s not in standing, -room[s], s))
            standing[to], room[to] = standing.get(to, 0) + 1, room[to] - 1
    earth.stand(loser, standing)
    taken = _move_in(earth, winner, leaving, before[winner], border)
    cities = earth.races[loser].cities
    for square in [s for s in leaving if s in cities]:
        kind = cities.pop(square)
        stays = square in taken and earth.races[winner].level == "civilized"  # G2-WAR-13
        if stays and dice.roll("city", 6) > earth.number(winner, "aggression"):  # G2-WAR-14
            earth.races[winner].cities[square] = kind
        else:
            earth.happen("city_destroyed")


def _move_in(earth: Earth, winner: str, leaving: list[Square], home: Units, border: set[Square]) -> set[Square]:
    """The vacated squares that the winner takes (G2-WAR-12, AMB-14); border: what bordered it before the war."""
    if earth.races[winner].level == "primitive":
        return set()
    taken: Units = {}
    left = {s: n for s, n in earth.own(winner).items() if s in home}
    for square in leaving:
        if square not in border:
            continue
        for _ in range(min(2, earth.limit(winner, square))):
            sources = [s for s, n in left.items() if n >= 2]
            if not sources:
                break
            source = min(sources, key=lambda s: (-left[s], ring(s, square), s))
            left[source] -= 1
            taken[square] = taken.get(square, 0) + 1
    for square, units in {**left, **taken}.items():
        earth.put(winner, square, units)
    return set(taken)
