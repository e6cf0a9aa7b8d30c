"""Endpoints over REST and GraphQL: made, read, changed, deleted, refused; the webhooks that they made; in the admin."""

from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from accounts.models import Scope, User, WebhookEndpoint
from api.common.authentication import Principal
from api.webhooks import endpoints, subscriptions
from api.webhooks.endpoints import Wish
from games.models import Webhook
from tests.api.people import asking, post, refusal_of
from tests.faults.shared import another
from tests.webhooks.receivers import Receiver
from tests.webhooks.subscribed import Subscribed
from tests.webhooks.test_endpoints import look

pytestmark = pytest.mark.skipif(
    bool(settings.PLACES), reason="A transaction keeps to one place: with two, tests/places/test_webhook_endpoints.py."
)
URL = "https://hooks.example.com/theogony"
PARTS = {
    "WebhookEndpointMade": "secret webhookEndpoint { id url kinds isActive reason }",
    "WebhookEndpointChanged": "webhookEndpoint { id url kinds isActive reason }",
    "WebhookEndpointDeleted": "id",
    "WebhookChanged": "webhook { id isActive reason endpoint }",
    "WebhookDeleted": "id",
    "WebhookMade": "secret",
}
MISSING = "00000000-0000-4000-8000-00000000dead"


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    caches["throttles"].clear()


def graph(client: Client, query: str) -> Any:
    answer = client.post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def mutate(client: Client, name: str, arguments: str, done: str) -> Any:
    parts = f"__typename ... on {done} {{ {PARTS[done]} }} ... on Refusal {{ code }}"
    return graph(client, f"mutation {{ {name}({arguments}) {{ {parts} }} }}")[name]


def patch(client: Client, address: str, body: dict[str, Any]) -> Any:
    return client.patch(address, body, content_type="application/json")


def test_one_is_made_read_changed_and_deleted_over_rest(game: Subscribed):
    second = another(game.cairns, '{"tide_seconds": 3600}')
    ann = asking(game.cairns.ann)
    made = post(ann, "me/webhook-endpoints/", {"url": URL, "kinds": ["toy.StonesAdded", "core.SeatTaken"]})
    assert made.status_code == 201 and made["Cache-Control"] == "no-store"
    row = made.json()
    assert row["secret"].startswith("whsec_")
    here, rows = f"/api/v1/me/webhook-endpoints/{row['id']}/", f"/api/v1/me/webhooks/?endpoint={row['id']}"
    shown = ann.get(here).json()
    assert shown == {name: value for name, value in row.items() if name != "secret"}
    assert ann.get("/api/v1/me/webhook-endpoints/").json() == {"results": [shown]}
    webhooks = ann.get(rows).json()["results"]
    assert {each["game"] for each in webhooks} == {str(game.cairns.game.pk), str(second.game.pk)}
    assert {each["endpoint"] for each in webhooks} == {row["id"]}
    assert ann.get("/api/v1/me/webhooks/").json() == {"results": []}
    changed = patch(ann, here, {"kinds": [], "is_active": False}).json()
    assert (changed["kinds"], changed["is_active"], changed["reason"]) == ([], False, "owner.off")
    assert {(each["is_active"], each["reason"]) for each in ann.get(rows).json()["results"]} == {
        (False, "endpoint.off")
    }
    on = patch(ann, here, {"is_active": True, "url": f"{URL}/2"}).json()
    assert (on["url"], on["is_active"], on["reason"]) == (f"{URL}/2", True, "")
    assert {(each["is_active"], each["url"]) for each in ann.get(rows).json()["results"]} == {(True, f"{URL}/2")}
    again = ann.post(f"{here}secret/")
    assert again.status_code == 201 and again["Cache-Control"] == "no-store"
    assert again.json()["secret"] != row["secret"] and again.json()["old_secret_until"]
    assert ann.delete(here).status_code == 204
    assert refusal_of(ann.get(here)) == (404, "thing.missing")
    assert refusal_of(ann.get(rows)) == (404, "thing.missing")
    assert not Webhook.objects.exists()


