"""A forgotten password: a link by mail, or made in the admin, that works once and ends what the old one let in."""

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.errors import AccountError
from accounts.models import User
from accounts.recovery import recovery_key
from accounts.retirement import retire
from accounts.tasks import mail_recovery
from config.logs import redact
from tests.api.conftest import one_window
from tests.api.worlds import user

__all__ = ["one_window"]
pytestmark = pytest.mark.django_db
NEW = "seven lamps burn slowly"


@pytest.fixture
def posted(settings, monkeypatch) -> list[tuple[str, str]]:
    """A service that sends mail; what the worker is given, which is carried out at once."""
    settings.EMAIL_HOST = "mail.example"
    given: list[tuple[str, str]] = []

    def deliver(*args: str) -> None:
        given.append(args)  # type: ignore[arg-type]
        mail_recovery(*args)

    monkeypatch.setattr(mail_recovery, "delay", deliver)
    return given


def person(name: str = "ana", email: str = "ana@example.org") -> User:
    """Somebody with an address."""
    return services.change_profile(user(name), email=email)


def ask(email: str) -> tuple[int, str]:
    """Ask for a link: status and page."""
    answer = Client().post(reverse("forgotten-password"), {"email": email})
    return answer.status_code, answer.content.decode()


def test_a_link_by_mail_sets_a_new_password_once_and_ends_sessions_and_tokens(posted):
    ana = person()
    signed_in = Client()
    signed_in.force_login(ana)
    token, _ = services.mint_token(ana, "Laptop")
    assert ask("ANA@example.org")[0] == 200
    assert [each.to for each in mail.outbox] == [["ana@example.org"]]
    link = re.search(r"http://testserver(/new-password/\S+)", mail.outbox[0].body).group(1)
    page = Client().get(link)
    assert page.status_code == 200 and "A new password for ana" in page.content.decode()
    assert Client().post(link, {"password": NEW})["Location"] == reverse("log-in")
    assert User.objects.get(pk=ana.pk).check_password(NEW)
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert signed_in.get(reverse("choose-ruleset")).status_code == 302  # to the sign-in
    again = Client().post(link, {"password": "another long sentence"})
    assert again.status_code == 409 and "used already" in again.content.decode()
    assert User.objects.get(pk=ana.pk).check_password(NEW)


def test_known_and_unknown_addresses_are_answered_alike_and_looked_up_by_the_worker(posted, django_assert_num_queries):
    person()
    with django_assert_num_queries(0):
        known = Client().get(reverse("forgotten-password"))
    assert known.status_code == 200
    answers = [ask(email) for email in ("ana@example.org", "bob@example.org")]
    assert answers[0] == (200, answers[1][1].replace("bob@", "ana@"))
    assert [email for email, _ in posted] == ["ana@example.org", "bob@example.org"] and len(mail.outbox) == 1


def test_nobody_fills_the_mailbox_of_another_from_whatever_address_they_ask(posted):
    found = [
        Client(REMOTE_ADDR=f"198.51.100.{n}").post(reverse("forgotten-password"), {"email": "flood@example.org"})
        for n in range(40)
    ]
    taken = [answer.status_code for answer in found].count(200)
    assert found[0].status_code == 200 and found[-1].status_code == 429 and len(posted) == taken < 40


def test_an_address_that_is_none_comes_back_on_the_form(posted):
    status, page = ask("ana@")
    assert status == 422 and "no e-mail address" in page and posted == []


def test_a_service_without_mail_says_who_helps(settings):
    settings.EMAIL_HOST = ""
    page = Client().get(reverse("forgotten-password")).content.decode()
    assert "sends no mail" in page and "<form" not in page
    assert ask("ana@example.org")[0] == 409


def test_a_link_is_good_for_a_day_and_a_weak_password_keeps_it(monkeypatch):
    ana = person()
    address = reverse("new-password", args=[recovery_key(ana)])
    weak = Client().post(address, {"password": "12345678"})
    assert weak.status_code == 422 and "alert" in weak.content.decode()
    assert Client().get(address).status_code == 200
    later = datetime.now() + timedelta(days=1, minutes=1)  # Django's tokens count by the clock of the machine
    monkeypatch.setattr(default_token_generator, "_now", lambda: later)
    assert Client().get(address).status_code == 409


@pytest.mark.parametrize("key", ["x", "theopass_", "theopass_" + "0" * 70, "theopass_%00"])
def test_a_key_that_is_none_is_refused_on_a_page(key):
    answer = Client().get(f"/new-password/{key}/")
    assert answer.status_code == 409 and "ask for a new one" in answer.content.decode()


def test_who_left_or_may_not_sign_in_gets_no_link(posted):
    ana = person()
    key = recovery_key(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert Client().get(reverse("new-password", args=[key])).status_code == 409
    with pytest.raises(AccountError, match="may not sign in"):
        recovery_key(User.objects.get(pk=ana.pk))
    ask("ana@example.org")
    retire(User.objects.get(pk=ana.pk), by=None)
    ask("ana@example.org")
    assert mail.outbox == []


def test_the_admin_makes_a_link_and_staff_none_for_staff(client):
    ana, root = person(), User.objects.create_superuser("root", password=NEW)
    client.force_login(root)
    chosen = {"action": "link_for_password", "_selected_action": [str(ana.pk)]}
    page = client.post(reverse("admin:accounts_user_changelist"), chosen, follow=True).content.decode()
    key = re.search(r"/new-password/(theopass_\w+)/", page).group(1)
    assert Client().get(reverse("new-password", args=[key])).status_code == 200
    helper = user("helper")
    User.objects.filter(pk=helper.pk).update(is_staff=True)
    grant_users(helper)
    client.force_login(User.objects.get(pk=helper.pk))
    page = client.post(
        reverse("admin:accounts_user_changelist"), chosen | {"_selected_action": [str(root.pk)]}, follow=True
    ).content.decode()
    assert "theopass_" not in page and "a superuser makes links for staff" in page


def grant_users(helper: User) -> None:
    """Let somebody look at users and change them in the admin."""
    from_admin = ("view_user", "change_user")
    permission = helper.user_permissions.model
    helper.user_permissions.add(*permission.objects.filter(codename__in=from_admin, content_type__app_label="accounts"))


def test_no_log_shows_a_key():
    key = recovery_key(person())
    assert redact(f"GET /new-password/{key}/") == "GET /new-password/theopass_[hidden]/"


def test_the_sign_in_page_leads_to_both(settings):
    page = Client().get(reverse("log-in") + "?next=/games/new/").content.decode()
    assert reverse("forgotten-password") in page and f"{reverse('sign-up-page')}?next=/games/new/" in page
    settings.SIGN_UP = "closed"
    page = Client().get(reverse("log-in")).content.decode()
    assert reverse("forgotten-password") in page and reverse("sign-up-page") not in page
