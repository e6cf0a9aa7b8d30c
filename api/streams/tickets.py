"""Tickets: a browser's EventSource cannot send a header, so it shows a ticket in the address, once, within a minute.

A ticket is signed and names its token, or its user and that it was bought with a session; when it is shown, it is worth
as much as these are then. That it was used is remembered where all processes see it: in Redis, or without one as a file
that only one process can be the first to make (a folder as cache has no atomic `add`). The key of a session would let
its readers act, so it never stands in an address: it waits in the cache.
"""

import os
import time
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings
from django.core.cache import cache
from django.core.signing import BadSignature, TimestampSigner

from accounts.models import Token
from accounts.services import live_token
from accounts.sign_ins import user_of_session
from api.common.authentication import NOBODY, Principal
from api.common.exceptions import Fault

VALID_SECONDS = 60
SALT = "theogony.stream.ticket"
REFUSED = (
    "This ticket is unknown, used, older than a minute, or its token or sign-in is over; ask for a new one at tickets/."
)


def mint(principal: Principal, game: UUID) -> str:
    """A ticket for one stream of one game, for the asker. Raises Fault (token.needed)."""
    if principal.user is None or not (principal.token or principal.session):
        raise Fault("token.needed", "Send a token: `Authorization: Bearer theo_...`.")
    claims = {
        "nonce": uuid4().hex,
        "game": str(game),
        "user": str(principal.user.pk),
        "token": str(principal.token.pk) if principal.token is not None else "",
    }
    if principal.token is None:
        cache.set(_of_session(claims["nonce"]), principal.session, timeout=VALID_SECONDS)
    return TimestampSigner(salt=SALT).sign_object(claims)


def redeem(ticket: str, game: UUID) -> Principal:
    """Who a ticket speaks for, once. Raises Fault (ticket.refused)."""
    try:
        claims = TimestampSigner(salt=SALT).unsign_object(ticket, max_age=VALID_SECONDS)
    except BadSignature as error:
        raise Fault("ticket.refused", REFUSED) from error
    if claims["game"] != str(game) or not _first_use(claims["nonce"]):
        raise Fault("ticket.refused", REFUSED)
    principal = _of_token(UUID(claims["token"])) if claims["token"] else _of_sign_in(claims["nonce"])
    if principal.user is None or str(principal.user.pk) != claims["user"]:
        raise Fault("ticket.refused", REFUSED)
    return principal


def _of_token(token_id: UUID) -> Principal:
    token: Token | None = live_token(token_id)
    return Principal(token.user, token) if token is not None else NOBODY


def _of_sign_in(nonce: str) -> Principal:
    session = str(cache.get(_of_session(nonce), ""))
    cache.delete(_of_session(nonce))
    return Principal(user_of_session(session), session=session) if session else NOBODY


def _of_session(nonce: str) -> str:
    """Where the key of the session waits, of which a ticket is."""
    return f"ticket:{nonce}:session"


def _first_use(nonce: str) -> bool:
    if settings.REDIS_URL:
        return bool(cache.add(f"ticket:{nonce}", 1, timeout=2 * VALID_SECONDS))
    folder = Path(settings.DATA_DIR) / "tickets"
    folder.mkdir(exist_ok=True, mode=0o700)
    _sweep(folder)
    try:
        os.close(os.open(folder / nonce, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def _sweep(folder: Path) -> None:
    """Forget tickets that are too old to be used anyway."""
    old = time.time() - 2 * VALID_SECONDS
    for used in folder.iterdir():
        try:
            if used.stat().st_mtime < old:
                used.unlink()
        except FileNotFoundError:  # another process was faster
            continue