def test_the_same_in_graphql(game: Subscribed):
    ann = asking(game.cairns.ann)
    made = mutate(ann, "createWebhookEndpoint", f'url: "{URL}", kinds: ["toy.StonesAdded"]', "WebhookEndpointMade")
    assert made["secret"].startswith("whsec_")
    row = made["webhookEndpoint"]
    assert graph(ann, "{ webhookEndpoints { id url kinds isActive reason } }")["webhookEndpoints"] == [row]
    key = f'id: "{row["id"]}"'
    rows = f'{{ webhooks(endpoint: "{row["id"]}") {{ endpoint game kinds }} webhooksByHand: webhooks {{ id }} }}'
    assert graph(ann, rows) == {
        "webhooks": [{"endpoint": row["id"], "game": str(game.cairns.game.pk), "kinds": ["toy.StonesAdded"]}],
        "webhooksByHand": [],
    }
    changed = mutate(ann, "changeWebhookEndpoint", f"{key}, kinds: [], isActive: false", "WebhookEndpointChanged")
    assert changed["webhookEndpoint"] == row | {"kinds": [], "isActive": False, "reason": "owner.off"}
    again = mutate(ann, "rotateWebhookEndpointSecret", key, "WebhookEndpointMade")
    assert again["secret"] not in ("", made["secret"])
    assert mutate(ann, "deleteWebhookEndpoint", key, "WebhookEndpointDeleted")["id"] == row["id"]
    assert mutate(ann, "deleteWebhookEndpoint", key, "WebhookEndpointDeleted")["code"] == "thing.missing"
    missing = ann.post("/graphql/", {"query": rows}, content_type="application/json").json()
    assert missing["errors"][0]["extensions"]["code"] == "thing.missing"
    assert not Webhook.objects.exists()


def over_rest(client: Client, body: dict[str, Any]) -> str:
    return str(post(client, "me/webhook-endpoints/", body).json().get("code", ""))


def over_graphql(client: Client, body: dict[str, Any]) -> str:
    texts = (f"{name}: {str(value).replace(chr(39), chr(34))}" for name, value in body.items() if name != "url")
    arguments = ", ".join([f'url: "{body["url"]}"', *texts])
    return str(mutate(client, "createWebhookEndpoint", arguments, "WebhookEndpointMade").get("code", ""))


@pytest.mark.parametrize("ask", [over_rest, over_graphql])
def test_what_is_refused_has_its_code(game: Subscribed, ask, settings, monkeypatch):
    settings.WEBHOOK_PRIVATE_NETS = False
    monkeypatch.setattr(subscriptions, "MAX_WEBHOOKS", 2)
    ann, body = asking(game.cairns.ann), {"url": URL}
    assert ask(Client(), body) == "token.needed"
    assert ask(asking(game.cairns.ann, Scope.READ), body) == "token.scope"
    assert ask(ann, {"url": "https://127.0.0.1/"}) == "webhook.address"
    assert ask(ann, {"url": "x" * 3000}) == "body.invalid"
    assert ask(ann, body | {"kinds": ["toy.StonesAdded", "toy.Nothing"]}) == "webhook.kinds"
    assert not WebhookEndpoint.objects.exists() and not Webhook.objects.exists()
    another(game.cairns)
    assert ask(ann, body) == ""
    assert Webhook.objects.count() == 2, "those that an endpoint made are not counted"
    assert post(ann, "me/webhooks/", {"game": str(game.cairns.game.pk), "url": URL}).status_code == 201
    assert ask(ann, body) == "webhooks.many"
    assert refusal_of(post(ann, "me/webhooks/", {"game": str(game.cairns.game.pk), "url": URL})) == (
        409,
        "webhooks.many",
    )
    assert ask(asking(game.cairns.bob), body) == ""


def test_a_webhook_of_an_endpoint_is_tested_and_switched_and_changed_in_nothing_else(
    game: Subscribed, receiver: Receiver
):
    ann = asking(game.cairns.ann)
    row = post(ann, "me/webhook-endpoints/", {"url": receiver.url()}).json()
    webhook = Webhook.objects.get()
    here, key = f"/api/v1/me/webhooks/{webhook.pk}/", f'id: "{webhook.pk}"'
    for refused in (
        patch(ann, here, {"url": URL}), patch(ann, here, {"kinds": []}), ann.post(f"{here}secret/"), ann.delete(here),
    ):  # fmt: skip
        assert refusal_of(refused) == (409, "webhook.of_endpoint")
        assert refused.json()["facts"]["endpoint"] == row["id"]
    for name, arguments, done in (
        ("changeWebhook", f"{key}, kinds: []", "WebhookChanged"), ("rotateWebhookSecret", key, "WebhookMade"),
        ("deleteWebhook", key, "WebhookDeleted"),
    ):  # fmt: skip
        assert mutate(ann, name, arguments, done)["code"] == "webhook.of_endpoint"
    after = Webhook.objects.get()
    assert (after.url, after.kinds, after.secret) == (webhook.url, webhook.kinds, webhook.secret)
    test = ann.post(f"{here}test/")
    game.now = Webhook.objects.get().next_try_at
    game.deliver_all()
    assert receiver.ids() == [test.json()["id"]]
    again = ann.post(f"{here}deliveries/{test.json()['id']}/replay/")
    assert (test.status_code, again.status_code) == (202, 202)
    assert [each["state"] for each in ann.get(f"{here}deliveries/").json()["results"]] == ["pending"]
    assert patch(ann, here, {"is_active": False}).json()["reason"] == "owner.off"
    assert patch(ann, here, {"is_active": True}).json()["reason"] == ""


