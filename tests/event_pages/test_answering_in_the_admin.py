"""A question is answered from its page in the admin, by the desk's own forms, as a game-master without a seat."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Answer, Game, Prompt
from tests.api.worlds import ToyGame, run, toy_game, user
from tests.event_pages.desks import Form
from tests.toy.rules.commands import Propose

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def page() -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    return client


def motion(*, is_public: bool = True) -> ToyGame:
    """A game in which Ann has put something to the vote, for ten minutes."""
    toy = toy_game()
    Game.objects.filter(pk=toy.game.pk).update(is_public=is_public)
    run(toy, Propose(text="A feast?"), toy.ann)
    return toy


def answers(page: Client, game: Game) -> list[tuple[str, str]]:
    """The ways to answer the open question, as its page lists them: address and label."""
    prompt = Prompt.objects.get(game=game)
    text = page.get(reverse("admin:games_prompt_change", args=[prompt.pk])).content.decode()
    found = re.findall(r'href="(/games/[^"]+/desk/commands/[^"]+)">([^<]+)<', text)
    return [(unescape(address), unescape(label)) for address, label in found]


@pytest.mark.parametrize("is_public", [True, False])
def test_an_administrator_answers_for_a_seat_from_the_page_of_the_question(page, is_public):
    toy = motion(is_public=is_public)
    ways = {label: address for address, label in answers(page, toy.game)}
    assert sorted(ways) == ["Cast vote for Ann", "Cast vote for Bob"]
    form = page.get(ways["Cast vote for Ann"])
    assert (
        form.status_code == 200 and b"<html" in form.content and "script-src 'self'" in form["Content-Security-Policy"]
    )
    sent = page.post(ways["Cast vote for Ann"], Form(form.content.decode()).values | {"yes:flag": ["0", "1"]})
    assert (sent.status_code, sent["Location"]) == (302, reverse("admin:games_game_change", args=[toy.game.pk]))
    assert Answer.objects.get(game=toy.game).owner == f"seat:{toy.seat(toy.ann)}"


def test_a_refusal_comes_back_on_the_page_with_a_way_back(page):
    toy = motion()
    address, _ = answers(page, toy.game)[0]
    refused = page.post(address, {"key": "a"})
    assert refused.status_code == 422 and b'role="alert"' in refused.content
    assert reverse("admin:games_game_change", args=[toy.game.pk]).encode() in refused.content


def test_a_page_leads_nowhere_outside_the_service(page):
    toy = motion()
    for elsewhere in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        form = page.get(f"/games/{toy.game.pk}/desk/commands/pause/", {"next": elsewhere})
        assert b"evil" not in form.content.split(b"<form")[1].split(b'class="deeds"')[1]


def test_staff_who_conduct_no_games_neither_see_ways_to_answer_nor_have_the_forms():
    toy = motion()
    clerk = user("clerk")
    clerk.is_staff = True
    clerk.save()
    clerk.user_permissions.set(Permission.objects.filter(codename__in=("view_prompt", "view_game")))
    page = Client()
    page.force_login(clerk)
    assert answers(page, toy.game) == []
    assert page.get(f"/games/{toy.game.pk}/desk/commands/pause/").status_code == 403
    assert page.post(f"/games/{toy.game.pk}/desk/commands/pause/", {"reason:text": ""}).status_code == 403


def test_the_time_left_stands_beside_questions_and_games(page, django_assert_max_num_queries):
    toy = motion()
    with django_assert_max_num_queries(20):
        listed = page.get(reverse("admin:games_prompt_changelist")).content.decode()
    assert re.search(r"9 min 5\d s", listed)
    games = page.get(reverse("admin:games_game_changelist")).content.decode()
    assert re.search(r"field-next_deadline[^>]*>.*?\d+ s", games, re.S)
    assert toy.game.name in games
