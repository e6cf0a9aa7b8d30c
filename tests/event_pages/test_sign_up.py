"""Signing up on a page: who may is signed in at once; a refusal comes back with what was written but the password."""

import pytest
from django.test import Client

from accounts.models import User
from tests.api.worlds import user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery 7"


def press(client: Client, name: str = "newcomer", password: str = PASSWORD, path: str = "/sign-up/", **more: str):
    return client.post(path, {"username:text": name, "password": password, **more})


@pytest.mark.parametrize(
    ("path", "landing"),
    [("/sign-up/", "/"), ("/sign-up/?next=/games/new/", "/games/new/"), ("/sign-up/?next=//elsewhere.example/", "/")],
)
def test_who_signs_up_is_signed_in_and_goes_on_within_the_service(settings, path, landing):
    settings.SIGN_UP = "open"
    client = Client()
    assert press(client, path=path)["Location"] == landing
    assert client.session["_auth_user_id"] == str(User.objects.get(username="newcomer").pk)
    assert client.get(path)["Location"] == landing, "who is signed in needs no account"


@pytest.mark.parametrize(("name", "password"), [("ana", PASSWORD), ("newcomer", "hunter2"), ("", PASSWORD)])
def test_a_refusal_comes_back_on_the_form_and_makes_nobody(settings, name, password):
    settings.SIGN_UP = "open"
    user("ana")
    before, client = User.objects.count(), Client()
    answer = press(client, name, password)
    page = answer.content.decode()
    assert (answer.status_code, User.objects.count()) == (422, before)
    assert 'role="alert"' in page and f'value="{name}"' in page and password not in page
    assert "_auth_user_id" not in client.session


def test_where_nobody_may_sign_up_or_a_code_is_needed_the_page_says_so(settings):
    settings.SIGN_UP = "closed"
    assert "Nobody may sign up here" in Client().get("/sign-up/").content.decode()
    assert press(Client()).status_code == 422 and not User.objects.filter(username="newcomer").exists()
    assert "/sign-up/" not in Client().get("/").content.decode()
    settings.SIGN_UP = "invitation"
    assert "Code to sign up" in Client().get("/sign-up/").content.decode()
    assert press(Client(), **{"invitation:text": "wrong"}).status_code == 422
    assert "/sign-up/" in Client().get("/").content.decode()
