"""The console with The Gods II: every page opens, shares move together, squares and sheets are amended or refused."""

import json
from decimal import Decimal

import pytest
from django.contrib.admin import site
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import demo, log, registry, services
from games.engine.kernel import Actor, Issuer
from games.engine.table import dump
from games.gods2 import packs
from games.gods2.models import Era, PackVersion, Purse, RaceKnowledge, RaceSheet
from games.models import Game
from worlds.models import City, Feature, PantheonShare, Presence, Race, Square

pytestmark = pytest.mark.django_db
TURN = 3600


@pytest.fixture
def event(settings, tmp_path) -> Game:
    """The demo event, just opened."""
    settings.DEMO, settings.DATA_DIR, settings.DEMO_CENTURY_SECONDS = True, tmp_path, TURN
    return Game.objects.get(pk=demo.prepare()["game"])


@pytest.fixture
def page(db) -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    return client


def address(row, deed: str = "change") -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{deed}", args=[row.pk])


def sent(page: Client, row) -> dict[str, str]:
    """What a browser would send if nothing on the page of a row were touched."""
    context = page.get(address(row)).context
    told = {}
    form = context["adminform"].form
    for part in (form, *(f.formset for f in context["inline_admin_formsets"])):
        told |= _values(part.management_form) if hasattr(part, "management_form") else _values(part)
        for inner in getattr(part, "forms", ()):
            told |= _values(inner)
    return told


def _values(form) -> dict[str, str]:
    found = {}
    for field in form:
        value = field.value()
        widget = getattr(field.field.widget, "widget", field.field.widget)
        found |= {
            name: data
            for name, data in _flat(widget.get_context(field.html_name, value, {})["widget"]).items()
            if data is not None
        }
    return found


def _flat(widget: dict) -> dict[str, str]:
    """Names and values of a widget and its parts, as a browser sends them."""
    if widget.get("subwidgets"):
        return {k: v for part in widget["subwidgets"] for k, v in _flat(part).items()}
    if widget.get("type") == "checkbox":
        return {widget["name"]: "on"} if widget["attrs"].get("checked") else {}
    value = widget["value"]
    if isinstance(value, list):
        value = value[0] if value else ""
    return {widget["name"]: "" if value is None else str(value)}


def agree(game: Game) -> bool:
    """Rows equal the folded log, and the chain of digests is whole."""
    game = Game.objects.get(pk=game.pk)
    rows, told = dump(registry.store("gods2").load(game)), dump(log.folded(game))
    assert {name for name in rows if rows[name] != told[name]} == set()
    assert list(log.broken_links(game)) == []
    return True


def seq(game: Game) -> int:
    return Game.objects.get(pk=game.pk).seq


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


def test_the_overview_tells_what_is_live_and_due(page, event):
    text = page.get(reverse("admin:index")).content.decode()
    assert event.name in text
    assert "Century 1" in text
    assert [t["title"] for t in page.get(reverse("admin:index")).context["tables"]] == [
        "Live games", "Due next", "Parked games", "Asked of game-masters",
    ]  # fmt: skip


@pytest.mark.rule("G2-PAN-1", "CF-10")
def test_shares_of_a_pantheon_move_together_in_one_correction(page, event):
    race = Race.objects.get(name="Hill Giants")
    form, before = sent(page, race), seq(event)
    by_share = {form[k]: k for k in form if k.endswith("-share") and form[k]}
    form[by_share["6000"]], form[by_share["4000"]] = "5500", "4500"
    form["reason"] = "the scribe slipped"

    assert page.post(address(race), form).status_code == 302

    assert sorted(PantheonShare.objects.filter(race=race).values_list("share", flat=True)) == [4500, 5500]
    assert seq(event) == before + 1
    body = json.loads(event.events.get(seq=before + 1).body)
    assert [(c["deed"], c["table"]) for c in body["changes"]] == [("alter", "shares")] * 2
    assert agree(event)


