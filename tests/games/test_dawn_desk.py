"""The set-up of Dawn, pauses, and the corrections of a game-master."""

import json
from datetime import timedelta
from typing import Any

import pytest

from games.dawn import models as own
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.models import Timer
from tests.games.dawn import World, alteration, begin, command, peopled_world, record_named, setting_up
from tests.games.moments import rewind_to
from worlds.models import Army, City

pytestmark = pytest.mark.django_db


@pytest.mark.rule("DW-SET-3", "DW-SET-4")
def test_the_map_is_drawn_anew_until_the_start_and_rewinding_gives_the_former_one() -> None:
    here = setting_up()
    world = here.game.world
    assert (world.width, world.height, world.squares.count()) == (8, 6, 48)
    to = here.game.seq
    cells = [{"terrain": "forest", "climate": "cold", "fantastic": n == 3} for n in range(20)]
    here.run(command("set-map", width=5, height=4, cells=cells))
    world.refresh_from_db()
    assert (world.width, world.height, world.squares.count()) == (5, 4, 20)
    third = own.SquareSheet.objects.get(square__world=world, square__x=3, square__y=0)
    assert (third.square.terrain, third.climate, third.fantastic, third.shaped_by) == ("forest", "cold", True, None)
    here.rows_agree()
    here.run(rewind_to(here.id, to, "The old map was better."), "gm")
    world.refresh_from_db()
    assert (world.width, world.height, set(world.squares.values_list("terrain", flat=True))) == (8, 6, {"ocean"})
    here.rows_agree()


@pytest.mark.rule("DW-SET-8")
def test_a_seat_without_a_god_at_the_deadline_is_dropped_and_with_too_few_the_game_closes() -> None:
    here = setting_up()
    for name in ("ann", "bob"):
        here.run(command("define-god", name=name.title(), portfolio=["rivers"], moral="neutral"), name)
    here.fire()
    assert here.events_of("SeatDropped") == [{"seat": str(here.seats["cat"])}]
    assert own.Course.objects.get(game=here.id).step == "turn"
    here.rows_agree()
    other = setting_up()
    other.fire()
    assert (other.game.status, own.Course.objects.get(game=other.id).step) == ("finished", "finished")
    other.rows_agree()


@pytest.mark.rule("DW-SET-8")
def test_a_rewind_to_the_set_up_lets_a_dropped_seat_play_again() -> None:
    here = setting_up()
    for name in ("ann", "bob"):
        here.run(command("define-god", name=name.title(), portfolio=["rivers"], moral="neutral"), name)
    to, cat = here.game.seq, here.seats["cat"]
    here.fire()
    assert here.state.seats[cat].role is Role.OBSERVER
    here.run(rewind_to(here.id, to, "Cat was on the stairs."), "gm")
    assert here.state.seats[cat].role is Role.PLAYER
    here.rows_agree()
    here.run(command("define-god", name="Cat", portfolio=["rivers"], moral="neutral"), "cat")
    here.rows_agree()


def test_a_pause_preserves_the_remaining_time_of_a_turn() -> None:
    here = begin()
    due = Timer.objects.get(game=here.id, key__startswith="prompt:").due
    here.now += timedelta(seconds=30)
    here.run(Pause(reason="Tea."))
    here.now += timedelta(hours=1)
    here.run(Resume())
    assert Timer.objects.get(game=here.id, key__startswith="prompt:").due == due + timedelta(hours=1)
    here.rows_agree()


AT_ONE = "1/1"
WRONG: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("courses", "", {"age": "4"}),
    ("courses", "", {"round": "6"}),
    ("courses", "", {"length": "11"}),
    ("courses", "", {"seats": "11"}),
    ("courses", "", {"width": "9"}),
    ("courses", "", {"step": '"finished"'}),
    ("courses", "", {"step": '"setup"'}),
    ("courses", "", {"active": "null"}),
    ("courses", "", {"rounds": "-1"}),
    ("courses", "", {"edges": "40000"}),
    ("gods", "ann", {"name": '"Great bob"'}),
    ("gods", "ann", {"name": '"' + 81 * "x" + '"'}),
    ("purses", "ann", {"balance": "-1"}),
    ("purses", "ann", {"balance": "1000"}),
    ("squares", AT_ONE, {"floating": "true"}),
    ("squares", AT_ONE, {"shaped_by": '"00000000-0000-4000-8000-000000000001"'}),
    ("squares", AT_ONE, {"region": '"00000000-0000-4000-8000-000000000001"'}),
    ("squares", AT_ONE, {"terrain": '"cheese"'}),
    ("races", "Elves", {"alignment": "3"}),
    ("races", "Elves", {"x": "8"}),
    ("races", "Elves", {"life": '"extinct"'}),
    ("races", "Elves", {"name": '"Dwarves"'}),
    ("cities", "Oakhold", {"x": "3"}),
    ("cities", "Oakhold", {"raised": "3"}),
    ("cities", "Oakhold", {"controller": "null"}),
    ("cities", "Oakhold", {"saved_by": '["00000000-0000-4000-8000-000000000001"]'}),
    ("orders", "Weavers", {"age": "4"}),
    ("orders", "Weavers", {"owners": '["00000000-0000-4000-8000-000000000001"]'}),
    ("avatars", "Horn", {"y": "6"}),
    ("avatars", "Horn", {"killed_by": '"00000000-0000-4000-8000-000000000001"'}),
)


def row_named(here: World, table: str, name: str) -> str:
    """The key of a row: of the course, of a seat's, of one with a name, or of a square."""
    if table == "courses":
        return str(here.id)
    if name in here.seats:
        return str(here.seats[name])
    return name if "/" in name else str(record_named(getattr(here.state, table), name).id)


def test_a_correction_that_cannot_be_is_refused_and_nothing_has_changed() -> None:
    here = peopled_world()
    before = here.game.seq
    for table, name, values in WRONG:
        with pytest.raises(Refused) as refused:
            here.run(alteration(table, row_named(here, table, name), **values), "gm")
        assert (refused.value.code, here.game.seq) == ("amend.invalid", before), (table, values)
    here.rows_agree()


def creation(table: str, row: str, **values: Any) -> Change:
    """A new row."""
    found = tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in values.items())
    return Change(deed=Deed.CREATE, table=table, row=row, fields=found)


def test_a_game_master_moves_a_city_and_its_armies_stand_where_it_stands() -> None:
    here = peopled_world()
    city = record_named(here.state.cities, "Oakhold")
    here.run(alteration("cities", str(city.id), y="2"), "gm")
    moved = here.game.world.square_id(1, 2)
    assert City.objects.get(pk=city.id).square_id == moved
    assert set(Army.objects.filter(city=city.id).values_list("square_id", flat=True)) == {moved}
    edge = creation("edges", f"{city.id}/songs", target=str(city.id), name="songs", kind="other", tags=[], given=9)
    land = creation("territory", f"{city.race}/0/0", race=str(city.race), x=0, y=0)
    here.run(Amend(changes=(edge, land), reason="Forgotten."), "gm")
    assert own.Edge.objects.get(name="songs").city_id == city.id
    assert own.Territory.objects.filter(race=city.race, square__x=0, square__y=0).exists()
    gone = Change(deed=Deed.DELETE, table="territory", row=f"{city.race}/0/0")
    here.run(Amend(changes=(gone,), reason="Too much."), "gm")
    assert not own.Territory.objects.filter(race=city.race, square__x=0, square__y=0).exists()
    here.rows_agree()