def test_what_its_endpoint_or_the_seat_keeps_off_is_not_switched_on(game: Subscribed):
    ann = asking(game.cairns.ann)
    made, _ = endpoints.create(Principal(game.cairns.ann), Wish("https://a.example/"), game.now)
    here = f"/api/v1/me/webhooks/{Webhook.objects.get().pk}/"
    endpoints.change(made, game.now, is_active=False)
    assert refusal_of(patch(ann, here, {"is_active": True})) == (409, "webhook.of_endpoint")
    endpoints.change(made, game.now, is_active=True)
    game.cairns.game.seats.filter(user=game.cairns.ann).update(user=None)
    game.add_stones(1, game.cairns.bob)
    look(game)
    refused = patch(ann, here, {"is_active": True})
    assert refusal_of(refused) == (409, "webhook.of_endpoint") and refused.json()["facts"]["reason"] == "seat.left"
    endpoints.change(made, game.now, is_active=True)
    assert Webhook.objects.get().reason == "seat.left"


def test_those_of_others_are_missing_whatever_is_asked(game: Subscribed):
    made, secret = endpoints.create(Principal(game.cairns.ann), Wish(URL), game.now)
    bob, here = asking(game.cairns.bob), f"/api/v1/me/webhook-endpoints/{made.pk}/"
    asked = [
        bob.get(here), patch(bob, here, {"is_active": False}), bob.delete(here), bob.post(f"{here}secret/"),
        bob.get(f"/api/v1/me/webhooks/?endpoint={made.pk}"), bob.get(f"/api/v1/me/webhooks/?endpoint={MISSING}"),
    ]  # fmt: skip
    assert {refusal_of(answer) for answer in asked} == {(404, "thing.missing")}
    assert refusal_of(bob.get("/api/v1/me/webhooks/?endpoint=x")) == (422, "query.invalid")
    assert bob.get("/api/v1/me/webhook-endpoints/").json() == {"results": []}
    made.refresh_from_db()
    assert made.is_active and made.secret == secret
    assert not endpoints.endpoints_for(Principal()).exists()


def test_an_administrator_looks_at_one_and_switches_it_off_in_all_games(game: Subscribed):
    made, secret = endpoints.create(Principal(game.cairns.ann), Wish(URL), game.now)
    root = Client()
    root.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    pages = [
        root.get(reverse("admin:accounts_webhookendpoint_changelist")),
        root.get(reverse("admin:accounts_webhookendpoint_change", args=[made.pk])),
        root.get(reverse("admin:games_webhook_change", args=[Webhook.objects.get().pk])),
        asking(game.cairns.ann).get("/api/v1/me/webhook-endpoints/"),
    ]
    assert {page.status_code for page in pages} == {200}
    assert all(URL in page.content.decode() and secret not in page.content.decode() for page in pages)
    address = reverse("admin:accounts_webhookendpoint_switch_off", args=[made.pk])
    assert root.get(address).status_code == 200
    assert Webhook.objects.get().is_active, "a look changes nothing"
    looker = Client()
    looker.force_login(User.objects.create_user(username="looker", password="x", is_staff=True))
    assert looker.post(address).status_code in (302, 403, 404)
    assert Webhook.objects.get().is_active
    assert root.post(address).status_code == 302
    made.refresh_from_db()
    assert (made.is_active, made.reason) == (False, "admin.off")
    assert Webhook.objects.get().reason == "endpoint.off"
    root.post(reverse("admin:accounts_webhookendpoint_change", args=[made.pk]), {"url": "https://other.example/"})
    assert WebhookEndpoint.objects.get().url == URL


def test_what_an_endpoint_has_left_behind_is_deleted_by_hand(game: Subscribed):
    """A request that deletes an endpoint may be killed between the endpoint and its webhooks."""
    endpoints.create(Principal(game.cairns.ann), Wish("https://a.example/"), game.now)
    Webhook.objects.update(is_active=False, reason="receiver.gone")
    WebhookEndpoint.objects.all().delete()
    assert asking(game.cairns.ann).delete(f"/api/v1/me/webhooks/{Webhook.objects.get().pk}/").status_code == 204
    assert not Webhook.objects.exists()
