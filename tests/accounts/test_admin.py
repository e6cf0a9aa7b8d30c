"""Users, tokens and invitations in the admin, as an administrator uses them."""

import pytest
from axes.models import AccessAttempt
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts import keys, services
from accounts.models import Invitation, Token, User

pytestmark = pytest.mark.django_db
PASSWORD = "seven-gates-of-horn"


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password=PASSWORD)


@pytest.fixture
def page(root) -> Client:
    client = Client()
    client.force_login(root)
    return client


@pytest.mark.parametrize("model", ["user", "token", "invitation"])
def test_lists_can_be_searched_and_cost_few_queries(page, root, model, django_assert_max_num_queries):
    for n in range(10):
        services.mint_token(User.objects.create_user(f"user{n}"), f"token {n}")
        services.invite(root, note=f"user{n}")
    with django_assert_max_num_queries(14):
        answer = page.get(reverse(f"admin:accounts_{model}_changelist"), {"q": "user3"})
    assert answer.status_code == 200
    assert b"user3" in answer.content
    assert b"user4" not in answer.content


def test_an_administrator_makes_a_user_and_changes_the_password(page):
    form = {"username": "bob", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    assert page.post(reverse("admin:accounts_user_add"), form).status_code == 302
    bob = User.objects.get(username="bob")
    assert bob.check_password(PASSWORD)
    change = reverse("admin:accounts_user_change", args=[bob.pk])
    assert b"../password/" in page.get(change).content
    form = {"usable_password": "true", "password1": "a-long-new-one", "password2": "a-long-new-one"}
    assert page.post(reverse("admin:auth_user_password_change", args=[bob.pk]), form).status_code == 302
    bob.refresh_from_db()
    assert bob.check_password("a-long-new-one")


NEW = "nine-rivers-of-ash"


@pytest.mark.parametrize("usable", ["true", "false"])
def test_a_password_that_an_administrator_sets_or_takes_revokes_the_tokens(page, usable):
    """The kind: whatever sets a password ends what was let in by the old one."""
    bob = User.objects.create_user("bob", password=PASSWORD)
    token, _ = services.mint_token(bob, "laptop")
    address = reverse("admin:auth_user_password_change", args=[bob.pk])
    given = {"password1": NEW, "password2": NEW} if usable == "true" else {"unset-password": "1"}
    assert page.post(address, {"usable_password": usable, **given}).status_code == 302
    bob.refresh_from_db()
    token.refresh_from_db()
    assert bob.check_password(NEW) is (usable == "true") and token.revoked_at is not None


def test_an_own_new_password_in_the_admin_revokes_the_own_tokens(page, root):
    token, _ = services.mint_token(root, "laptop")
    sent = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert page.post(reverse("admin:password_change"), sent).status_code == 302
    root.refresh_from_db()
    token.refresh_from_db()
    assert root.check_password(NEW) and token.revoked_at is not None


def test_the_admin_refuses_a_name_that_differs_in_case_alone(page):
    form = {"username": "ROOT", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    answer = page.post(reverse("admin:accounts_user_add"), form)
    assert answer.status_code == 200
    assert User.objects.count() == 1


def test_the_admin_shows_neither_token_nor_digest_and_makes_none(page, root):
    token, plain = services.mint_token(root, "mine")
    for address in (
        reverse("admin:accounts_token_changelist"),
        reverse("admin:accounts_token_change", args=[token.pk]),
        reverse("admin:accounts_user_change", args=[root.pk]),
    ):
        text = page.get(address).content.decode()
        assert plain[13:] not in text
        assert token.digest not in text
    assert page.get(reverse("admin:accounts_token_add")).status_code == 403


def test_tokens_are_revoked_from_the_list(page, root):
    token, plain = services.mint_token(root, "mine")
    form = {"action": "revoke", "_selected_action": [str(token.pk)]}
    page.post(reverse("admin:accounts_token_changelist"), form)
    assert Token.objects.get().revoked_at is not None
    assert services.authenticate_token(plain) is None
    worthless = page.get(reverse("admin:accounts_token_changelist"), {"live": "0"})
    assert token.prefix in worthless.content.decode()


def test_all_tokens_of_a_user_are_revoked_from_the_list_of_users(page, root):
    _, plain = services.mint_token(root, "mine")
    form = {"action": "revoke_tokens", "_selected_action": [str(root.pk)]}
    page.post(reverse("admin:accounts_user_changelist"), form)
    assert services.authenticate_token(plain) is None


def test_a_new_invitation_shows_its_code_once(page):
    form = {"note": "for Bob", "role": "player", "uses_left": "1", "expires_at_0": "", "expires_at_1": ""}
    answer = page.post(reverse("admin:accounts_invitation_add"), form)
    assert answer.status_code == 302
    text = " ".join(str(message) for message in get_messages(answer.wsgi_request))
    found = keys.INVITATION_SHAPE.search(text)
    assert found is not None
    row = Invitation.objects.get()
    assert row.digest == keys.digest(found[0])
    assert found[0] in page.get(reverse("admin:accounts_invitation_changelist")).content.decode()
    assert found[0] not in page.get(reverse("admin:accounts_invitation_changelist")).content.decode()
    assert found[0] not in page.get(reverse("admin:accounts_invitation_change", args=[row.pk])).content.decode()
    page.post(
        reverse("admin:accounts_invitation_changelist"), {"action": "withdraw", "_selected_action": [str(row.pk)]}
    )
    assert Invitation.objects.get().uses_left == 0


def test_an_impossible_invitation_is_refused_in_the_form(page):
    form = {"note": "", "role": "player", "uses_left": "0", "expires_at_0": "", "expires_at_1": ""}
    answer = page.post(reverse("admin:accounts_invitation_add"), form)
    assert answer.status_code == 200
    assert b"An invitation serves 1 to 1000 people." in answer.content
    assert not Invitation.objects.exists()


def test_five_wrong_passwords_lock_the_page_of_sign_in_in_whatever_case_the_name_is_written(root):
    client, address = Client(), reverse("log-in")
    spellings = ["root", "ROOT", "Root", "rOOt"]
    for name in spellings:
        assert client.post(address, {"username": name, "password": "wrong"}).status_code == 200
    assert client.post(address, {"username": "root", "password": "wrong"}).status_code == 429
    locked = client.post(address, {"username": "root", "password": PASSWORD})
    assert locked.status_code == 429
    assert locked["Retry-After"] == "900"
    assert AccessAttempt.objects.count() == 1
    assert PASSWORD not in str(list(AccessAttempt.objects.values()))
    elsewhere = client.post(address, {"username": "root", "password": PASSWORD}, REMOTE_ADDR="10.9.8.7")
    assert elsewhere.status_code == 302
