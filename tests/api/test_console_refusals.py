"""What the admin does not do it says in words: deleting what others need, letting in who is no administrator."""

import re

import pytest
from django.contrib.admin import site
from django.db.models import PROTECT, RESTRICT, Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Game, Timer
from tests.api.worlds import atlantis, toy_game, user
from worlds.models import Deity, World

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def page() -> Client:
    """A browser of an administrator, which shows what a person would see."""
    found = Client(raise_request_exception=False)
    found.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    return found


def protected_models(page: Client) -> set[type[Model]]:
    """The models whose rows others protect and whose pages let an administrator delete them."""
    request = page.get("/admin/").wsgi_request
    return {
        model
        for model, own in site._registry.items()
        if own.has_delete_permission(request)
        and any(relation.on_delete in (PROTECT, RESTRICT) for relation in model._meta.related_objects)
    }


def test_what_others_need_is_not_deleted_and_the_page_names_them(page):
    there, game = atlantis(), toy_game().game
    Game.objects.filter(pk=game.pk).update(world=there.world, status="finished")
    cases = {World: (there.world, "Game: Cairns (toy)"), Deity: (there.sun, "Sun: 90.00 %")}
    assert protected_models(page) == set(cases)
    for model, (row, keeper) in cases.items():
        address = reverse(f"admin:worlds_{model._meta.model_name}_delete", args=[row.pk])
        for answer in (page.get(address), page.post(address, {"post": "yes"})):
            text = " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())
            assert answer.status_code == 200 and keeper in text, (model, text)
        assert model.objects.filter(pk=row.pk).exists()
    Game.objects.filter(pk=game.pk).update(world=None)
    there.world.refresh_from_db()
    assert page.post(reverse("admin:worlds_world_delete", args=[there.world.pk]), {"post": "yes"}).status_code == 302
    assert not World.objects.filter(pk=there.world.pk).exists()


def test_what_is_due_next_is_the_games_and_not_its_bots(page):
    toy = toy_game()
    tide = Timer.objects.get(game=toy.game)
    for number in range(12):
        Timer.objects.create(
            game=toy.game, audience="server", key=f"bot:{number}", does="play-bot", arguments="{}",
            generation=100 + number, due=timezone.now(),
        )  # fmt: skip
    text = page.get("/admin/").content.decode()
    assert f"/admin/games/timer/{tide.pk}/change/" in text and "play bot" not in text


def test_who_is_no_administrator_is_told_why_the_admin_is_closed():
    player = Client()
    player.force_login(user("ann"))
    there = player.get("/admin/")["Location"]
    answer = player.get(there)
    assert answer.status_code == 403
    assert "The admin is for those who run this service" in answer.content.decode()
    assert "Signed in as ann" in answer.content.decode()
    assert Client().get(there)["Location"].startswith("/oauth/log-in/")
