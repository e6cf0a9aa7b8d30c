"""The console with The Gods II: every page opens, squares, sheets and worlds are amended or refused."""

from decimal import Decimal

import pytest
from django.contrib.admin import site
from django.test import Client
from django.urls import reverse

from core.ids import slot_of
from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.gods2.models import Era, Purse, RaceKnowledge, RaceSheet
from games.gods2.packs import library
from games.gods2.packs.models import PackVersion
from games.models import Game
from tests.api.browsing import address, agree, form_values, seq
from worlds.models import City, Feature, PantheonShare, Presence, Race, Square

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_every_list_and_every_page_opens(page, event):
    opened = 0
    for model, model_admin in site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert (
            page.get(reverse(f"{name}_changelist"), {"q": "a"} if model_admin.search_fields else {}).status_code == 200
        )
        assert page.get(reverse(f"{name}_changelist")).status_code == 200
        assert page.get(reverse(f"{name}_add")).status_code in (200, 403)
        row = model._default_manager.first()
        if row is not None:
            assert page.get(address(row)).status_code == 200
            opened += 1
    assert opened >= 22
    assert page.get(reverse("admin:index")).status_code == 200


def test_the_overview_shows_what_is_live_and_due(page, event):
    text = page.get(reverse("admin:index")).content.decode()
    assert event.name in text
    assert "Century 2" in text
    assert [t["title"] for t in page.get(reverse("admin:index")).context["tables"]] == [
        "Live games", "Due next", "Parked games", "Asked of game-masters",
    ]  # fmt: skip


def test_a_race_is_renamed_by_a_correction_and_painted_without_one(page, event):
    race = Race.objects.get(name="Dreamers")
    before = seq(event)
    assert page.post(address(race), form_values(page, race) | {"colour": "#123456"}).status_code == 302
    race.refresh_from_db()
    assert (race.colour, seq(event)) == ("#123456", before)

    form = form_values(page, race) | {"name": "Cloud Giants", "reason": "they climbed"}
    assert page.post(address(race), form).status_code == 302

    race.refresh_from_db()
    assert (race.name, race.colour, seq(event)) == ("Cloud Giants", "#123456", before + 1)
    assert agree(event)


@pytest.mark.rule("G2-MAP-7")
def test_what_breaks_an_invariant_is_refused_whole(page, event):
    city = City.objects.first()
    empty = Square.objects.exclude(presences__isnull=False).filter(world=event.world).first()
    before, stood = seq(event), city.square_id

    answer = page.post(address(city), form_values(page, city) | {"square": str(empty.pk), "reason": "moved"})

    assert answer.status_code == 200
    assert "amend.invalid" in answer.content.decode()
    assert "has no people of its race" in answer.content.decode()
    city.refresh_from_db()
    assert (city.square_id, seq(event)) == (stood, before)


def test_units_and_terrain_of_a_square_are_amended(page, event):
    units = Presence.objects.filter(race__name="Low Elves").order_by("-units").first()  # where they live is rolled
    form = form_values(page, units) | {"units": str(units.units - 1), "reason": "one went astray"}
    assert page.post(address(units), form).status_code == 302
    assert Presence.objects.get(race=units.race, square=units.square).units == units.units - 1

    square = Square.objects.filter(world=event.world, presences__isnull=True, terrain="P", features=None).first()
    assert (
        page.post(address(square), form_values(page, square) | {"terrain": "F", "reason": "it grew"}).status_code == 302
    )
    square.refresh_from_db()
    assert square.terrain == "F"
    assert [e.type for e in event.events.order_by("-seq")[:2]] == ["Amended", "Amended"]
    assert agree(event)


def test_units_leave_a_square_by_a_correction(page, event):
    units = Presence.objects.filter(race__name="Dreamers").first()
    assert page.post(address(units, "delete"), {"reason": "an avalanche"}).status_code == 302
    assert not Presence.objects.filter(square=units.square).exists()
    assert agree(event)


def test_knowledges_of_a_race_are_one_field_of_its_record(page, event):
    sheet = RaceSheet.objects.get(race__name="Dreamers")
    form = form_values(page, sheet)
    total = int(form["knowledge_rows-TOTAL_FORMS"])
    form |= {
        "knowledge_rows-TOTAL_FORMS": str(total + 1),
        f"knowledge_rows-{total}-key": "fishing",
        f"knowledge_rows-{total}-race": str(sheet.pk),
        "turmoil": "on",
        "reason": "taught by the Coast Folk",
    }
    before = seq(event)

    assert page.post(address(sheet), form).status_code == 302

    assert set(RaceKnowledge.objects.filter(race=sheet).values_list("key", flat=True)) == {"fishing", "hunting_lore"}
    sheet.refresh_from_db()
    assert sheet.turmoil
    assert seq(event) == before + 1
    assert agree(event)