@pytest.mark.rule("G2-PAN-1")
def test_a_member_joins_a_pantheon_and_another_leaves_it(page, event):
    race = Race.objects.get(name="Hill Giants")
    form = sent(page, race)
    keys = {form[k]: k.removesuffix("-share") for k in form if k.endswith("-share") and form[k]}
    total = int(form["shares-TOTAL_FORMS"])
    form[f"{keys['4000']}-DELETE"] = "on"
    form |= {
        "shares-TOTAL_FORMS": str(total + 1),
        f"shares-{total}-special": "atheism",
        f"shares-{total}-share": "4000",
        f"shares-{total}-race": str(race.pk),
        f"shares-{total}-deity": "",
        "reason": "they doubt",
    }

    assert page.post(address(race), form).status_code == 302

    held = dict(PantheonShare.objects.filter(race=race).values_list("share", "special"))
    assert held == {6000: "", 4000: "atheism"}
    assert agree(event)


@pytest.mark.rule("G2-PAN-1")
def test_shares_that_do_not_add_up_change_nothing(page, event):
    race = Race.objects.get(name="Hill Giants")
    form, before = sent(page, race), seq(event)
    by_share = {form[k]: k for k in form if k.endswith("-share") and form[k]}
    form[by_share["6000"]] = "5500"

    answer = page.post(address(race), form | {"reason": "x"})

    assert "add up to 10000" in answer.content.decode()
    assert sorted(PantheonShare.objects.filter(race=race).values_list("share", flat=True)) == [4000, 6000]
    assert seq(event) == before


def test_a_race_is_renamed_by_a_correction_and_painted_without_one(page, event):
    race = Race.objects.get(name="Hill Giants")
    before = seq(event)
    assert page.post(address(race), sent(page, race) | {"colour": "#123456"}).status_code == 302
    race.refresh_from_db()
    assert (race.colour, seq(event)) == ("#123456", before)

    form = sent(page, race) | {"name": "Cloud Giants", "reason": "they climbed"}
    assert page.post(address(race), form).status_code == 302

    race.refresh_from_db()
    assert (race.name, race.colour, seq(event)) == ("Cloud Giants", "#123456", before + 1)
    assert agree(event)


@pytest.mark.rule("G2-MAP-7")
def test_what_breaks_an_invariant_is_refused_whole(page, event):
    city = City.objects.first()
    empty = Square.objects.exclude(presences__isnull=False).filter(world=event.world).first()
    before, stood = seq(event), city.square_id

    answer = page.post(address(city), sent(page, city) | {"square": str(empty.pk), "reason": "moved"})

    assert answer.status_code == 200
    assert "amend.invalid" in answer.content.decode()
    assert "has no people of its race" in answer.content.decode()
    city.refresh_from_db()
    assert (city.square_id, seq(event)) == (stood, before)


def test_units_and_terrain_of_a_square_are_amended(page, event):
    units = Presence.objects.filter(race__name="Low Elves").order_by("-units").first()  # where they live is rolled
    form = sent(page, units) | {"units": str(units.units - 1), "reason": "one went astray"}
    assert page.post(address(units), form).status_code == 302
    assert Presence.objects.get(race=units.race, square=units.square).units == units.units - 1

    square = Square.objects.filter(world=event.world, presences__isnull=True, terrain="P", features=None).first()
    assert page.post(address(square), sent(page, square) | {"terrain": "F", "reason": "it grew"}).status_code == 302
    square.refresh_from_db()
    assert square.terrain == "F"
    assert [e.type for e in event.events.order_by("-seq")[:2]] == ["Amended", "Amended"]
    assert agree(event)


def test_units_leave_a_square_by_a_correction(page, event):
    units = Presence.objects.filter(race__name="Hill Giants").first()
    assert page.post(address(units, "delete"), {"reason": "an avalanche"}).status_code == 302
    assert not Presence.objects.filter(square=units.square).exists()
    assert agree(event)


def test_knowledges_of_a_race_are_one_field_of_its_record(page, event):
    sheet = RaceSheet.objects.get(race__name="Hill Giants")
    form = sent(page, sheet)
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
    sheet = RaceSheet.objects.get(race__name="Hill Giants")
    form, before = sent(page, sheet), seq(event)
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
    assert b"Hill Giants" in answer.content
    assert Client().get(address).status_code == 302


