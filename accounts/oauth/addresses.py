"""Addresses that an administrator registers for an application: where people are sent back to, and which pages may ask.

Both are https; http is for the same machine alone (RFC 8252, section 7.3).
"""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from oauth2_provider.validators import AllowedURIValidator

SCHEMES = ("https", "http")
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
REDIRECT = AllowedURIValidator(SCHEMES, "redirect URI", allow_path=True, allow_query=True)
ORIGIN = AllowedURIValidator(SCHEMES, "origin")


def is_loopback(address: str) -> bool:
    """Whether an address is on the machine of the person who follows it."""
    return urlsplit(address).hostname in LOOPBACK


def origin_of(address: str) -> str:
    """Scheme, host and port of an address, as a browser writes an origin."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def check_redirect_uris(text: str) -> None:
    """Validator: addresses separated by white space. Raises ValidationError."""
    _check_each(text, REDIRECT)


def check_origins(text: str) -> None:
    """Validator: origins separated by white space. Raises ValidationError."""
    _check_each(text, ORIGIN)


def _check_each(text: str, check: Callable[[str], None]) -> None:
    wrong = []
    for address in text.split():
        try:
            check(address)
        except ValidationError as error:
            wrong.extend(error.messages)
            continue
        if "@" in urlsplit(address).netloc:
            wrong.append(f"{address} names a user; an address here has none.")
        if urlsplit(address).scheme == "http" and not is_loopback(address):
            wrong.append(f"{address} must be https; http is for 127.0.0.1, [::1] and localhost.")
    if wrong:
        raise ValidationError(wrong)
