"""The pages of the admin with rows in a table, in a real browser: every field has a name for assistive technology."""

from itertools import chain
from pathlib import Path

import pytest
from django.contrib.admin import site
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.api.worlds import atlantis, user
from tests.browser import needed, open_pages
from worlds.admin_inlines import NamedInline
from worlds.models import Artifact, Place, PlaceSquare, Race, Square, World

pytestmark = [needed, pytest.mark.long, pytest.mark.django_db(transaction=True)]
AXE = (Path(__file__).parents[1] / "event_pages" / "lib" / "axe.min.js").read_text()
FINDINGS = """axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.filter(
    (each) => ['serious', 'critical'].includes(each.impact)).flatMap((each) => each.nodes.map(
    (node) => each.id + ': ' + node.html)).filter((text) => !text.includes('select2-selection__rendered')))"""
"""What is serious, but for the empty text inside the box of a choice by search; the box itself has a name."""


def test_every_table_of_rows_names_its_fields(live_server, tmp_path):
    inlines = chain.from_iterable(page.inlines for page in site._registry.values())
    assert [inline for inline in inlines if not issubclass(inline, NamedInline)] == []
    there = atlantis(members=(user("ann"),))
    bay = Place.objects.create(world=there.world, name="Bay", kind="sea")
    PlaceSquare.objects.create(place=bay, square=Square.objects.filter(world=there.world)[0])
    rows = ((World, there.world), (Race, there.elves), (Place, bay), (Artifact, Artifact.objects.get()))
    paths = [reverse(f"admin:worlds_{model._meta.model_name}_change", args=[row.pk]) for model, row in rows]
    keeper = Client()
    keeper.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    cookie = {"name": "sessionid", "value": keeper.cookies["sessionid"].value, "url": live_server.url}
    with open_pages(tmp_path, "admin") as (page,):
        page.context.add_cookies([cookie])
        for path in paths:
            for width in (390, 1920):
                page.set_viewport_size({"width": width, "height": 900})
                page.goto(live_server.url + path)
                page.evaluate(AXE)
                assert page.evaluate(FINDINGS) == [], path
