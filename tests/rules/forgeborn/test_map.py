"""The map before it is accepted, and the names of places (FB-MAP-3, FB-MAP-15)."""

from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.kernel import Actor, Issuer, require_issuer
from games.engine.lifecycle.seating import HandOver
from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.events import DieDropped, MapDieEntered
from games.forgeborn.rules.realm.rows import realm_of
from games.forgeborn.rules.setup.commands import AcceptMap, DropDice, EditMap, EnterMap
from games.forgeborn.rules.setup.events import MapAccepted, MapBuilt, MapEdited, SmithsOpened
from games.forgeborn.rules.setup.values import MovedDie, NewWay, WayEnds
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import PlaceKind, Step, WayKind
from games.forgeborn.rules.story.commands import NamePlace
from games.forgeborn.rules.story.events import PlaceNamed
from tests.playbook import Playbook, event_like, refused
from tests.rules.forgeborn.lobby import entries, lobby, of_kind, on_map_a, started
from tests.rules.forgeborn.maps import MAP_A, changed, faces, roads, trails
from tests.rules.forgeborn.table import GM, GM_SEAT, HOST, NO_REFEREE, S1, S2, playing

TABLE = '{"drop":"table"}'
REAL = ForgebornOptions(drop="table")
ROAD, TRAIL = WayKind.ROAD, WayKind.TRAIL
LAIR, CITADEL, CITY = PlaceKind.LAIR, PlaceKind.CITADEL, PlaceKind.CITY
VILLAGE, FOREST = PlaceKind.VILLAGE, PlaceKind.FOREST


def at(book: Playbook, kind: PlaceKind, number: int = 0) -> UUID:
    return book.state.place_of_kind(kind, number).id


def ends(book: Playbook, *kinds: PlaceKind | tuple[PlaceKind, int]) -> WayEnds:
    one, other = (at(book, *kind) if isinstance(kind, tuple) else at(book, kind) for kind in kinds)
    return WayEnds(from_=one, to=other)


@pytest.mark.rule("FB-EX-75", "FB-MAP-3")
def test_a_real_drop_lies_on_the_sheet_and_may_lie_close() -> None:
    book = started(S1, S2, options=TABLE)
    with refused("point.off_sheet", book.state):
        book.when(EnterMap(entries=entries(changed(MAP_A, d12=(297, 20)))), by=GM)
    close = changed(MAP_A, d6e=(272, 152), d6d=(275, 152))
    happened = book.when(EnterMap(entries=entries(close)), by=GM)
    assert [event.die for event in of_kind(happened, MapDieEntered)] == [die.name for die in MAP_A]
    assert len(of_kind(happened, MapBuilt)) == 1
    assert realm_of(book.state) == build(close, REAL)
    with refused("reason.missing", book.state):
        book.when(EditMap(moves=(MovedDie(die="d12", x=30, y=30),)), by=GM)
    trail = next(way for way in book.state.ways.values() if at(book, LAIR) in (way.a, way.b))
    with refused("map.disconnected", book.state):
        book.when(EditMap(remove=(WayEnds(from_=trail.a, to=trail.b),), reason="so"), by=GM)
    assert book.state.course.step is Step.MAP


@pytest.mark.rule("FB-MAP-3")
def test_a_real_drop_has_the_fifteen_dice_in_order_with_faces_that_they_have() -> None:
    book = started(S1, S2, options=TABLE)
    for wrong in (entries(MAP_A)[:-1], (*entries(MAP_A), entries(MAP_A)[-1]), tuple(reversed(entries(MAP_A)))):
        with refused("map.incomplete", book.state):
            book.when(EnterMap(entries=wrong), by=GM)
    with refused("die.range", book.state):
        book.when(EnterMap(entries=entries(faces(MAP_A, d4a=5))), by=GM)
    book.when(EnterMap(entries=entries(MAP_A)), by=HOST)
    for command in (EnterMap(entries=entries(MAP_A)), DropDice()):
        with refused("map.dropped", book.state):
            book.when(command, by=GM)


@pytest.mark.rule("FB-MAP-3")
def test_with_a_drop_by_the_service_nothing_is_entered() -> None:
    book = started(S1, S2)
    for command in (EnterMap(entries=entries(MAP_A)), DropDice()):
        with refused("map.dropped", book.state):
            book.when(command, by=GM)


@pytest.mark.rule("FB-MAP-3", "FB-GM-2")
def test_the_service_drops_for_the_table_when_it_is_asked_to_or_nobody_answers() -> None:
    book = started(S1, S2, options=TABLE)
    for command in (AcceptMap(), EditMap(reason="so")):
        with refused("map.incomplete", book.state):
            book.when(command, by=GM)
    assert len(of_kind(book.when(DropDice(), by=HOST), DieDropped)) == 15
    silent = started(S1, S2, options=TABLE)
    happened = silent.wait(timedelta(minutes=10))
    assert [type(event) for event in of_kind(happened, DieDropped, MapBuilt, MapAccepted, SmithsOpened)] == [
        *[DieDropped] * 15, MapBuilt, MapAccepted, SmithsOpened,
    ]  # fmt: skip
    assert silent.state.course.step is Step.SMITHS


@pytest.mark.rule("FB-MAP-3")
def test_silence_accepts_the_map_as_it_is_built_and_edited() -> None:
    book = on_map_a(S1, S2)
    book.when(
        EditMap(
            remove=(ends(book, CITADEL, CITY),),
            add=(NewWay(from_=at(book, VILLAGE, 3), to=at(book, CITY), kind=ROAD),),
            reason="nicer",
        ),
        by=HOST,
    )
    ways = dict(book.state.ways)
    happened = book.wait(timedelta(minutes=10))
    assert not of_kind(happened, DieDropped, MapBuilt)
    assert (book.state.course.step, dict(book.state.ways)) == (Step.SMITHS, ways)


