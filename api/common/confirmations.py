"""Asking for the link that confirms one's e-mail address: the same in REST and GraphQL."""

from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from accounts.confirmation import require_unconfirmed
from accounts.models import Scope, User
from accounts.tasks import mail_confirmation
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.permissions import require_personal, require_scope
from api.common.throttles import SIGN_UPS, count, rate_exceeded

NO_KEY = "key"
"""What stands for a key where the address of its page is made."""


def ask_for_confirmation(request: HttpRequest, principal: Principal) -> User:
    """Have the link sent to the address of the user who asks.

    Raises Fault: mail.none, rate.exceeded, or that of a token without the scope `play` or of an application.
    Raises AccountError: email.missing, email.confirmed.
    """
    require_scope(principal, Scope.PLAY)
    require_personal(principal)
    assert principal.user is not None  # require_scope
    if not settings.EMAIL_HOST:
        raise Fault("mail.none", "This service sends no mail; no address can be confirmed.")
    user = User.objects.get(pk=principal.user.pk)  # what a process remembers of a user may be minutes old
    require_unconfirmed(user)
    # Nobody fills the mailbox of another; the budget is that of links for a new password.
    within, spent = count(request, SIGN_UPS, sha256(user.email.lower().encode()).hexdigest())
    if not within:
        raise rate_exceeded(spent)
    base = reverse("confirm-email", args=[NO_KEY]).removesuffix(f"{NO_KEY}/")
    mail_confirmation.delay(str(user.pk), user.email, request.build_absolute_uri(base))
    return user
