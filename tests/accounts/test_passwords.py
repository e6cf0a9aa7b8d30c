"""Passwords: which are refused wherever one is set, and one count of wrong tries for all who ask for one."""

import json

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.cache import caches
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.errors import AccountError
from accounts.models import User
from accounts.sessions import BACKEND
from games.workers import demo
from tests.api.people import PASSWORD, asking, post, refusal_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]
WEAK = ["aaaaaaab", "Winter2026", "2026!dragon!", "Theogony-2026", "20261126", "password1", "short1", "ada-lovelace"]
HOUSE, SAME_HOUSE, NEXT_HOUSE = "2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"


@pytest.fixture(autouse=True)
def fresh():
    caches["throttles"].clear()


@pytest.fixture
def ada():
    return services.sign_up(username="ada-lovelace", password=PASSWORD, mode="open")


@pytest.fixture
def root():
    return User.objects.create_superuser("root", password=PASSWORD)


@pytest.mark.parametrize("weak", WEAK)
def test_a_password_that_is_guessed_first_is_refused(weak):
    with pytest.raises(ValidationError):
        validate_password(weak, User(username="ada-lovelace"))


@pytest.mark.parametrize("strong", [PASSWORD, "Root-of-all-99", "k3#91!82-7Qz", "winter comes to the north"])
def test_a_password_of_several_words_or_by_chance_is_taken(strong):
    validate_password(strong, User(username="ada-lovelace"))


def test_wherever_a_password_is_set_a_weak_one_is_refused(ada, root, monkeypatch, settings):
    settings.SIGN_UP = "open"
    weak = "Winter2026"
    assert refusal_of(post(Client(), "sign-up/", {"username": "bob", "password": weak})) == (422, "password.weak")
    query = f'mutation {{ signUp(username: "bob", password: "{weak}") {{ ... on Refusal {{ code }} }} }}'
    answer = Client().post("/graphql/", json.dumps({"query": query}), content_type="application/json")
    assert answer.json()["data"]["signUp"] == {"code": "password.weak"}
    assert refusal_of(post(asking(ada), "me/password/", {"old": PASSWORD, "new": weak})) == (422, "password.weak")
    page = Client()
    page.force_login(root, backend=BACKEND)
    twice = {"usable_password": "true", "password1": weak, "password2": weak}
    assert b"common word" in page.post(reverse("admin:accounts_user_add"), {"username": "bob", **twice}).content
    assert b"common word" in page.post(reverse("admin:auth_user_password_change", args=[ada.pk]), twice).content
    own = {"old_password": PASSWORD, "new_password1": weak, "new_password2": weak}
    assert b"common word" in page.post("/admin/password_change/", own).content
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", weak)
    with pytest.raises(CommandError, match="common word"):
        call_command("createsuperuser", "--noinput", username="bob")
    assert not User.objects.filter(username="bob").exists()
    for user in (ada, root):
        user.refresh_from_db()
        assert user.check_password(PASSWORD)


def test_a_password_of_the_demo_is_one_that_people_could_choose():
    user = User.objects.create_user("guest")
    validate_password(demo._password(user, {}, ""), user)


def test_the_admin_is_entered_by_the_page_of_sign_in(root):
    page = Client()
    assert page.get("/admin/games/game/")["Location"] == "/admin/login/?next=/admin/games/game/"
    there = page.get("/admin/login/?next=/admin/games/game/")["Location"]
    assert there == "/oauth/log-in/?next=%2Fadmin%2Fgames%2Fgame%2F"
    back = page.post(there, {"username": "root", "password": PASSWORD, "next": "/admin/games/game/"})
    assert back["Location"] == "/admin/games/game/"
    assert page.get(back["Location"]).status_code == 200


def tries(ada, root, address):
    """A wrong password at each place that asks for one, as (place, a try)."""
    page = Client(REMOTE_ADDR=address)
    page.force_login(root, backend=BACKEND)
    known, stranger = asking(ada), Client(REMOTE_ADDR=address)
    known.defaults["REMOTE_ADDR"] = address
    own = {"old_password": "wrong", "new_password1": PASSWORD, "new_password2": PASSWORD}
    minted = 'mutation { mintToken(name: "x", username: "root", password: "wrong") { ... on Refusal { code } } }'
    return {
        "me": lambda: post(known, "me/password/", {"old": "wrong", "new": PASSWORD}),
        "tokens": lambda: post(stranger, "tokens/", {"username": "root", "password": "wrong", "name": "x"}),
        "graphql": lambda: stranger.post("/graphql/", json.dumps({"query": minted}), content_type="application/json"),
        "page": lambda: stranger.post("/oauth/log-in/", {"username": "root", "password": "wrong"}),
        "admin": lambda: page.post("/admin/password_change/", own),
    }  # fmt: skip


def test_all_who_ask_for_a_password_spend_one_budget(ada, root, settings):
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {
        **whole, "DEFAULT_THROTTLE_RATES": {**whole["DEFAULT_THROTTLE_RATES"], "token": "1/day"}
    }  # fmt: skip
    places = tries(ada, root, HOUSE)
    assert post(Client(REMOTE_ADDR=SAME_HOUSE), "tokens/", {}).status_code == 422
    for place, wrong in places.items():
        answer = wrong()
        refused = answer.status_code == 429 or b"rate.exceeded" in answer.content
        assert refused, (place, answer.status_code, answer.content)


def test_wrong_old_passwords_lock_a_name_for_its_whole_network(ada, root):
    house, same, other = (Client(REMOTE_ADDR=address) for address in (HOUSE, SAME_HOUSE, NEXT_HOUSE))
    known = asking(ada)
    wrong, right = (
        {"old": "wrong", "new": "a-long-new-one"},
        {"username": ada.username, "password": PASSWORD, "name": "x"},
    )
    for _ in range(4):
        assert refusal_of(post(known, "me/password/", wrong, REMOTE_ADDR=HOUSE)) == (409, "password.wrong")
    assert refusal_of(post(known, "me/password/", wrong, REMOTE_ADDR=SAME_HOUSE)) == (429, "login.locked")
    for client in (house, same):
        assert refusal_of(post(client, "tokens/", right)) == (429, "login.locked")
    assert post(other, "tokens/", right).status_code == 201


def test_a_wrong_old_password_in_the_admin_counts_too(root):
    page = Client()
    page.force_login(root, backend=BACKEND)
    own = {"old_password": "wrong", "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert [page.post("/admin/password_change/", own).status_code for _ in range(5)] == [200] * 4 + [429]
    page.force_login(root, backend=BACKEND)
    assert page.get("/admin/password_change/").status_code == 200
    fine = own | {"old_password": PASSWORD, "new_password1": "a-long-new-one", "new_password2": "a-long-new-one"}
    done = page.post("/admin/password_change/", fine, REMOTE_ADDR="10.9.8.7")
    assert done["Location"] == "/admin/password_change/done/"


@pytest.mark.parametrize("name", ["ada-lovelace", "free", "?"])
def test_with_a_bad_code_nobody_learns_which_names_are_taken(ada, name):
    with pytest.raises(AccountError) as refused:
        services.sign_up(username=name, password="short", email="?", invitation="wrong", mode="invitation")
    assert refused.value.code == "invitation.unusable"
