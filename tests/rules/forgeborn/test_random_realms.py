"""Maps of drops at random, dropped and heaped, against the rulebook as plain loops; what always holds of a map.

Three hundred in the ordinary run; `FORGEBORN_MAPS=10000` tries the long form.
"""

import os
from itertools import combinations
from random import Random

import pytest

from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.drop import drop_dice
from games.forgeborn.rules.realm.edits import add_ruins, edit
from games.forgeborn.rules.realm.network import cut_off
from games.forgeborn.rules.realm.realm import FOREST, SETTLEMENTS, Realm
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import WayKind
from games.forgeborn.rules.state.sheet import MapDie, Point
from tests.rules.forgeborn.map_oracle import Book, crosses, passes
from tests.rules.forgeborn.maps import dice_from, heap, pair, roads, trails

MAPS = int(os.environ.get("FORGEBORN_MAPS", "300"))
SHEETS = (
    ForgebornOptions(),
    ForgebornOptions(width=100, height=100),
    ForgebornOptions(width=2000, height=100, dragon_fixed=30),
    ForgebornOptions(width=296, height=210),
)
STEPS = (1, 7, 15, 30, 50)
PARTS = 4


def drops(part: int) -> list[tuple[tuple[MapDie, ...], ForgebornOptions]]:
    """Every second one dropped by the service, every other heaped on a grid."""
    found = []
    for seed in range(part, MAPS, PARTS):
        random = Random(seed)
        options = random.choice(SHEETS)
        if seed // PARTS % 2:
            found.append((heap(random, random.choice(STEPS), options), options))
        else:
            found.append((tuple(fall.die for fall in drop_dice(dice_from(random), options)), options))
    return found


def xy(point: Point) -> tuple[int, int]:
    return point.x, point.y


def require_sound(realm: Realm) -> None:
    """What always holds: all hangs together, no Road crosses the range, the Forest has one way, a Trail."""
    sites = realm.by_key()
    assert cut_off("citadel", list(sites), [link.ends for link in realm.links]) == []
    assert len({link.ends for link in realm.links}) == len(realm.links)
    mountain_range = [(xy(part.a), xy(part.b)) for part in realm.range()]
    for link in realm.links:
        if link.kind is WayKind.ROAD:
            assert {sites[end].kind for end in link.ends} <= SETTLEMENTS
            a, b = (xy(sites[end].point) for end in link.ends)
            assert not any(crosses(a, b, *part) for part in mountain_range)
            thirds = [xy(site.point) for site in realm.sites if site.key not in link.ends and site.number < 3]
            assert not any(passes(point, a, b) for point in thirds if realm.winds)
    assert [link.kind for link in realm.links if FOREST in link.ends] == [WayKind.TRAIL]
    assert len(realm.ridges) == max(0, len(realm.mountains) - 1)


@pytest.mark.rule("FB-MAP-4", "FB-MAP-5", "FB-MAP-6", "FB-MAP-7", "FB-MAP-8", "FB-MAP-9", "FB-MAP-10")
@pytest.mark.rule("FB-MAP-11", "FB-MAP-12", "FB-MAP-13", "FB-MAP-14")
@pytest.mark.parametrize("part", range(PARTS))
def test_a_map_is_that_of_the_rulebook_read_aloud(part: int) -> None:
    for drop, options in drops(part):
        realm, book = build(drop, options), Book(drop, options.width, options.height, options.dragon_fixed)
        assert {site.die: site.power for site in realm.sites if site.key != FOREST} == book.power
        assert realm.by_key()["city"].die == book.city
        assert list(realm.mountains) == book.mountains
        assert sorted((ridge.a, ridge.b) for ridge in realm.ridges) == book.ridges
        assert {(ridge.a, ridge.b): [xy(bend) for bend in ridge.bends] for ridge in realm.ridges} == book.bends
        assert sorted(patch.dice for patch in realm.patches) == book.patches
        wood_ridges = sorted((ridge.a, ridge.b) for patch in realm.patches for ridge in patch.ridges)
        assert wood_ridges == book.wood_ridges
        assert realm.by_key()[FOREST].die == book.forest_point
        assert roads(realm) == sorted(book.roads)
        assert trails(realm) == sorted(book.trails)
        require_sound(realm)
        assert build(drop, options) == realm, "the same drop makes the same map"


@pytest.mark.rule("FB-MAP-3", "FB-RUI-2")
def test_edits_and_new_ruins_leave_every_place_within_reach() -> None:
    for drop, options in drops(0)[: MAPS // 20]:
        random = Random(str(drop))
        realm = build(drop, options)
        moved = {random.choice(drop).name: Point(random.randrange(options.width), random.randrange(options.height))}
        edited = edit(realm, moved, [], [])
        require_sound(edited)
        joined = {link.ends for link in edited.links}
        keys = [site.key for site in edited.sites if site.key != FOREST]
        free = [ends for ends in combinations(keys, 2) if ends not in joined]
        more = edit(edited, {}, [], [(*random.choice(free)[::-1], WayKind.ROAD)])
        assert len(more.links) == len(edited.links) + 1
        for _ in range(3):
            spot = Point(random.randrange(options.width), random.randrange(options.height))
            more = add_ruins(more, random.randint(1, 8), spot)
        assert cut_off("citadel", [site.key for site in more.sites], [link.ends for link in more.links]) == []
        assert [sum(f"ruins-{n}" in pair(more, link) for link in more.links) >= 1 for n in (3, 4, 5)] == [True] * 3


def test_whom_no_chain_of_links_reaches_is_cut_off() -> None:
    assert cut_off("a", ["a", "b", "c", "d", "e"], [("b", "a"), ("c", "b"), ("d", "e")]) == ["d", "e"]
    assert cut_off(1, [1, 2], []) == [2]
