"""What Celery carries for accounts: mail, which no request waits for."""

from smtplib import SMTPException

from celery import shared_task

from accounts.recovery import people_at, recovery_key, send_recovery


@shared_task(
    name="accounts.tasks.mail_recovery", autoretry_for=(OSError, SMTPException), retry_backoff=5, max_retries=5
)
def mail_recovery(email: str, base: str) -> None:
    """Send a link for a new password to everybody of this address. base: where the links lead, before the key."""
    for user in people_at(email):
        send_recovery(user, f"{base}{recovery_key(user)}/")
