"""One endpoint of a person with games in both buckets: each game's webhook lies where the game lies."""

import pytest
from django.test import Client

from accounts.models import WebhookEndpoint
from api.notifications import following
from core.ids import slot_of
from core.places import routing
from games.models import Webhook
from tests.api.people import asking, post
from tests.games.cairns import NOON, Cairns
from tests.places.games import in_its_place, one_in_each

pytestmark = pytest.mark.django_db(transaction=True)
URL = "https://hooks.example.com/theogony"


@pytest.fixture(autouse=True)
def any_address(settings) -> None:
    settings.WEBHOOK_PRIVATE_NETS = True


def webhooks_of(*games: Cairns) -> list[list[Webhook]]:
    """The webhooks in the place of each game."""
    return [in_its_place(game, lambda of: list(Webhook.objects.all())) for game in games]


def test_it_is_made_changed_and_deleted_in_each_place():
    first, second = one_in_each()
    ann = asking(first.ann)
    made = post(ann, "me/webhook-endpoints/", {"url": URL}).json()
    for game, rows in zip((first, second), webhooks_of(first, second), strict=True):
        assert [(row.game_id, slot_of(row.pk)) for row in rows] == [(game.game.pk, slot_of(game.game.pk))]
    listed = ann.get(f"/api/v1/me/webhooks/?endpoint={made['id']}").json()["results"]
    assert {each["game"] for each in listed} == {str(first.game.pk), str(second.game.pk)}
    assert ann.get(f"/api/v1/me/webhooks/{listed[0]['id']}/").json() == listed[0]

    here = f"/api/v1/me/webhook-endpoints/{made['id']}/"
    ann.patch(here, {"url": f"{URL}/2", "is_active": False}, content_type="application/json")
    secret = ann.post(f"{here}secret/").json()["secret"]
    for (row,) in webhooks_of(first, second):
        assert (row.url, row.reason, row.secret) == (f"{URL}/2", "endpoint.off", secret)
    assert ann.delete(here).status_code == 204
    assert webhooks_of(first, second) == [[], []] and routing.current() is None


def test_the_same_in_graphql_whichever_slot_its_id_has():
    first, second = one_in_each()
    ann = asking(first.ann)
    for digits in ("001", "fff"):
        made = post(ann, "me/webhook-endpoints/", {"url": URL}).json()["id"]
        key = digits + made[3:]
        WebhookEndpoint.objects.filter(pk=made).update(id=key)
        for place in routing.every_place():
            with routing.at_place(place):
                Webhook.objects.filter(endpoint=made).delete()
        asked(ann, f'mutation {{ changeWebhookEndpoint(id: "{key}", isActive: true) {{ __typename }} }}')
        assert [len(rows) for rows in webhooks_of(first, second)] == [1, 1]
        found = asked(ann, f'{{ webhooks(endpoint: "{key}") {{ game }} webhookEndpoints {{ id }} }}')
        assert len(found["webhooks"]) == 2 and found["webhookEndpoints"] == [{"id": key}]
        asked(ann, f'mutation {{ deleteWebhookEndpoint(id: "{key}") {{ __typename }} }}')
        assert webhooks_of(first, second) == [[], []]


def asked(client: Client, query: str) -> dict:
    answer = client.post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def test_a_look_makes_the_webhook_of_a_game_in_its_place():
    first, second = one_in_each()
    made = WebhookEndpoint.objects.create(user=first.ann, url=URL, secret="whsec_x")
    for game in (first, second):
        with routing.at(game.game.pk):
            assert following.look_at(game.game.pk, NOON)
    for game, rows in zip((first, second), webhooks_of(first, second), strict=True):
        assert [(row.game_id, row.endpoint, row.seq) for row in rows] == [(game.game.pk, made.pk, 0)]
