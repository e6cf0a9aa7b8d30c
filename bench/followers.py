"""What is prepared for `bench/subscribers.py`, from within: webhooks of one game, and the event that they wait for."""

import json
from typing import Any
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from core.ids import in_slot_of
from games import registry, services
from games.engine.kernel import Actor, Issuer
from games.gods2.rules.history.commands import NamePlace
from games.models import Game, Seat, Webhook
from worlds.models import City

PER_PERSON = 20
SECRET = "whsec_" + 32 * "A"


def _game() -> Game:
    return Game.objects.order_by("pk")[0]


def subscribe(count: str, url: str, event: str) -> dict[str, Any]:
    """So many webhooks of one game for one kind of event, of people who only watch, from what happens next."""
    game, now, wanted = _game(), timezone.now(), int(count)
    kinds = json.dumps([registry.event_type(game.ruleset, event)])
    people = User.objects.bulk_create(
        User(username=f"subscriber-{number}", password="!") for number in range(-(-wanted // PER_PERSON))
    )
    Webhook.objects.bulk_create(
        [
            Webhook(
                id=in_slot_of(game.pk, uuid4()), game=game, user=people[number // PER_PERSON], url=url,
                kinds=kinds, secret=SECRET, seq=game.seq, next_try_at=now, created_at=now,
            )
            for number in range(wanted)
        ],
        batch_size=1_000,
    )  # fmt: skip
    return {"webhooks": wanted}


def happen() -> dict[str, Any]:
    """One public event of that game."""
    game = _game()
    leader = Seat.objects.get(game=game, role="gm")
    city = City.objects.filter(race__world=game.world_id).order_by("id")[0]
    name = NamePlace(kind="city", subject=city.pk, name="Tidings")
    services.run(game.pk, name, actor=Actor(Issuer.GM, game.opened_by_id, leader.pk))
    return {"seq": Game.objects.get(pk=game.pk).seq}
