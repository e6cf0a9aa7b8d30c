"""The key in a mail with which one question is answered without signing in (ADR 126).

A key stands for one question of one seat, as one person holds it. It is stored nowhere: what it is signed over ends it.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from api.notifications.wishes import wishes_of_mailed
from core.places import routing
from games.models import Seat

SALT = "api.notifications.answer"
WORD = "theoask"
SHAPE = re.compile(rf"{WORD}_(?P<seat>[0-9a-f]{{32}})(?P<question>[0-9a-f]{{32}})(?P<digest>[0-9a-f]{{64}})")


@dataclass(frozen=True, slots=True)
class AnswerLink:
    """What a key is good for: one question of one seat, for the person who holds the seat."""

    user: User
    game: UUID
    seat: UUID
    question: UUID
    time_zone: str
    """IANA name of the person's time zone."""


def answer_key(user: User, mail_since: datetime, game: UUID, seat: UUID, question: UUID) -> str:
    """The key of a question. mail_since: since when its person is mailed (`Wishes.mail_since`).

    It ends with the confirmed address and with mail to the person: another address, or mail that is turned off and on
    again, makes another key.
    """
    signed = [user.pk.hex, user.confirmed_email, mail_since.astimezone(UTC).isoformat(), game.hex, seat.hex]
    digest = salted_hmac(SALT, json.dumps([*signed, question.hex]), algorithm="sha256").hexdigest()
    return f"{WORD}_{seat.hex}{question.hex}{digest}"


def link_of(key: str) -> AnswerLink | None:
    """What a key is good for; None for one that is none, or no more.

    Its person holds the seat, is active, and is mailed at the confirmed address for which it was made. Whether the
    question is still open is not asked here. Three queries.
    """
    found = SHAPE.fullmatch(key)
    if found is None:
        return None
    seat, question = UUID(found["seat"]), UUID(found["question"])
    with routing.at(seat):
        held = Seat.objects.filter(pk=seat).exclude(user=None).select_related("user").first()
    if held is None or held.user is None:
        return None
    wishes = wishes_of_mailed([held.user.pk]).get(held.user.pk)
    if wishes is None or wishes.mail_since is None:
        return None
    right = answer_key(held.user, wishes.mail_since, held.game_id, seat, question)
    if not constant_time_compare(key, right):
        return None
    return AnswerLink(held.user, held.game_id, seat, question, wishes.time_zone)
