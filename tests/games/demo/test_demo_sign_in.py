"""The way in to the demo: a link signs in one of its players, on a service that plays the demo, and nobody else."""

import json
from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.test import Client

from accounts.models import User
from games.workers import demo

pytestmark = pytest.mark.django_db


@pytest.fixture
def prepared(settings, tmp_path):
    """A demo of one game."""
    settings.DEMO, settings.DATA_DIR = True, tmp_path
    return demo.prepare("forgeborn")


def path_of(listing, name: str = "demo-player-1") -> str:
    return urlsplit(next(each for each in listing["users"] if each["name"] == name)["sign_in"]).path


def test_the_link_of_the_demo_leads_its_reader_to_a_seat_in_a_game_that_goes_on(prepared):
    client = Client()
    answer = client.get(path_of(prepared), follow=True)
    assert answer.status_code == 200 and 'id="may"' in answer.content.decode()
    assert str(User.objects.get(username="demo-player-1").pk) == client.session["_auth_user_id"]


def test_only_players_have_one_and_it_stands_where_passwords_do(prepared):
    assert [each["name"] for each in prepared["users"] if "sign_in" in each] == [f"demo-player-{n}" for n in (1, 2, 3)]
    assert json.loads(demo.path().read_text())["users"] == prepared["users"]


@pytest.mark.parametrize("who", ["demo-gm", "demo-admin", "nobody"])
def test_a_link_for_anybody_else_signs_nobody_in(prepared, who):
    client = Client()
    assert client.get(f"/demo/{signing.Signer(salt=demo.LINK).sign_object(who)}/").status_code == 404
    assert "_auth_user_id" not in client.session


def test_a_link_that_is_not_the_services_own_or_without_the_demo_is_none(prepared, settings):
    path, client = path_of(prepared), Client()
    assert client.get("/demo/abc/").status_code == 404
    assert client.get(f"/demo/{signing.Signer(salt=demo.LINK).sign('not an object')}/").status_code == 404
    assert client.get(f"/demo/{signing.Signer(salt='other').sign_object('demo-player-1')}/").status_code == 404
    User.objects.filter(username="demo-player-1").update(is_active=False)
    assert client.get(path).status_code == 404
    User.objects.filter(username="demo-player-1").update(is_active=True)
    settings.DEMO = False
    assert client.get(path).status_code == 404
    assert "_auth_user_id" not in client.session
