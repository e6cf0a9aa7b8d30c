"""Webhooks over REST and GraphQL: made, read, changed, tested, replayed, refused; and in the admin."""

from typing import Any
from uuid import UUID

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from accounts.models import Scope, User
from api.common.authentication import Principal
from api.webhooks import subscriptions
from games.models import Webhook
from tests.api.people import asking, post, refusal_of
from tests.webhooks.receivers import Receiver
from tests.webhooks.subscribed import Subscribed

URL = "https://hooks.example.com/theogony"
DONE = {"createWebhook": "WebhookMade", "changeWebhook": "WebhookChanged", "deleteWebhook": "WebhookDeleted",
        "rotateWebhookSecret": "WebhookMade",
        "testWebhook": "DeliveryQueued", "replayDelivery": "DeliveryQueued"}  # fmt: skip
PARTS = {
    "WebhookMade": "secret webhook { id url kinds isActive reason game }",
    "WebhookChanged": "webhook { id url kinds isActive reason game }",
    "WebhookDeleted": "id",
    "DeliveryQueued": "delivery { id isTest state }",
}


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    caches["throttles"].clear()


def graph(client: Client, query: str) -> Any:
    answer = client.post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def mutate(client: Client, name: str, arguments: str) -> Any:
    done = DONE[name]
    parts = f"__typename ... on {done} {{ {PARTS[done]} }} ... on Refusal {{ code }}"
    return graph(client, f"mutation {{ {name}({arguments}) {{ {parts} }} }}")[name]


def test_one_is_made_read_changed_and_deleted_over_rest(game: Subscribed):
    ann = asking(game.cairns.ann)
    made = post(ann, "me/webhooks/", {"game": str(game.cairns.game.pk), "url": URL, "kinds": ["toy.StonesAdded"]})
    assert made.status_code == 201 and made["Cache-Control"] == "no-store"
    row = made.json()
    assert row["secret"].startswith("whsec_")
    assert UUID(row["id"]).hex[:3] == game.cairns.game.pk.hex[:3], "it lies where its game lies"
    here = f"/api/v1/me/webhooks/{row['id']}/"
    shown = ann.get(here).json()
    assert shown == {name: value for name, value in row.items() if name != "secret"}
    assert ann.get("/api/v1/me/webhooks/").json() == {"results": [shown]}
    changed = ann.patch(here, {"kinds": [], "is_active": False}, content_type="application/json").json()
    assert (changed["kinds"], changed["is_active"], changed["reason"]) == ([], False, "owner.off")
    on = ann.patch(here, {"is_active": True, "url": f"{URL}/2"}, content_type="application/json").json()
    assert (on["url"], on["is_active"], on["reason"]) == (f"{URL}/2", True, "")
    again = ann.post(f"{here}secret/")
    assert again.status_code == 201 and again["Cache-Control"] == "no-store"
    assert again.json()["secret"] != row["secret"] and again.json()["old_secret_until"]
    assert ann.delete(here).status_code == 204
    assert refusal_of(ann.get(here)) == (404, "thing.missing")


def test_messages_are_listed_tested_and_replayed_over_rest(game: Subscribed, receiver: Receiver):
    ann = asking(game.cairns.ann)
    made = post(ann, "me/webhooks/", {"game": str(game.cairns.game.pk), "url": receiver.url()}).json()
    here = f"/api/v1/me/webhooks/{made['id']}/"
    test = ann.post(f"{here}test/")
    assert (test.status_code, test.json()["is_test"], test.json()["state"]) == (202, True, "pending")
    game.now = Webhook.objects.get().next_try_at
    game.deliver_all()
    listed = ann.get(f"{here}deliveries/").json()["results"]
    assert [(row["id"], row["state"], row["status"], row["attempts"]) for row in listed] == [
        (test.json()["id"], "delivered", 200, 1)
    ]
    again = ann.post(f"{here}deliveries/{listed[0]['id']}/replay/")
    assert (again.status_code, again.json()["state"]) == (202, "pending")
    game.now = Webhook.objects.get().next_try_at
    game.deliver_all()
    assert receiver.ids() == [listed[0]["id"]] * 2
    assert refusal_of(ann.post(f"{here}deliveries/{game.cairns.game.pk}/replay/")) == (404, "thing.missing")
    ann.patch(here, {"is_active": False}, content_type="application/json")
    assert refusal_of(ann.post(f"{here}test/")) == (409, "webhook.off")
    assert refusal_of(ann.post(f"{here}deliveries/{listed[0]['id']}/replay/")) == (409, "webhook.off")


