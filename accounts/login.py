"""Names at the log-in: how a tried name is counted, so that one user cannot be tried under many spellings."""

from typing import Any

from django.http import HttpRequest


def tried_name(request: HttpRequest | None, credentials: dict[str, Any] | None = None) -> str | None:
    """The user name tried, in lower case; None when none was given."""
    given = (credentials or {}).get("username")
    if given is None and request is not None:
        given = request.POST.get("username")
    return str(given).lower() if given is not None else None