def test_a_knowledge_that_the_pack_does_not_have_is_refused(page, event):
    sheet = RaceSheet.objects.get(race__name="Dreamers")
    form, before = form_values(page, sheet), seq(event)
    total = int(form["knowledge_rows-TOTAL_FORMS"])
    form |= {
        "knowledge_rows-TOTAL_FORMS": str(total + 1),
        f"knowledge_rows-{total}-key": "telepathy",
        f"knowledge_rows-{total}-race": str(sheet.pk),
        "reason": "they say so",
    }
    assert "has no knowledge telepathy" in page.post(address(sheet), form).content.decode()
    assert set(RaceKnowledge.objects.filter(race=sheet).values_list("key", flat=True)) == {"hunting_lore"}
    assert seq(event) == before


def test_the_map_of_a_private_game_opens_for_an_administrator_alone(page, event):
    Game.objects.filter(pk=event.pk).update(is_public=False)
    address = reverse("admin:games_game_map", args=[event.pk])
    answer = page.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert b"Dreamers" in answer.content
    assert Client().get(address).status_code == 302


def test_mana_is_amended_in_the_stream_of_its_god(page, event):
    purse = Purse.objects.first()
    form = form_values(page, purse) | {"balance": str(purse.balance + 3), "reason": "a miscount"}

    assert page.post(address(purse), form).status_code == 302

    found = event.events.order_by("-seq").first()
    assert (found.type, str(purse.seat_id) in found.audience, found.audience != "public") == ("Amended", True, True)
    assert Purse.objects.get(pk=purse.pk).balance == purse.balance + 3
    assert Purse.objects.get(pk=purse.pk).carried == Decimal(purse.carried)
    assert agree(event)


def test_a_feature_is_made_and_taken_away_by_corrections(page, event):
    square = Square.objects.filter(world=event.world, terrain="P").first()
    form = {"world": str(event.world_id), "square": str(square.pk), "kind": "landmark", "name": "The Needle"}
    add = reverse("admin:worlds_feature_add")
    before = seq(event)
    assert "reason.missing" in page.post(add, form).content.decode()
    assert not Feature.objects.filter(name="The Needle").exists()

    assert page.post(add, form | {"reason": "forgotten on the map"}).status_code == 302
    made = Feature.objects.get(name="The Needle")
    assert slot_of(made.pk) == slot_of(event.pk)
    assert page.post(address(made, "delete"), {"reason": "it fell"}).status_code == 302

    assert not Feature.objects.filter(name="The Needle").exists()
    assert seq(event) == before + 2
    assert agree(event)


def test_the_clock_of_the_era_is_there_to_read(page, event):
    era = Era.objects.get(game=event)
    assert page.get(address(era)).status_code == 200
    assert page.post(address(era), {"century": "9", "reason": "hurry"}).status_code == 403
    assert Era.objects.get(game=event).century == era.century


def test_a_god_is_made_by_a_command_and_not_by_a_row(page, event):
    before = seq(event)
    form = {"world": str(event.world_id), "name": "Nobody", "kind": "god", "status": "alive", "reason": "why not"}
    assert "amend.invalid" in page.post(reverse("admin:worlds_deity_add"), form).content.decode()
    assert seq(event) == before


def test_a_world_without_a_game_is_edited_freely(page, event):
    actor = Actor(Issuer.GM, event.opened_by_id)
    assert services.run(event.pk, registry.ruleset("gods2").commands["pause"](), actor=actor)
    Game.objects.filter(pk=event.pk).update(status="finished")
    race, before = Race.objects.get(name="Dreamers"), seq(event)
    form = form_values(page, race)
    by_share = {form[k]: k for k in form if k.endswith("-share") and form[k]}
    form[by_share["60.00"]], form[by_share["40.00"]] = "55", "45"

    assert page.post(address(race), form | {"name": "Giants"}).status_code == 302

    assert Race.objects.filter(name="Giants").exists()
    sheet = RaceSheet.objects.get(race=race)
    form = form_values(page, sheet) | {"knowledge_rows-TOTAL_FORMS": "2", "knowledge_rows-1-key": "fishing"}
    assert page.post(address(sheet), form | {"knowledge_rows-1-race": str(race.pk)}).status_code == 302
    assert RaceKnowledge.objects.filter(race=sheet, game=event, key="fishing").exists()
    assert sorted(PantheonShare.objects.filter(race=race).values_list("share", flat=True)) == [4500, 5500]
    assert seq(event) == before


def test_a_game_is_moved_to_a_later_pack_from_its_page(event, page):
    address = reverse("admin:games_game_move_pack", args=[event.pk])
    assert address in page.get(reverse("admin:games_game_change", args=[event.pk])).content.decode()
    library.import_packs()
    present = Era.objects.get(game=event).pack_version
    later = library.publish(library.copy_version(PackVersion.objects.get(number=present), name="House rules")).number
    assert "pack.same" in page.post(address, {"pack_version": str(present)}).content.decode()
    assert page.post(address, {"pack_version": str(later)}).status_code == 302
    assert Era.objects.get(game=event).pack_version == later > present
    assert event.events.filter(type="PackMoved").count() == 1