def test_the_same_in_graphql(game: Subscribed, receiver: Receiver):
    ann = asking(game.cairns.ann)
    made = mutate(
        ann, "createWebhook", f'game: "{game.cairns.game.pk}", url: "{receiver.url()}", kinds: ["toy.StonesAdded"]'
    )
    assert made["secret"].startswith("whsec_")
    row = made["webhook"]
    assert graph(ann, "{ webhooks { id url kinds isActive reason game } }")["webhooks"] == [row]
    key = f'id: "{row["id"]}"'
    assert mutate(ann, "changeWebhook", f"{key}, kinds: []")["webhook"]["kinds"] == []
    assert mutate(ann, "rotateWebhookSecret", key)["secret"] != made["secret"]
    queued = mutate(ann, "testWebhook", key)["delivery"]
    game.now = Webhook.objects.get().next_try_at
    game.deliver_all()
    rows = graph(ann, f"{{ deliveries({key}) {{ id isTest state status }} }}")["deliveries"]
    assert rows == [{"id": queued["id"], "isTest": True, "state": "delivered", "status": 200}]
    assert mutate(ann, "replayDelivery", f'{key}, delivery: "{queued["id"]}"')["delivery"]["state"] == "pending"
    assert mutate(ann, "changeWebhook", f"{key}, isActive: false")["webhook"]["reason"] == "owner.off"
    assert mutate(ann, "testWebhook", key)["code"] == "webhook.off"
    assert mutate(ann, "deleteWebhook", key)["id"] == row["id"]
    assert mutate(ann, "deleteWebhook", key)["code"] == "thing.missing"


def over_rest(client: Client, body: dict[str, Any]) -> str:
    return str(post(client, "me/webhooks/", body).json().get("code", ""))


def over_graphql(client: Client, body: dict[str, Any]) -> str:
    names = {"as_gm": "asGm"}
    texts = (f"{names.get(k, k)}: {str(v).lower() if isinstance(v, bool) else _text(v)}" for k, v in body.items())
    return str(mutate(client, "createWebhook", ", ".join(texts)).get("code", ""))


def _text(value: Any) -> str:
    return str(value).replace("'", '"') if isinstance(value, list) else f'"{value}"'


@pytest.mark.parametrize("ask", [over_rest, over_graphql])
def test_what_is_refused_has_its_code(game: Subscribed, ask, settings):
    settings.WEBHOOK_PRIVATE_NETS = False
    ann, here = asking(game.cairns.ann), str(game.cairns.game.pk)
    bob = game.cairns.seat(game.cairns.bob)
    body = {"game": here, "url": URL}
    assert ask(Client(), body) == "token.needed"
    assert ask(asking(game.cairns.ann, Scope.READ), body) == "token.scope"
    assert ask(asking(game.cairns.host, Scope.READ, Scope.PLAY), {**body, "as_gm": True}) == "token.scope"
    assert ask(ann, {**body, "as_gm": True}) == "gm.missing"
    assert ask(ann, {**body, "seat": str(bob)}) == "seat.missing"
    assert ask(ann, {**body, "game": "00000000-0000-4000-8000-00000000dead"}) == "game.missing"
    assert ask(ann, {**body, "url": "https://127.0.0.1/"}) == "webhook.address"
    assert ask(ann, {**body, "kinds": ["toy.Nothing"]}) == "webhook.kinds"
    assert ask(ann, {**body, "url": "x" * 3000}) == "body.invalid"
    assert not Webhook.objects.exists()
    assert ask(ann, body) == ""
    assert ask(asking(game.cairns.host), {**body, "as_gm": True}) == ""


