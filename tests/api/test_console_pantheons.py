"""Races and pantheons in the console: shares move together in one correction, or nothing changes."""

import json

import pytest
from django.urls import reverse

from tests.api.browsing import address, agree, form_values, seq
from worlds.models import PantheonShare, Race

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.rule("G2-PAN-1", "CF-10")
def test_shares_of_a_pantheon_move_together_in_one_correction(page, event):
    race = Race.objects.get(name="Dreamers")
    form, before = form_values(page, race), seq(event)
    by_share = {form[k]: k for k in form if k.endswith("-share") and form[k]}
    form[by_share["60.00"]], form[by_share["40.00"]] = "55", "45.00"
    form["reason"] = "the scribe slipped"

    assert page.post(address(race), form).status_code == 302

    assert sorted(PantheonShare.objects.filter(race=race).values_list("share", flat=True)) == [4500, 5500]
    assert seq(event) == before + 1
    body = json.loads(event.events.get(seq=before + 1).body)
    assert [(c["deed"], c["table"]) for c in body["changes"]] == [("alter", "shares")] * 2
    assert agree(event)


@pytest.mark.rule("G2-PAN-1")
def test_a_member_joins_a_pantheon_and_another_leaves_it(page, event):
    race = Race.objects.get(name="Dreamers")
    form = form_values(page, race)
    keys = {form[k]: k.removesuffix("-share") for k in form if k.endswith("-share") and form[k]}
    total = int(form["shares-TOTAL_FORMS"])
    form[f"{keys['40.00']}-DELETE"] = "on"
    form |= {
        "shares-TOTAL_FORMS": str(total + 1),
        f"shares-{total}-special": "atheism",
        f"shares-{total}-share": "40",
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
    race = Race.objects.get(name="Dreamers")
    form, before = form_values(page, race), seq(event)
    by_share = {form[k]: k for k in form if k.endswith("-share") and form[k]}
    form[by_share["60.00"]] = "55"

    answer = page.post(address(race), form | {"reason": "x"})

    assert "add up to 100 %; these add up to 95.00 %, 5.00 % are missing." in answer.content.decode()
    assert sorted(PantheonShare.objects.filter(race=race).values_list("share", flat=True)) == [4000, 6000]
    assert seq(event) == before


def test_a_race_is_made_with_its_pantheon_by_one_correction(page, event):
    add = reverse("admin:worlds_race_add")
    form = {"world": str(event.world_id), "name": "Late Comers", "colour": "#aabbcc", "reason": "forgotten"}
    form |= {"shares-TOTAL_FORMS": "0", "shares-INITIAL_FORMS": "0"}
    before = seq(event)
    assert "adds up to 0" in page.post(add, form).content.decode()
    assert not Race.objects.filter(name="Late Comers").exists()

    form |= {"shares-TOTAL_FORMS": "1", "shares-0-special": "atheism", "shares-0-share": "100"}
    assert page.post(add, form).status_code == 302

    race = Race.objects.get(name="Late Comers")
    assert (race.colour, race.gods2_sheet.level, race.shares.get().share) == ("#aabbcc", "primitive", 10_000)
    assert seq(event) == before + 1
    assert agree(event)


def test_a_pantheon_that_changed_meanwhile_is_refused_as_stale(page, event):
    race = Race.objects.get(name="Dreamers")
    late = form_values(page, race) | {"name": "Giants of the Hills", "reason": "too late"}
    assert page.post(address(race), form_values(page, race) | {"name": "Giants", "reason": "first"}).status_code == 302
    before = seq(event)

    assert "position.stale" in page.post(address(race), late).content.decode()

    assert (Race.objects.get(pk=race.pk).name, seq(event)) == ("Giants", before)


def test_a_race_on_the_map_is_not_deleted(page, event):
    race = Race.objects.get(name="Dreamers")
    before = seq(event)
    answer = page.post(address(race, "delete"), {"reason": "away with them"})
    assert "row.used" in answer.content.decode()
    assert Race.objects.filter(pk=race.pk).exists()
    assert seq(event) == before
