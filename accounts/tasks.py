"""What Celery carries for accounts: mail, which no request waits for."""

from smtplib import SMTPException
from uuid import UUID

from celery import shared_task

from accounts.confirmation import KEYS, send_confirmation
from accounts.models import User
from accounts.recovery import people_at, recovery_key, send_recovery


@shared_task(
    name="accounts.tasks.mail_recovery", autoretry_for=(OSError, SMTPException), retry_backoff=5, max_retries=5
)
def mail_recovery(email: str, base: str) -> None:
    """Send a link for a new password to everybody of this address. base: where the links lead, before the key."""
    for user in people_at(email):
        send_recovery(user, f"{base}{recovery_key(user)}/")


@shared_task(
    name="accounts.tasks.mail_confirmation", autoretry_for=(OSError, SMTPException), retry_backoff=5, max_retries=5
)
def mail_confirmation(user_id: str, email: str, base: str) -> None:
    """Send a link that confirms an address, as long as it is the person's. base: where it leads, before the key."""
    user = User.objects.filter(pk=UUID(user_id), email=email, is_active=True).first()
    if user is not None:
        send_confirmation(user, f"{base}{KEYS.key_for(user)}/")
