"""The way of docs/webhooks.md: its example reads a message as the service posts it, and its tables are the code's."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from standardwebhooks import WebhookVerificationError

from api.outbound import posting
from api.representations.resources.webhooks import SubscribeSerializer, WebhookEndpointWishSerializer
from api.webhooks import attempts, delivery, endpoint_rows, endpoints, messages, subscriptions
from tests.webhooks.receivers import receiving
from tests.webhooks.subscribed import subscribed

PAGE = (Path(__file__).parent.parent / "docs" / "webhooks.md").read_text()


@pytest.mark.django_db
def test_the_example_takes_a_message_of_the_service_and_no_other(settings):
    settings.WEBHOOK_PRIVATE_NETS = True
    names: dict[str, Any] = {}
    found = re.search(r"<!-- example: verify -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    exec(found[1], names)
    game = subscribed()
    with receiving() as receiver:
        webhook = game.subscribe(game.cairns.ann, receiver.url())
        game.add_stones(2)
        game.now = timezone.now()  # the library of a receiver has no other clock
        game.deliver_all()
        _, headers, body = receiver.got[0]
    events = names["events_of"](webhook.secret, headers, body)
    assert next(event["type"] for event in events) == "toy.StonesAdded"
    for secret, changed in ((webhook.secret, body.replace(b"Stones", b"Coins")), (subscriptions.new_secret(), body)):
        with pytest.raises(WebhookVerificationError):
            names["events_of"](secret, headers, changed)


def test_the_page_says_the_numbers_of_the_code():
    for text in (
        f"has {subscriptions.MAX_WEBHOOKS} at most", f"at most {messages.MAX_EVENTS} of them and",
        f"{messages.MAX_BODY_BYTES // 1000} kB", f"the last {delivery.KEPT_DELIVERIES}",
    ):  # fmt: skip
        assert text in PAGE.replace(" a person", "").replace("a person ", ""), text
    assert (posting.TOTAL_SECONDS, attempts.GIVE_UP.days, subscriptions.ROTATION.days) == (10, 3, 1)
    assert attempts.PAUSES_SECONDS == (5, 30, 120, 600, 1800, 3600, 10_800, 21_600)
    assert "5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h and then every 6 h" in PAGE


def test_the_page_names_every_field_and_address():
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(SubscribeSerializer().fields)
    assert {*WebhookEndpointWishSerializer().fields} < {*SubscribeSerializer().fields}
    key = "00000000-0000-4000-8000-00000000dead"
    for name, more in (("webhooks", ()), ("webhook", (key,)), ("webhook-secret", (key,)), ("webhook-test", (key,)),
                       ("deliveries", (key,)), ("delivery-replay", (key, key)), ("webhook-endpoints", ()),
                       ("webhook-endpoint", (key,)), ("webhook-endpoint-secret", (key,))):  # fmt: skip
        assert reverse(name, args=more).replace(key, "<id>").removeprefix("/api/v1/") in PAGE


def test_the_page_names_the_reasons_and_the_bound_of_endpoints():
    for reason in (endpoint_rows.SEAT_LEFT, endpoint_rows.ENDPOINT_OFF):
        assert f"(`{reason}`)" in PAGE
    assert f"the newest {endpoints.MAX_SHOWN};" in PAGE
