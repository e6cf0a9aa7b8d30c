"""Commands that pages of the admin issue: as a game-master without a seat, with a key by which a form acts once."""

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.http import HttpRequest

from accounts.models import User
from api.common.authentication import Principal
from api.representations.issuing.issue import Answer, issue
from games.engine.errors import Refused
from games.services import Shown

KEY = "key"
MAX_KEY = 64


def new_key() -> str:
    """A key for a form that is shown now."""
    return uuid4().hex


class KeyField(forms.CharField):
    """What a second sending of the same form is known by; no change of anything."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False, max_length=MAX_KEY, initial=new_key)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Never."""
        return False


def issue_from_admin(
    request: HttpRequest, game: UUID, command: str, body: bytes, key: str, shown: Shown | None = None
) -> Answer:
    """Issue a command as an administrator, who conducts games without a seat. Raises what `issue` raises.

    shown: what the page showed on which the command acts.
    """
    user = request.user if isinstance(request.user, User) else None
    return issue(Principal(user, conducts=True), game, command, body, as_gm=True, key=key, shown=shown)


def refusal_text(refusal: Refused) -> str:
    """A refusal as a sentence with its code and rules."""
    rules = f"; {', '.join(refusal.rules)}" if refusal.rules else ""
    return f"{refusal.message} ({refusal.code}{rules})"
