"""The browsers of people that take pushes: each is a subscription, made, renewed and deleted here by REST and GraphQL,
and by pages.

One endpoint is one browser, and belongs to the person who subscribed with it last. It never comes out again, nor do
the keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.utils.crypto import constant_time_compare

from accounts.models import PushSubscription, User
from api.common.exceptions import Fault
from api.notifications import web_push
from api.outbound.addresses import require_public

MAX_SUBSCRIPTIONS = 10
"""Of one person."""
MAX_LABEL_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Wish:
    """A subscription as a browser gives it. p256dh, auth: its keys, as base64url. label: what its owner calls it."""

    endpoint: str
    p256dh: str
    auth: str
    label: str = ""


def subscriptions_of(user: UUID) -> list[PushSubscription]:
    """Those of one person, the newest first: one query."""
    return list(PushSubscription.objects.filter(user=user))


def subscriptions_by_person() -> Mapping[UUID, list[PushSubscription]]:
    """All there are: one query."""
    found: dict[UUID, list[PushSubscription]] = {}
    for each in PushSubscription.objects.filter(user__is_active=True):
        found.setdefault(each.user_id, []).append(each)
    return found


def host_of(subscription: PushSubscription) -> str:
    """The host of its push service: as much of the endpoint as is shown."""
    return urlsplit(subscription.endpoint).hostname or ""


def subscribe(user: UUID, wish: Wish, now: datetime) -> PushSubscription:
    """Let a browser take what its owner is told from now on; the same endpoint again is the same browser.

    Raises Fault (push.none, push.endpoint, push.key, push_subscriptions.many).
    """
    _require_usable(wish)
    digest = _digest(wish.endpoint)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user)  # two at once are counted one after the other
        own = PushSubscription.objects.filter(user=user)
        if own.exclude(digest=digest).count() >= MAX_SUBSCRIPTIONS:
            message = f"You have {MAX_SUBSCRIPTIONS} browsers that take pushes; remove one first."
            raise Fault("push_subscriptions.many", message)
        PushSubscription.objects.filter(digest=digest).exclude(user=user).delete()  # nothing of theirs goes there now
        keys = {"p256dh": wish.p256dh, "auth": wish.auth, "label": wish.label}
        made, _ = PushSubscription.objects.update_or_create(
            digest=digest,
            defaults=keys,
            create_defaults=keys | {"user_id": user, "endpoint": wish.endpoint, "created_at": now},
        )
    return made


def renew(former: str, former_auth: str, wish: Wish) -> PushSubscription:
    """Put the renewed subscription of a browser in the place of its former one: its owner and its label stay.

    former, former_auth: the endpoint and the secret of that one, which the browser, its push service and we know, and
    the secret not even its push service. The same again changes nothing. Raises Fault (push.none, push.endpoint,
    push.key), Http404 where there is no such subscription.
    """
    _require_usable(wish)
    digest = _digest(wish.endpoint)
    with transaction.atomic():
        rows = PushSubscription.objects.select_for_update().filter(user__is_active=True)
        known = {row.digest: row for row in rows.filter(digest__in={digest, _digest(former)})}
        row, again = known.get(_digest(former)), known.get(digest)
        if row is None and again is not None and constant_time_compare(again.auth, wish.auth):
            return again
        if row is None or not constant_time_compare(row.auth, former_auth):
            raise Http404
        if again is not None and again.pk != row.pk:
            again.delete()
        row.endpoint, row.digest, row.p256dh, row.auth = wish.endpoint, digest, wish.p256dh, wish.auth
        row.save(update_fields=["endpoint", "digest", "p256dh", "auth"])
    return row


def unsubscribe(user: UUID, subscription: UUID) -> None:
    """Push nothing more to a browser. Raises Http404 where it is not the user's."""
    deleted, _ = PushSubscription.objects.filter(user=user, pk=subscription).delete()
    if not deleted:
        raise Http404


def subscription_for(user: UUID, subscription: UUID) -> PushSubscription | None:
    """One of a person's, where it still is."""
    return PushSubscription.objects.filter(user=user, user__is_active=True, pk=subscription).first()


def forget(subscription: PushSubscription) -> None:
    """Delete one that its push service no longer knows; what was renewed meanwhile has other keys, and stays."""
    PushSubscription.objects.filter(pk=subscription.pk, p256dh=subscription.p256dh).delete()


def _digest(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _require_usable(wish: Wish) -> None:
    """Refuse where nothing is pushed (push.none), and what is no subscription (push.endpoint, push.key)."""
    if not web_push.is_configured():
        raise Fault("push.none", "This service pushes nothing to browsers.")
    _require_endpoint(wish.endpoint)
    if not web_push.is_usable(wish.p256dh, wish.auth):
        message = "`p256dh` is a point of P-256 and `auth` 16 bytes, both as base64url."
        raise Fault("push.key", message, pointer="/p256dh")


def _require_endpoint(endpoint: str) -> None:
    try:
        require_public(endpoint)
    except Fault as fault:
        raise Fault("push.endpoint", fault.message, pointer="/endpoint") from fault
    if ":" in (urlsplit(endpoint).hostname or ""):  # no signature may name an address of IPv6 as its audience
        raise Fault("push.endpoint", "A push service is named by its host.", pointer="/endpoint")