def test_mana_is_amended_in_the_stream_of_its_god(page, event):
    purse = Purse.objects.first()
    form = sent(page, purse) | {"balance": str(purse.balance + 3), "reason": "a miscount"}

    assert page.post(address(purse), form).status_code == 302

    told = event.events.order_by("-seq").first()
    assert (told.type, str(purse.seat_id) in told.audience, told.audience != "public") == ("Amended", True, True)
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
    assert page.post(address(made, "delete"), {"reason": "it fell"}).status_code == 302

    assert not Feature.objects.filter(name="The Needle").exists()
    assert seq(event) == before + 2
    assert agree(event)


def test_a_race_is_made_with_its_pantheon_by_one_correction(page, event):
    add = reverse("admin:worlds_race_add")
    form = {"world": str(event.world_id), "name": "Late Comers", "colour": "#aabbcc", "reason": "forgotten"}
    form |= {"shares-TOTAL_FORMS": "0", "shares-INITIAL_FORMS": "0"}
    before = seq(event)
    assert "adds up to 0" in page.post(add, form).content.decode()
    assert not Race.objects.filter(name="Late Comers").exists()

    form |= {"shares-TOTAL_FORMS": "1", "shares-0-special": "atheism", "shares-0-share": "10000"}
    assert page.post(add, form).status_code == 302

    race = Race.objects.get(name="Late Comers")
    assert (race.colour, race.gods2_sheet.level, race.shares.get().share) == ("#aabbcc", "primitive", 10_000)
    assert seq(event) == before + 1
    assert agree(event)


def test_a_pantheon_that_changed_meanwhile_is_refused_as_stale(page, event):
    race = Race.objects.get(name="Hill Giants")
    late = sent(page, race) | {"name": "Giants of the Hills", "reason": "too late"}
    assert page.post(address(race), sent(page, race) | {"name": "Giants", "reason": "first"}).status_code == 302
    before = seq(event)

    assert "position.stale" in page.post(address(race), late).content.decode()

    assert (Race.objects.get(pk=race.pk).name, seq(event)) == ("Giants", before)


def test_a_race_on_the_map_is_not_deleted(page, event):
    race = Race.objects.get(name="Hill Giants")
    before = seq(event)
    answer = page.post(address(race, "delete"), {"reason": "away with them"})
    assert "row.used" in answer.content.decode()
    assert Race.objects.filter(pk=race.pk).exists()
    assert seq(event) == before


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
    race, before = Race.objects.get(name="Hill Giants"), seq(event)
    form = sent(page, race)
    by_share = {form[k]: k for k in form if k.endswith("-share") and form[k]}
    form[by_share["6000"]], form[by_share["4000"]] = "5500", "4500"

    assert page.post(address(race), form | {"name": "Giants"}).status_code == 302

    assert Race.objects.filter(name="Giants").exists()
    sheet = RaceSheet.objects.get(race=race)
    form = sent(page, sheet) | {"knowledge_rows-TOTAL_FORMS": "2", "knowledge_rows-1-key": "fishing"}
    assert page.post(address(sheet), form | {"knowledge_rows-1-race": str(race.pk)}).status_code == 302
    assert RaceKnowledge.objects.filter(race=sheet, game=event, key="fishing").exists()
    assert sorted(PantheonShare.objects.filter(race=race).values_list("share", flat=True)) == [4500, 5500]
    assert seq(event) == before


def test_a_game_is_moved_to_a_later_pack_from_its_page(event, page):
    address = reverse("admin:games_game_move_pack", args=[event.pk])
    assert address in page.get(reverse("admin:games_game_change", args=[event.pk])).content.decode()
    packs.import_house()
    packs.publish(packs.copied(PackVersion.objects.get(number=1), name="House rules"))
    assert "pack.same" in page.post(address, {"pack_version": "1"}).content.decode()
    assert page.post(address, {"pack_version": "2"}).status_code == 302
    assert Era.objects.get(game=event).pack_version == 2
    assert event.events.filter(type="PackMoved").count() == 1
