"""The console with Dawn: every page of its rows opens; land, peoples and points are amended or refused."""

from typing import Any

import pytest
from django.contrib.admin import site
from django.urls import reverse
from django.utils import timezone

from games.dawn import models as own
from tests.api.browsing import address, form_values
from tests.games.dawn import World, peopled_world, record_named
from worlds.models import Army, Avatar, City, Order, Race, Square

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def here() -> World:
    """A peopled world."""
    return peopled_world(now=timezone.now())


def amend(page: Any, row: Any, reason: str = "a slip", **changes: Any) -> Any:
    """Send a row's form with changes."""
    return page.post(address(row), form_values(page, row) | changes | {"reason": reason})


@pytest.mark.long
def test_every_list_and_every_page_of_dawn_opens(page: Any, here: World) -> None:
    opened = 0
    for model, model_admin in site._registry.items():
        if model._meta.app_label not in ("dawn", "worlds"):
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        wanted = {"q": "a"} if model_admin.search_fields else {}
        assert page.get(reverse(f"{name}_changelist"), wanted).status_code == 200, model
        assert page.get(reverse(f"{name}_add")).status_code in (200, 403), model
        row = model._default_manager.first()
        if row is not None:
            assert page.get(address(row)).status_code == 200, model
            opened += 1
    assert opened >= 20
    assert own.Advance not in site._registry
    drawn = page.get(reverse("admin:games_game_map", args=[here.id]))
    assert drawn.status_code == 200 and b"fantastic land" in drawn.content


def test_rows_are_corrected_in_the_log_wherever_they_stand(page: Any, here: World) -> None:
    """A race and its sheet, a square and its sheet, a city that moves, an edge, an order, an avatar, points."""
    world = here.game.world
    before = here.game.seq
    elves = Race.objects.get(world=world, name="Elves")
    assert amend(page, elves, name="High Elves").status_code == 302
    assert amend(page, elves.dawn_sheet, tier="majestic", alignment="-1").status_code == 302
    square = Square.objects.get(world=world, x=0, y=5)
    assert amend(page, square, terrain="ice").status_code == 302
    assert amend(page, square.dawn_sheet, climate="polar", fantastic="on").status_code == 302
    city = City.objects.get(world=world, name="Oakhold")
    there = Square.objects.get(world=world, x=1, y=2)
    assert amend(page, city, square=str(there.pk)).status_code == 302
    assert amend(page, city.dawn_sheet, alignment="2").status_code == 302
    assert (
        amend(page, own.Edge.objects.get(name="good ships", race=elves), kind="defensive", tags="[]").status_code == 302
    )
    assert amend(page, Order.objects.get(name="Weavers"), name="Dyers").status_code == 302
    horn = Avatar.objects.get(name="Horn")
    assert amend(page, horn, name="Great Horn").status_code == 302
    purse = own.Purse.objects.get(seat=here.seats["cat"])
    more = {"balance": str(purse.balance + 5), "earned": str(purse.earned + 5)}
    assert amend(page, purse, **more).status_code == 302
    assert here.game.seq == before + 10
    here.rows_agree()
    state = here.state
    race = record_named(state.races, "High Elves")
    assert (race.tier, race.alignment, (race.x, race.y)) == ("majestic", -1, (1, 1))
    assert (state.squares[0, 5].terrain, state.squares[0, 5].climate, state.squares[0, 5].fantastic) == (
        "ice", "polar", True,
    )  # fmt: skip
    assert (state.cities[city.pk].y, state.cities[city.pk].alignment) == (2, 2)
    assert set(Army.objects.filter(city=city).values_list("square_id", flat=True)) == {there.pk}
    assert record_named(state.orders, "Dyers") and record_named(state.avatars, "Great Horn")


def test_edges_and_territories_are_made_and_taken_away_by_corrections(page: Any, here: World) -> None:
    world = here.game.world
    elves, square = Race.objects.get(world=world, name="Elves"), Square.objects.get(world=world, x=5, y=5)
    land = {"game": str(here.id), "race": str(elves.pk), "square": str(square.pk)}
    add = reverse("admin:dawn_territory_add")
    assert "reason.missing" in page.post(add, land).content.decode()
    assert page.post(add, land | {"reason": "they went there"}).status_code == 302
    made = own.Territory.objects.get(race=elves, square=square)
    edge = {"game": str(here.id), "target": str(elves.pk), "name": "songs", "kind": "other", "tags": "[]", "given": "9"}
    assert page.post(reverse("admin:dawn_edge_add"), edge | {"reason": "they sing"}).status_code == 302
    assert own.Edge.objects.get(name="songs").race == elves
    assert page.post(address(made, "delete"), {"reason": "too far"}).status_code == 302
    assert not own.Territory.objects.filter(race=elves, square=square).exists()
    here.rows_agree()


def test_what_breaks_a_rule_is_refused_and_what_is_open_is_there_to_read(page: Any, here: World) -> None:
    world = here.game.world
    before = here.game.seq
    city = City.objects.get(world=world, name="Oakhold")
    taken = Square.objects.get(world=world, x=3, y=1)
    square = own.SquareSheet.objects.get(square=taken)
    text = amend(page, city, square=str(taken.pk)).content.decode()
    assert "already exists" in text or "amend.invalid" in text
    assert "floating" in amend(page, square, floating="on").content.decode()
    purse = own.Purse.objects.get(seat=here.seats["cat"])
    assert amend(page, purse, balance=str(purse.balance + 5)).status_code == 200
    course = own.Course.objects.get(game=here.id)
    assert "amend.invalid" in amend(page, course, step="finished").content.decode()
    assert here.game.seq == before
    here.shape("ann", "Theft", (3, 1))
    power = own.Power.objects.get(game=here.id)
    assert page.get(address(power)).status_code == 200
    assert page.post(address(power), {"price": "0", "reason": "cheap"}).status_code == 403
    here.rows_agree()
