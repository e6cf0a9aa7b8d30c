"""The colour of a race is fixed: it is given once, apart from the others, and no later race changes it."""

from uuid import UUID

import pytest

from worlds.drawing.legend import legend
from worlds.drawing.map_view import MapPlan, PlanRace
from worlds.models import Race

pytestmark = pytest.mark.django_db


def paint_races(world):
    Race.objects.filter(world=world).paint()
    return dict(Race.objects.filter(world=world).values_list("name", "colour"))


def test_a_later_race_changes_no_colour_whatever_its_id(small):
    for number in range(5, 12):
        Race.objects.create(id=UUID(int=number * 7919), world=small, name=f"Race {number}")
    before = paint_races(small)
    for number in range(1, 5):
        Race.objects.create(id=UUID(int=number), world=small, name=f"Race {number}")
        after = paint_races(small)
        assert before.items() <= after.items()
        before = after
    assert len(set(before.values())) == len(before) == 11


def test_a_chosen_colour_is_left_as_it_is(small):
    Race.objects.create(world=small, name="Reds", colour="#ff0000")
    Race.objects.create(world=small, name="Others")
    assert paint_races(small)["Reds"] == "#ff0000"
    assert paint_races(small)["Others"] not in ("", "#ff0000")


def test_the_legend_counts_extinct_races_and_does_not_list_them():
    races = [PlanRace(UUID(int=1), "Elves", "#112233", 4)]
    races += [PlanRace(UUID(int=n), f"Lost {n}", "#445566", 0, extinct=True) for n in (2, 3)]
    plan = MapPlan(width=1, height=1, terrain=("P",), owner=(0,), units=(4,), races=tuple(races))
    shown = "".join(legend(plan))
    assert ">Elves<" in shown and "Lost" not in shown and ">2 extinct</text>" in shown
