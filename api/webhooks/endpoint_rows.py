"""The webhooks that an endpoint has: one in each game in which its person holds a seat, kept as the endpoint says.

Whoever makes or changes them holds the endpoint's lock and reads it behind that, so that none is made of what was
changed or deleted meanwhile. A transaction is within one place. What a killed worker has left undone is done when the
game next moves.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F

from accounts.models import WebhookEndpoint
from api.webhooks.attempts import OFF, columns_of_start
from api.webhooks.kinds import kinds_within
from core.ids import derived_id
from core.places import routing
from games.engine.game_state import Status
from games.models import Game, Seat, Webhook

SEAT_LEFT, ENDPOINT_OFF = "seat.left", "endpoint.off"
BY_ENDPOINT = ("", SEAT_LEFT, ENDPOINT_OFF, "game.missing")
"""Reasons that come and go with the endpoint and the seat; what its owner or an administrator has switched off in one
game stays off."""
BY_RECEIVER = ("receiver.gone", "receiver.failing")
COPIED = ("url", "secret", "old_secret", "old_secret_until")
"""Columns of an endpoint that its webhooks have, too."""
logger = structlog.get_logger(__name__)


def bring_webhooks_of_game(game: Game, since: int, users: Collection[UUID], now: datetime) -> None:
    """Bring the webhooks that endpoints have in a game that has moved to what they should be.

    In the caller's transaction; two queries where nothing is to be done. since: number of the last event that was there
    at the look before; new ones begin behind it, so that nothing is missed since somebody took a seat. users: who holds
    the game's seats.
    """
    endpoints = list(WebhookEndpoint.objects.filter(user__in=users)) if users else []
    rows = list(Webhook.objects.filter(game=game, endpoint__isnull=False))
    is_settled = all(_difference(game.ruleset, row, endpoints, now) == {} for row in rows)
    if is_settled and not _missing(game, endpoints, rows):
        return
    concerned = {endpoint.pk for endpoint in endpoints} | {row.endpoint for row in rows if row.endpoint is not None}
    locked = list(WebhookEndpoint.objects.select_for_update().filter(pk__in=concerned).order_by("pk"))
    gone = concerned - {endpoint.pk for endpoint in locked}
    Webhook.objects.filter(game=game, endpoint__in=gone).delete()
    seated = [endpoint for endpoint in locked if endpoint.user_id in users]
    rows = list(Webhook.objects.filter(game=game, endpoint__isnull=False))
    for row in rows:
        _apply([row.pk], _difference(game.ruleset, row, seated, now))
    _make(game, _missing(game, seated, rows), since, now)


def bring_webhooks_of_endpoint(endpoint_id: UUID, now: datetime, *, revives: bool = False) -> None:
    """Bring the webhooks of an endpoint in all games to what it says; those that are missing begin with what happens
    next.

    revives: whether those go on, too, whose receiver was gone or failing. A transaction in each place, and one for each
    game that has none yet.
    """
    for place in routing.every_place():
        missing: list[UUID] = []
        with routing.at_hand(place):
            missing = _bring_here(endpoint_id, now, revives=revives)
        for game_id in missing:
            with routing.making(game_id):
                _make_in(endpoint_id, game_id, now)


def delete_webhooks_of_endpoint(endpoint_id: UUID) -> None:
    """Delete those of an endpoint that was deleted, with their messages."""
    for place in routing.every_place():
        with routing.at_hand(place):
            Webhook.objects.filter(endpoint=endpoint_id).delete()


@transaction.atomic
def _bring_here(endpoint_id: UUID, now: datetime, *, revives: bool) -> list[UUID]:
    """Those of the place in force that exist; in which games one is missing."""
    endpoint = WebhookEndpoint.objects.select_for_update().filter(pk=endpoint_id).first()
    if endpoint is None:
        return []
    held = Seat.objects.filter(user=endpoint.user_id).values_list("game_id", "game__ruleset", "game__status").distinct()
    games = {game: (ruleset, status) for game, ruleset, status in held.order_by("game_id")}
    alike: dict[tuple[tuple[str, Any], ...] | None, list[UUID]] = {}
    rows = list(Webhook.objects.filter(endpoint=endpoint_id).annotate(ruleset=F("game__ruleset")))
    for row in rows:
        seated = [endpoint] if row.game_id in games else []
        columns = _difference(row.ruleset, row, seated, now, revives=revives)
        alike.setdefault(None if columns is None else tuple(columns.items()), []).append(row.pk)
    for same, keys in alike.items():
        _apply(keys, None if same is None else dict(same))
    there = {row.game_id for row in rows}
    return [
        game
        for game, (ruleset, status) in games.items()
        if game not in there and status != Status.FINISHED and kinds_within(endpoint.kinds, ruleset) is not None
    ]


def _make_in(endpoint_id: UUID, game_id: UUID, now: datetime) -> None:
    """The webhook of an endpoint in a game, where its person still holds a seat there."""
    endpoint = WebhookEndpoint.objects.select_for_update().filter(pk=endpoint_id).first()
    game = Game.objects.filter(pk=game_id).first()
    if endpoint is not None and game is not None and Seat.objects.filter(game=game, user=endpoint.user_id).exists():
        _make(game, [endpoint], game.seq, now)


def _webhook_id(game_id: UUID, endpoint_id: UUID) -> UUID:
    """That of an endpoint's webhook in a game: two who make it at once make one."""
    return derived_id(game_id, f"webhook:{endpoint_id}")


