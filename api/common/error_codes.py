"""Every code that accounts and the API itself answer with, its status and its title.

Refusals of games are not listed one by one: their rules name them. They are 409, but for the endings and codes below.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Known(NamedTuple):
    """One code: its HTTP status, its title (the same for every occurrence), seconds until a retry may help."""

    status: int
    title: str
    retry_seconds: int | None = None


REFUSED = Known(409, "Refused")
MISSING = Known(404, "Missing")

CATALOGUE: Mapping[str, Known] = {
    # The request itself
    "request.unfit": Known(400, "Request not understood"),
    "body.unreadable": Known(400, "Body not readable"),
    "body.length_missing": Known(411, "Length missing"),
    "body.too_large": Known(413, "Body too large"),
    "body.type_unknown": Known(415, "Media type not served"),
    "body.invalid": Known(422, "Body of the wrong shape"),
    "query.invalid": Known(422, "Query of the wrong shape"),
    "query.deep": Known(422, "Query too deep"),
    "query.costly": Known(422, "Query too costly"),
    "origin.refused": Known(403, "Origin refused"),
    "desk.refused": Known(403, "Not at this desk"),
    "seat.refused": Known(403, "Not at this seat"),
    "admin.refused": Known(403, "Not in the admin"),
    "ticket.refused": Known(401, "Ticket refused"),
    "streams.many": Known(429, "Too many streams", 30),
    "within.missing": Known(422, "List of no game and no world"),
    "page.size": Known(422, "Page size out of bounds"),
    "page.cursor": Known(422, "Page cursor not understood"),
    "method.unknown": Known(405, "Method not served here"),
    "answer.unacceptable": Known(406, "No such representation"),
    "batch.large": Known(422, "Too many commands at once"),
    "rate.exceeded": Known(429, "Too many requests"),
    "cursor.invalid": Known(422, "Cursor not understood"),
    "cursor.ahead": Known(410, "Cursor not of this log"),
    "question.over": Known(410, "Question no longer open"),
    "view.invalid": Known(422, "Query of the wrong shape"),
    "stream.elsewhere": Known(421, "Stream served elsewhere"),
    "thing.missing": MISSING,
    # Who asks
    "token.needed": Known(401, "Authentication needed"),
    "user.missing": Known(401, "Authentication needed"),
    "token.refused": Known(401, "Token refused"),
    "login.wrong": Known(401, "Log-in refused"),
    "login.locked": Known(429, "Log-in locked", 900),
    "token.scope": Known(403, "Scope missing"),
    "token.application": Known(403, "Not for applications"),
    "csrf.refused": Known(403, "Form of another origin"),
    # Keys and positions
    "position.stale": Known(412, "Position stale"),
    "key.reused": Known(422, "Idempotency key reused"),
    # The service
    "lobbies.many": Known(409, "Too many lobbies"),
    "practice.many": Known(409, "Too many games of one's own"),
    "practice.missing": Known(404, "No game against bots"),
    "game.busy": Known(503, "Game busy", 1),
    "game.moving": Known(503, "Game moving", 1),
    "clock.behind": Known(503, "Clock behind", 1),
    "database.down": Known(503, "Database away", 5),
    "server.error": Known(500, "Error in the service"),
    # Webhooks
    "webhook.address": Known(422, "Address of a webhook not usable"),
    "webhook.kinds": Known(422, "No such type of event"),
    "webhook.off": Known(409, "Webhook is off"),
    "webhook.of_endpoint": Known(409, "Webhook of an endpoint"),
    "webhooks.many": Known(409, "Too many webhooks"),
    # Chat hooks
    "time_zone.unknown": Known(422, "No such time zone"),
    "chat_hook.mention": Known(422, "Mention not usable"),
    "chat_hook.off": Known(409, "Chat hook is off"),
    "chat_hooks.many": Known(409, "Too many chat hooks"),
    # Accounts
    "sign_up.closed": Known(409, "Sign-up closed"),
    "invitation.needed": Known(409, "Invitation needed"),
    "invitation.unusable": Known(409, "Invitation not usable"),
    "recovery.unusable": Known(409, "Link for a new password not usable"),
    "email.missing": Known(409, "No e-mail address given"),
    "email.unconfirmed": Known(409, "E-mail address not confirmed"),
    "email.confirmed": Known(409, "E-mail address confirmed already"),
    "confirmation.unusable": Known(409, "Link that confirms an address not usable"),
    "push.none": Known(409, "No pushes are sent here"),
    "push.endpoint": Known(422, "Address of a push service not usable"),
    "push.key": Known(422, "Key of a push subscription not usable"),
    "push_subscriptions.many": Known(409, "Too many push subscriptions"),
    "mail.none": Known(409, "No mail is sent here"),
    "invitation.uses": Known(422, "Invitation of the wrong shape"),
    "invitation.role": Known(422, "Invitation of the wrong shape"),
    "invitation.past": Known(422, "Invitation of the wrong shape"),
    "invitation.note": Known(422, "Invitation of the wrong shape"),
    "username.taken": Known(409, "User name taken"),
    "username.shape": Known(422, "User name of the wrong shape"),
    "display_name.shape": Known(422, "Display name of the wrong shape"),
    "email.shape": Known(422, "E-mail address of the wrong shape"),
    "password.weak": Known(422, "Password too weak"),
    "user.kept": Known(409, "Users are kept"),
    "user.self": Known(409, "Not for oneself"),
    "password.wrong": Known(409, "Password wrong"),
    "token.name": Known(422, "Token of the wrong shape"),
    "token.scopes": Known(422, "Token of the wrong shape"),
    "token.past": Known(422, "Token of the wrong shape"),
    "token.outlives": Known(409, "Token too strong"),
    "token.many": Known(409, "Too many tokens"),
    "user.inactive": Known(409, "User inactive"),
}

BY_STATUS: Mapping[int, str] = {
    400: "request.unfit",
    401: "token.refused",
    403: "token.scope",
    404: "thing.missing",
    405: "method.unknown",
    406: "answer.unacceptable",
    413: "body.too_large",
    415: "body.type_unknown",
    422: "body.invalid",
    429: "rate.exceeded",
    503: "database.down",
}


def error_code_of(code: str) -> Known:
    """What a code answers with; a code that is not listed is a refusal (409), or 404 when it ends in `.missing`."""
    return CATALOGUE.get(code) or (MISSING if code.endswith(".missing") else REFUSED)
