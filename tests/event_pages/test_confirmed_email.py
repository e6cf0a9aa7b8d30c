"""An e-mail address is confirmed by a mailed link: once, within a day, and for the address to which it went."""

import json
import re
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.confirmation import KEYS
from accounts.models import User
from accounts.recovery import recovery_key
from accounts.retirement import retire
from accounts.tasks import mail_confirmation
from config.logs import redact
from tests.api.conftest import one_window
from tests.api.worlds import user

__all__ = ["one_window"]
pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/me/email-confirmation/"
MUTATION = (
    "mutation { sendEmailConfirmation { ... on EmailConfirmationSent { email } ... on Refusal { code status } } }"
)


@pytest.fixture
def posted(settings, monkeypatch) -> list[tuple[str, ...]]:
    """A service that sends mail; what the worker is given, which is carried out at once."""
    settings.EMAIL_HOST = "mail.example"
    given: list[tuple[str, ...]] = []

    def deliver(*args: str) -> None:
        given.append(args)
        mail_confirmation(*args)

    monkeypatch.setattr(mail_confirmation, "delay", deliver)
    return given


def person(name: str = "ana", email: str = "ana@confirm.example") -> User:
    """Somebody with an address."""
    return services.change_profile(user(name), email=email)


def headers_of(somebody: User, scopes: tuple[str, ...] = ("read", "play")) -> dict[str, str]:
    """A token of theirs."""
    return {"Authorization": f"Bearer {services.mint_token(somebody, 'Laptop', scopes)[1]}"}


def link_in(message: mail.EmailMessage) -> str:
    """The address in a mail, without its host."""
    found = re.search(r"http://testserver(/confirm-email/\S+)", message.body)
    assert found is not None
    return found.group(1)


def is_confirmed(somebody: User) -> bool:
    """As it is in the rows."""
    return User.objects.get(pk=somebody.pk).has_confirmed_email


def test_a_mailed_link_confirms_the_address_once_it_is_pressed_and_without_a_sign_in(posted):
    ana = person()
    headers = headers_of(ana)
    assert Client().get("/api/v1/me/", headers=headers).json()["email_confirmed"] is False
    answer = Client().post(ADDRESS, headers=headers)
    assert (answer.status_code, answer.json()) == (202, {"email": "ana@confirm.example"})
    assert [each.to for each in mail.outbox] == [["ana@confirm.example"]]
    link = link_in(mail.outbox[0])
    page = Client().get(link).content.decode()
    assert "ana@confirm.example" in page and "<form" in page and not is_confirmed(ana)  # opening it is not enough
    done = Client().post(link)
    assert done.status_code == 200 and "Confirmed" in done.content.decode() and is_confirmed(ana)
    assert "sessionid" not in done.cookies  # it lets nobody in
    assert Client().get("/api/v1/me/", headers=headers).json()["email_confirmed"] is True
    assert [Client().get(link).status_code, Client().post(link).status_code] == [409, 409]
    again = Client().post(ADDRESS, headers=headers)
    assert (again.status_code, again.json()["code"], len(mail.outbox)) == (409, "email.confirmed", 1)


def test_graphql_sends_the_same_link_and_refuses_alike(posted):
    ana = person()
    headers = headers_of(ana)

    def ask(query: str) -> dict:
        sent = Client().post(
            "/graphql/", json.dumps({"query": query}), content_type="application/json", headers=headers
        )
        return sent.json()["data"]

    assert ask(MUTATION) == {"sendEmailConfirmation": {"email": "ana@confirm.example"}}
    assert Client().post(link_in(mail.outbox[0])).status_code == 200
    assert ask("{ me { email emailConfirmed } }") == {"me": {"email": "ana@confirm.example", "emailConfirmed": True}}
    assert ask(MUTATION) == {"sendEmailConfirmation": {"code": "email.confirmed", "status": 409}}


def test_another_address_ends_the_link_and_is_unconfirmed(posted):
    ana = person()
    former = reverse("confirm-email", args=[KEYS.key_for(ana)])
    assert Client().post(former).status_code == 200
    services.change_profile(User.objects.get(pk=ana.pk), email="ana@other.example")
    assert not is_confirmed(ana)
    pending = reverse("confirm-email", args=[KEYS.key_for(User.objects.get(pk=ana.pk))])
    services.change_profile(User.objects.get(pk=ana.pk), email="ana@third.example")
    assert Client().post(pending).status_code == 409 and not is_confirmed(ana)


def test_a_letter_that_waits_for_the_worker_goes_to_no_address_that_was_changed_meanwhile(settings):
    ana = person()
    services.change_profile(ana, email="ana@other.example")
    mail_confirmation(str(ana.pk), "ana@confirm.example", "http://testserver/confirm-email/")
    assert mail.outbox == []


def test_a_link_is_good_for_a_day(monkeypatch):
    ana = person()
    address = reverse("confirm-email", args=[KEYS.key_for(ana)])
    assert Client().get(address).status_code == 200
    later = datetime.now() + timedelta(days=1, minutes=1)  # Django's tokens count by the clock of the machine
    monkeypatch.setattr(KEYS.generator, "_now", lambda: later)
    assert Client().post(address).status_code == 409 and not is_confirmed(ana)


def test_a_key_for_one_purpose_is_worth_nothing_for_the_other():
    ana = person()
    confirms, recovers = KEYS.key_for(ana), recovery_key(ana)
    for key in (recovers, recovers.replace("theopass", "theomail")):
        assert Client().post(reverse("confirm-email", args=[key])).status_code == 409
    for key in (confirms, confirms.replace("theomail", "theopass")):
        assert Client().get(reverse("new-password", args=[key])).status_code == 409
    assert not is_confirmed(ana)


def test_what_cannot_be_sent_is_refused_and_says_why(posted, settings):
    bob = headers_of(user("bob"))
    assert Client().post(ADDRESS, headers=bob).json()["code"] == "email.missing"
    ana = person()
    assert Client().post(ADDRESS).status_code == 401
    assert Client().post(ADDRESS, headers=headers_of(ana, ("read",))).status_code == 403
    settings.EMAIL_HOST = ""
    refused = Client().post(ADDRESS, headers=headers_of(ana))
    assert (refused.status_code, refused.json()["code"]) == (409, "mail.none")
    assert posted == []


def test_nobody_fills_the_mailbox_of_another(posted):
    headers = headers_of(person(email="flood@confirm.example"))
    found = [Client(REMOTE_ADDR=f"198.51.100.{n}").post(ADDRESS, headers=headers).status_code for n in range(40)]
    assert found[0] == 202 and found[-1] == 429 and len(posted) == found.count(202) < 40


@pytest.mark.parametrize("key", ["x", "theomail_", "theomail_" + "0" * 70, "theomail_%00"])
def test_a_key_that_is_none_is_refused_on_a_page(key):
    answer = Client().get(f"/confirm-email/{key}/")
    assert answer.status_code == 409 and "ask for a new one" in answer.content.decode()


def test_who_left_or_may_not_sign_in_confirms_nothing():
    ana = person()
    address = reverse("confirm-email", args=[KEYS.key_for(ana)])
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert Client().post(address).status_code == 409
    User.objects.filter(pk=ana.pk).update(is_active=True)
    assert Client().post(address).status_code == 200
    retire(User.objects.get(pk=ana.pk), by=None)
    assert User.objects.get(pk=ana.pk).confirmed_email == ""


def test_no_log_shows_a_key():
    key = KEYS.key_for(person())
    assert redact(f"GET /confirm-email/{key}/") == "GET /confirm-email/theomail_[hidden]/"
