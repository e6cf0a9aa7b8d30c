"""Origins of registered applications: their pages may use this service from a browser.

Each process asks the database for them at most every ORIGINS_SECONDS, and only for an origin that no setting names.
"""

from accounts.oauth.models import Application
from core.process_cache import ProcessCache

ORIGINS_SECONDS = 10.0
_origins: ProcessCache[str, frozenset[str]] = ProcessCache(1, ORIGINS_SECONDS)


def is_registered_origin(origin: str) -> bool:
    """Whether an application that is not revoked has this origin."""
    known = _origins.get("")
    if known is None:
        rows = Application.objects.filter(revoked_at=None).exclude(allowed_origins="")
        known = frozenset(word for text in rows.values_list("allowed_origins", flat=True) for word in text.split())
        _origins.put("", known)
    return origin in known