def _missing(game: Game, seated: Iterable[WebhookEndpoint], rows: Iterable[Webhook]) -> list[WebhookEndpoint]:
    there = {row.endpoint for row in rows}
    return [each for each in seated if each.pk not in there and kinds_within(each.kinds, game.ruleset) is not None]


def _make(game: Game, endpoints: Iterable[WebhookEndpoint], since: int, now: datetime) -> None:
    made = [
        Webhook(
            id=_webhook_id(game.pk, each.pk), game=game, user_id=each.user_id, application=each.application,
            endpoint=each.pk, kinds=kinds, is_active=each.is_active,
            reason="" if each.is_active else ENDPOINT_OFF, seq=since, next_try_at=now, created_at=now,
            **{name: getattr(each, name) for name in COPIED},
        )
        for each in endpoints
        if (kinds := kinds_within(each.kinds, game.ruleset)) is not None
    ]  # fmt: skip
    if made:
        Webhook.objects.bulk_create(made, ignore_conflicts=True)
        logger.info("webhooks_made", game=str(game.pk), made=len(made))


def _difference(
    ruleset: str, row: Webhook, seated: Iterable[WebhookEndpoint], now: datetime, *, revives: bool = False
) -> dict[str, Any] | None:
    """The columns in which a webhook is not as it should be; None where there should be none, as its endpoint wants
    nothing of the ruleset.

    seated: endpoints of those who hold a seat in its game. What is switched off is left as it is otherwise, until it
    goes on.
    """
    endpoint = next((each for each in seated if each.pk == row.endpoint), None)
    columns: dict[str, Any] = {}
    if endpoint is not None:
        kinds = kinds_within(endpoint.kinds, ruleset)
        if kinds is None:
            return None
        copies = {name: getattr(endpoint, name) for name in COPIED} | {"kinds": kinds}
        columns = {name: value for name, value in copies.items() if getattr(row, name) != value}
    reason = _reason(row, endpoint, revives=revives)
    if reason != row.reason or (revives and not reason and row.failures):
        columns |= OFF | {"reason": reason} if reason else columns_of_start(now)
    return columns


def _reason(row: Webhook, endpoint: WebhookEndpoint | None, *, revives: bool) -> str:
    """Why a webhook should be off; "" where it should be on."""
    if row.reason not in BY_ENDPOINT and not (revives and row.reason in BY_RECEIVER):
        return row.reason
    if endpoint is None:
        return SEAT_LEFT
    return "" if endpoint.is_active else ENDPOINT_OFF


def _apply(keys: list[UUID], columns: dict[str, Any] | None) -> None:
    rows = Webhook.objects.filter(pk__in=keys)
    if columns is None:
        rows.delete()
    elif columns:
        rows.update(**columns)