def test_a_private_game_is_missing_for_who_may_not_see_it(game: Subscribed):
    type(game.cairns.game).objects.update(is_public=False)
    eve = User.objects.create_user(username="eve", password="x")
    body = {"game": str(game.cairns.game.pk), "url": URL}
    assert refusal_of(post(asking(eve), "me/webhooks/", body)) == (404, "game.missing")


def test_a_person_has_so_many_and_no_more(game: Subscribed, monkeypatch):
    monkeypatch.setattr(subscriptions, "MAX_WEBHOOKS", 2)
    body = {"game": str(game.cairns.game.pk), "url": URL}
    ann = asking(game.cairns.ann)
    answers = [post(ann, "me/webhooks/", body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[2].json()["code"] == "webhooks.many"
    assert post(asking(game.cairns.bob), "me/webhooks/", body).status_code == 201


def test_those_of_others_are_missing_whatever_is_asked(game: Subscribed):
    webhook = game.subscribe(game.cairns.ann, URL)
    row = subscriptions.send_test(webhook, game.now)
    bob, here = asking(game.cairns.bob), f"/api/v1/me/webhooks/{webhook.pk}/"
    asked = [
        bob.get(here), bob.patch(here, {"is_active": False}, content_type="application/json"), bob.delete(here),
        bob.post(f"{here}secret/"), bob.post(f"{here}test/"), bob.get(f"{here}deliveries/"),
        bob.post(f"{here}deliveries/{row.pk}/replay/"),
    ]  # fmt: skip
    assert {refusal_of(answer) for answer in asked} == {(404, "thing.missing")}
    assert bob.get("/api/v1/me/webhooks/").json() == {"results": []}
    assert Webhook.objects.get().is_active


def test_no_answer_but_that_to_the_making_holds_a_secret(game: Subscribed):
    webhook = game.subscribe(game.cairns.ann, URL)
    subscriptions.rotate(webhook, game.now)
    ann, here = asking(game.cairns.ann), f"/api/v1/me/webhooks/{webhook.pk}/"
    root = Client()
    root.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    answers = [
        ann.get("/api/v1/me/webhooks/"), ann.get(here), ann.get(f"{here}deliveries/"),
        root.get(reverse("admin:games_webhook_changelist")),
        root.get(reverse("admin:games_webhook_change", args=[webhook.pk])),
    ]  # fmt: skip
    text = "".join(answer.content.decode() for answer in answers)
    assert {answer.status_code for answer in answers} == {200}
    assert URL in text
    assert webhook.secret not in text and webhook.old_secret not in text


def test_an_administrator_switches_one_off_and_changes_nothing_else(game: Subscribed):
    webhook = game.subscribe(game.cairns.ann, URL)
    root = Client()
    root.force_login(User.objects.create_superuser("root", password="seven-gates-of-horn"))
    address = reverse("admin:games_webhook_switch_off", args=[webhook.pk])
    assert root.get(address).status_code == 200
    assert Webhook.objects.get().is_active, "a look changes nothing"
    assert root.post(address).status_code == 302
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.reason) == (False, "admin.off")
    root.post(reverse("admin:games_webhook_change", args=[webhook.pk]), {"url": "https://other.example/"})
    assert Webhook.objects.get().url == URL


def test_those_who_may_only_look_in_the_admin_switch_nothing_off(game: Subscribed):
    webhook = game.subscribe(game.cairns.ann, URL)
    looker = User.objects.create_user(username="looker", password="x", is_staff=True)
    client = Client()
    client.force_login(looker)
    assert client.post(reverse("admin:games_webhook_switch_off", args=[webhook.pk])).status_code in (302, 403, 404)
    assert Webhook.objects.get().is_active


def test_nobody_has_none(db):
    assert subscriptions.webhooks_for(Principal()) == []