@pytest.mark.rule("FB-EX-91", "FB-MAP-3", "FB-AMB-61")
def test_moved_dice_build_the_map_anew_and_earlier_edits_are_gone() -> None:
    book = on_map_a(S1, S2)
    added = {"from": str(at(book, VILLAGE, 3)), "to": str(at(book, CITY)), "kind": "road"}
    command = EditMap.model_validate({"remove": [ends(book, CITADEL, CITY)], "add": [added], "reason": "nicer"})
    happened = book.when(command, by=GM)
    assert [type(event) for event in of_kind(happened, MapEdited, MapBuilt)] == [MapEdited, MapBuilt]
    realm = realm_of(book.state)
    assert ("d10", "d8a") not in roads(realm)
    assert ("d4c", "d8a") in roads(realm), "across the range, a Road too"
    assert violations(book.state) == []
    book.when(EditMap(moves=(MovedDie(die="d10", x=40, y=190),), reason="it lay there"), by=GM)
    moved = build(changed(MAP_A, d10=(40, 190)), REAL)
    assert realm_of(book.state) == moved
    assert (roads(moved), ("d4b", "d4c") in trails(moved)) == (
        [("d10", "d4b"), ("d4a", "d4b"), ("d4a", "d8a"), ("d4c", "d4d")], True,
    )  # fmt: skip
    assert (book.state.dice["d10"].x, book.state.dice["d10"].is_entered) == (40, True)


@pytest.mark.rule("FB-MAP-3")
@pytest.mark.parametrize("case", ["no way", "there", "forest", "nowhere", "off the sheet"])
def test_an_edit_that_does_not_fit_is_refused(case: str) -> None:
    book = on_map_a(S1, S2)
    lair, city, citadel = at(book, LAIR), at(book, CITY), at(book, CITADEL)
    village, forest = at(book, VILLAGE, 1), at(book, FOREST)
    code, command = {
        "no way": ("route.missing", EditMap(remove=(WayEnds(from_=lair, to=city),), reason="so")),
        "there": ("route.exists", EditMap(add=(NewWay(from_=city, to=citadel, kind=TRAIL),), reason="so")),
        "forest": ("route.exists", EditMap(add=(NewWay(from_=forest, to=village, kind=TRAIL),), reason="so")),
        "nowhere": ("place.missing", EditMap(remove=(WayEnds(from_=lair, to=UUID(int=9)),), reason="so")),
        "off the sheet": ("point.off_sheet", EditMap(moves=(MovedDie(die="d12", x=0, y=210),), reason="so")),
    }[case]
    with refused(code, book.state):
        book.when(command, by=GM)


@pytest.mark.rule("FB-MAP-3")
def test_an_accepted_map_is_edited_no_more_and_players_do_not_edit() -> None:
    book = on_map_a(S1, S2)
    with refused("issuer.other"):
        require_issuer(EditMap(reason="so"), Actor(Issuer.SEAT, seat=S1))
    book.when(AcceptMap(), by=HOST)
    with refused("phase.closed", book.state):
        book.when(EditMap(reason="so"), by=GM)


@pytest.mark.rule("FB-EX-102", "FB-MAP-15")
def test_a_name_of_a_place_is_used_once() -> None:
    book = on_map_a(S1, S2)
    second, third = at(book, VILLAGE, 2), at(book, VILLAGE, 3)
    happened = book.when(NamePlace(place=second, name="Hele"), by=GM)
    assert happened == [event_like(PlaceNamed, place=second, name="Hele")]
    assert book.state.places[second].name == "Hele"
    for taken in ("hele", "Village 2", "ruins 2", "Ruins 7"):
        with refused("name.taken", book.state):
            book.when(NamePlace(place=third, name=taken), by=GM)
    book.when(NamePlace(place=second, name="village 2"), by=GM)
    with refused("place.missing", book.state):
        book.when(NamePlace(place=UUID(int=9), name="Nowhere"), by=GM)
    with refused("place.missing"):
        lobby(S1, S2).when(NamePlace(place=UUID(int=9), name="Nowhere"), by=GM)


@pytest.mark.rule("FB-MAP-15")
def test_names_and_ids_stay_with_their_places_when_the_map_is_built_anew() -> None:
    book = on_map_a(S1, S2)
    plain = {place.name for place in book.state.places.values()}
    assert plain == {
        "Lair of the Dragon", "Citadel of the Forge", "City of the Prince", "Village 1", "Village 2", "Village 3",
        "Village 4", "Ruins 1", "Ruins 2", "Forest",
    }  # fmt: skip
    for place, name in ((at(book, VILLAGE, 2), "Hele"), (at(book, CITY), "Bandi")):
        book.when(NamePlace(place=place, name=name), by=GM)
    before = {place.id: (place.kind, place.number, place.name) for place in book.state.places.values()}
    book.when(EditMap(moves=(MovedDie(die="d8a", x=5, y=200), MovedDie(die="d4b", x=5, y=5)), reason="so"), by=GM)
    after = {place.id: (place.kind, place.number, place.name) for place in book.state.places.values()}
    assert before == after


@pytest.mark.rule("FB-MAP-15")
def test_the_host_names_places_where_nobody_is_the_game_master() -> None:
    book = playing(S1, S2, options=NO_REFEREE)
    named = NamePlace(place=at(book, CITY), name="Bandi")
    with refused("issuer.other", book.state):
        book.when(named, by=HOST)
    book.when(HandOver(seat=GM_SEAT, reason="none here"), by=GM)
    book.when(named, by=HOST)
    assert book.state.place_of_kind(CITY).name == "Bandi"
