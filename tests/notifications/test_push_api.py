"""Browsers that take pushes: whose they are, what is shown of them, which addresses and keys are taken."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import PushSubscription, Scope, User
from accounts.retirement import retire
from api.notifications import browsers, web_push
from api.notifications.wishes import wishes_for
from games.models import NotificationKind
from tests.api.worlds import bearer
from tests.notifications.pushed import VAPID_PRIVATE_KEY, VAPID_SUBJECT, Browser
from tests.notifications.told import Told

OWN = "/api/v1/me/push-subscriptions/"
RENEWALS = "/api/v1/push-renewals/"
ROOT = Path(__file__).resolve().parents[2]
ENDPOINT = "https://push.example.net/wpush/v2/a-long-secret"


@pytest.fixture(autouse=True)
def configured(settings) -> None:
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = VAPID_PRIVATE_KEY, VAPID_SUBJECT


@pytest.fixture
def ann(game: Told) -> User:
    return game.cairns.ann


def ask(user: User, method: str, address: str = OWN, body: Any = None) -> Any:
    return getattr(Client(), method)(address, body, content_type="application/json", headers=bearer(user))


def graphql(user: User, query: str, **variables: Any) -> Any:
    sent = {"query": query, "variables": variables}
    return Client().post("/graphql/", sent, content_type="application/json", headers=bearer(user)).json()["data"]


def test_a_browser_is_listed_by_host_and_label_and_its_secrets_never_come_out(ann: User) -> None:
    given = Browser(ENDPOINT).given
    made = ask(ann, "post", body=given | {"label": "Phone"})
    listed = ask(ann, "get")
    assert made.status_code == 201 and set(made.json()) == {"id", "host", "label", "created_at"}
    assert listed.json() == {"public_key": web_push.public_key(), "results": [made.json()]}
    assert (made.json()["host"], made.json()["label"]) == ("push.example.net", "Phone")
    browser = Client()
    browser.force_login(ann)
    page = browser.get("/notifications/").content.decode()
    found = graphql(ann, "{ pushSubscriptions { id host label createdAt } pushKey }")
    assert found["pushKey"] == web_push.public_key() and found["pushSubscriptions"][0]["host"] == "push.example.net"
    for shown in (made.content.decode(), listed.content.decode(), page, str(found)):
        assert "push.example.net" in shown
        assert not any(secret in shown for secret in (*given.values(), "a-long-secret"))


def test_the_same_endpoint_again_is_the_same_browser_with_its_new_keys(ann: User) -> None:
    first = ask(ann, "post", body=Browser(ENDPOINT).given).json()
    again = Browser(ENDPOINT).given
    second = ask(ann, "post", body=again).json()
    assert first["id"] == second["id"] and first["created_at"] == second["created_at"]
    assert PushSubscription.objects.get().p256dh == again["p256dh"]


def renewal(former: Browser, now: Browser) -> dict[str, str]:
    return {"former_endpoint": former.endpoint, "former_auth": former.given["auth"], **now.given}


def renew(body: dict[str, str]) -> Any:
    return Client().post(RENEWALS, body, content_type="application/json")


def test_a_renewed_subscription_takes_the_place_of_the_former_with_nobody_signed_in(ann: User) -> None:
    former, now = Browser(ENDPOINT), Browser(f"{ENDPOINT}/renewed", auth=b"fedcba9876543210")
    made = ask(ann, "post", body=former.given | {"label": "Phone"}).json()
    assert renew(renewal(former, now)).json() == made
    (row,) = PushSubscription.objects.all()
    assert {"endpoint": row.endpoint, "p256dh": row.p256dh, "auth": row.auth} == now.given
    assert (row.user, row.label, str(row.pk)) == (ann, "Phone", made["id"])
    assert renew(renewal(former, now)).json() == made, "the same again changes nothing"
    assert renew(renewal(now, former)).status_code == 200, "and it may be renewed again"
    assert PushSubscription.objects.get().endpoint == ENDPOINT


def test_graphql_renews_as_rest_does(ann: User) -> None:
    former, now = Browser(ENDPOINT), Browser(f"{ENDPOINT}/renewed")
    ask(ann, "post", body=former.given)
    query = """mutation($f: String!, $s: String!, $e: String!, $p: String!, $a: String!) {
        renewPushSubscription(formerEndpoint: $f, formerAuth: $s, endpoint: $e, p256dh: $p, auth: $a) {
          ... on PushSubscriptionRenewed { pushSubscription { host } } ... on Refusal { code } } }"""
    values = dict(zip("fsepa", renewal(former, now).values(), strict=True))

    def answer(**variables: str) -> Any:
        sent = {"query": query, "variables": variables}
        found = Client().post("/graphql/", sent, content_type="application/json").json()["data"]
        return found["renewPushSubscription"]

    assert answer(**values | {"s": "AAAA"}) == {"code": "thing.missing"}
    assert answer(**values) == {"pushSubscription": {"host": "push.example.net"}}
    assert PushSubscription.objects.get().endpoint == now.endpoint


def test_nobody_leads_the_pushes_of_another_elsewhere_without_the_secret(game: Told, ann: User) -> None:
    """The kind: an endpoint, which its push service knows too, that is enough to be told what its owner is."""
    former, other = Browser(ENDPOINT), Browser(f"{ENDPOINT}/other")
    ask(ann, "post", body=former.given)
    wrong = renewal(former, other)
    for each in (wrong | {"former_auth": other.given["auth"][::-1]}, wrong | {"former_endpoint": f"{ENDPOINT}/none"}):
        refused = renew(each)
        assert (refused.status_code, refused.json()["code"]) == (404, "thing.missing")
    for each, code in (({"endpoint": "https://127.0.0.1/x"}, "push.endpoint"), ({"p256dh": "AAAA"}, "push.key")):
        refused = renew(wrong | each)
        assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert renew({"endpoint": ENDPOINT}).status_code == 422
    assert PushSubscription.objects.get().endpoint == ENDPOINT
    retire(ann)
    assert renew(wrong).status_code == 404


def test_a_renewed_endpoint_that_somebody_else_had_is_theirs_no_more(game: Told, ann: User) -> None:
    former, now = Browser(ENDPOINT), Browser(f"{ENDPOINT}/renewed")
    ask(ann, "post", body=former.given)
    ask(game.cairns.bob, "post", body=now.given)
    assert renew(renewal(former, now)).status_code == 200
    assert [(row.user, row.endpoint) for row in PushSubscription.objects.all()] == [(ann, now.endpoint)]


def test_without_a_key_nothing_is_renewed(ann: User, settings) -> None:
    former, now = Browser(ENDPOINT), Browser(f"{ENDPOINT}/renewed")
    ask(ann, "post", body=former.given)
    settings.VAPID_PRIVATE_KEY = ""
    assert renew(renewal(former, now)).json()["code"] == "push.none"


def test_one_more_than_the_most_is_refused_and_a_former_one_is_not(ann: User) -> None:
    for number in range(browsers.MAX_SUBSCRIPTIONS):
        assert ask(ann, "post", body=Browser(f"{ENDPOINT}/{number}").given).status_code == 201
    refused = ask(ann, "post", body=Browser(ENDPOINT).given)
    assert (refused.status_code, refused.json()["code"]) == (409, "push_subscriptions.many")
    assert ask(ann, "post", body=Browser(f"{ENDPOINT}/0").given).status_code == 201
    assert PushSubscription.objects.count() == browsers.MAX_SUBSCRIPTIONS


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/x",
        "https://127.0.0.1/x",
        "https://0x7f000001/x",
        "https://10.0.0.8/x",
        "https://169.254.169.254/x",
        "https://localhost/x",
        "https://redis.internal/x",
        "https://[::1]/x",
        "https://[2001:4860:4860::8888]/x",
        "https://who:word@push.example.net/x",
        "https://push.example.net/x#y",
        "ftp://push.example.net/x",
    ],
)
def test_an_endpoint_that_is_no_public_address_is_refused(ann: User, endpoint: str) -> None:
    refused = ask(ann, "post", body=Browser(endpoint).given)
    assert (refused.status_code, refused.json()["code"]) == (422, "push.endpoint")
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"p256dh": "B" + "A" * 86},  # a point that is not on the curve
        {"p256dh": "AAAA"},
        {"p256dh": "*" * 87},
        {"p256dh": "é" * 87},
        {"auth": "AAAA"},
        {"auth": "MDEyMzQ1Njc4OWFiY2RlZjA"},
    ],
)
def test_a_key_that_is_none_is_refused(ann: User, wrong: dict[str, str]) -> None:
    refused = ask(ann, "post", body=Browser(ENDPOINT).given | wrong)
    assert (refused.status_code, refused.json()["code"]) == (422, "push.key")
    assert not PushSubscription.objects.exists()


def test_others_neither_see_nor_delete_a_browser(game: Told, ann: User) -> None:
    bob = game.cairns.bob
    made = ask(ann, "post", body=Browser(ENDPOINT).given).json()["id"]
    assert ask(bob, "get").json()["results"] == [] == graphql(bob, "{ pushSubscriptions { id } }")["pushSubscriptions"]
    deletion = "mutation($id: UUID!) { deletePushSubscription(id: $id) { __typename } }"
    for missing in (made, str(uuid4())):
        assert ask(bob, "delete", f"{OWN}{missing}/").status_code == 404
        assert (graphql(bob, deletion, id=missing) or {}).get("deletePushSubscription") in (
            None,
            {"__typename": "Refusal"},
        )
    browser = Client()
    browser.force_login(bob)
    assert browser.post("/notifications/", {"unsubscribe": made}).status_code == 404
    assert PushSubscription.objects.get().user == ann
    assert ask(ann, "delete", f"{OWN}{made}/").status_code == 204
    assert not PushSubscription.objects.exists()


def test_nobody_and_tokens_that_may_only_read_make_none(ann: User) -> None:
    given = Browser(ENDPOINT).given
    assert Client().get(OWN).status_code == 401
    assert Client().post(OWN, given, content_type="application/json").status_code == 401
    read = bearer(ann, Scope.READ)
    assert Client().post(OWN, given, content_type="application/json", headers=read).status_code == 403
    assert not PushSubscription.objects.exists()


def test_graphql_makes_and_deletes_one_as_rest_does(ann: User) -> None:
    making = """mutation($e: String!, $p: String!, $a: String!) {
        createPushSubscription(endpoint: $e, p256dh: $p, auth: $a, label: "Desk") {
          ... on PushSubscriptionMade { pushSubscription { id host label } } ... on Refusal { code } } }"""
    given = Browser(ENDPOINT).given
    made = graphql(ann, making, e=ENDPOINT, p=given["p256dh"], a=given["auth"])["createPushSubscription"]
    assert made["pushSubscription"]["label"] == "Desk"
    refused = graphql(ann, making, e="https://localhost/", p=given["p256dh"], a=given["auth"])
    assert refused["createPushSubscription"]["code"] == "push.endpoint"
    deletion = "mutation($id: UUID!) { deletePushSubscription(id: $id) { ... on PushSubscriptionDeleted { id } } }"
    pk = made["pushSubscription"]["id"]
    assert graphql(ann, deletion, id=pk) == {"deletePushSubscription": {"id": pk}}
    assert not PushSubscription.objects.exists()


def test_kinds_are_set_on_every_way_and_the_page_asks_for_them(ann: User) -> None:
    address = "/api/v1/me/notification-settings/"
    assert ask(ann, "patch", address, {"push_kinds_off": ["chapter", "over"]}).json()["push_kinds_off"] == [
        "chapter",
        "over",
    ]
    changing = """mutation { changeNotificationSettings(pushKindsOff: ["over"]) {
        ... on NotificationSettingsChanged { settings { pushKindsOff } } } }"""
    changed = graphql(ann, changing)["changeNotificationSettings"]["settings"]
    assert changed == {"pushKindsOff": ["over"]}
    browser = Client()
    browser.force_login(ann)
    form = {"time_zone": "UTC", "deadline_hours": "6", "kind": list(NotificationKind), "push": ["asked", "turn"]}
    assert browser.post("/notifications/", form).status_code == 302
    assert set(wishes_for(ann.pk).push_kinds_off) == set(NotificationKind) - {"asked", "turn"}


def test_without_a_key_the_page_says_so_and_nothing_is_taken_or_changed(ann: User, settings) -> None:
    ask(ann, "patch", "/api/v1/me/notification-settings/", {"push_kinds_off": ["over"]})
    settings.VAPID_PRIVATE_KEY = ""
    browser = Client()
    browser.force_login(ann)
    page = browser.get("/notifications/").content.decode()
    assert "This service pushes nothing to browsers" in page and "push.js" not in page
    form = {"time_zone": "UTC", "deadline_hours": "6", "kind": list(NotificationKind)}
    assert browser.post("/notifications/", form).status_code == 302
    assert wishes_for(ann.pk).push_kinds_off == ("over",)
    refused = ask(ann, "post", body=Browser(ENDPOINT).given)
    assert (refused.status_code, refused.json()["code"]) == (409, "push.none")
    assert ask(ann, "get").json()["public_key"] == ""
    assert browser.post("/notifications/", Browser(ENDPOINT).given | {"label": ""}).status_code == 422


def test_the_page_subscribes_with_the_csrf_token_alone_and_removes(ann: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ann)
    page = browser.get("/notifications/").content.decode()
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[:1])
    given = Browser(ENDPOINT).given | {"label": "<b>Desk</b>"}
    assert browser.post("/notifications/", given).status_code == 403
    assert browser.post("/notifications/", given | {"csrfmiddlewaretoken": token}).status_code == 302
    shown = browser.get("/notifications/").content.decode()
    assert "&lt;b&gt;Desk&lt;/b&gt;" in shown and "<b>Desk" not in shown
    gone = {"unsubscribe": str(PushSubscription.objects.get().pk), "csrfmiddlewaretoken": token}
    assert browser.post("/notifications/", gone).status_code == 302
    assert not PushSubscription.objects.exists()


def test_the_worker_of_pushes_has_a_policy_a_type_and_no_page_in_its_scope(ann: User) -> None:
    answer = Client().get("/notifications/push-worker.js")
    assert answer["Content-Type"].startswith("text/javascript") and answer["Cache-Control"] == "no-cache"
    assert answer["Content-Security-Policy"] == "default-src 'none'; connect-src 'self'"
    browser = Client()
    browser.force_login(ann)
    page = browser.get("/notifications/").content.decode()
    assert f'data-key="{web_push.public_key()}"' in page
    assert 'data-worker="/notifications/push-worker.js" data-scope="/notifications/push-worker.js"' in page


def test_the_line_of_the_docs_makes_a_key(settings) -> None:
    page = (ROOT / "docs/notifications.md").read_text()
    (line,) = re.findall(r"^python -c .*$", page, re.M)
    made = subprocess.run(line.replace("python", sys.executable, 1), shell=True, capture_output=True, text=True)
    settings.VAPID_PRIVATE_KEY = made.stdout.strip()
    assert re.fullmatch(r"[\w-]{43}", settings.VAPID_PRIVATE_KEY), made.stderr
    assert re.fullmatch(r"B[\w-]{86}", web_push.public_key())


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "subject", "fault"),
    [
        ("a-secret-that-is-none", VAPID_SUBJECT, "VAPID_PRIVATE_KEY"),
        (VAPID_PRIVATE_KEY, "operator@games.example", "VAPID_SUBJECT"),
        (VAPID_PRIVATE_KEY, "", "VAPID_SUBJECT"),
    ],
)
def test_a_service_with_half_a_key_says_so_at_start_and_shows_no_key(
    tmp_path: Path, key: str, subject: str, fault: str
) -> None:
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DEBUG": "1"}
    environment |= {"VAPID_PRIVATE_KEY": key, "VAPID_SUBJECT": subject}
    start = [sys.executable, "-c", "import config.settings"]
    done = subprocess.run(start, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and fault in done.stderr and key not in done.stderr
