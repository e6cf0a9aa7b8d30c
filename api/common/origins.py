"""Which pages of other origins may use this service from a browser: those of the settings and of applications.

The middleware asks for Django, `api.streams.handshake` for the streams.
"""

import re
from urllib.parse import SplitResult

import structlog
from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.db import DatabaseError

from accounts.oauth.origins import is_registered_origin

log = structlog.get_logger(__name__)


def is_origin_of_settings(origin: str) -> bool:
    """Whether the settings allow an origin."""
    return (
        settings.CORS_ALLOW_ALL_ORIGINS
        or origin in settings.CORS_ALLOWED_ORIGINS
        or any(re.match(pattern, origin) for pattern in settings.CORS_ALLOWED_ORIGIN_REGEXES)
    )


class Cors(CorsMiddleware):
    """The middleware of django-cors-headers, which also knows the origins of registered applications."""

    def origin_found_in_white_lists(self, origin: str, url: SplitResult) -> bool:
        """Whether pages of an origin may read answers; the database is asked last, and may be away."""
        if super().origin_found_in_white_lists(origin, url):
            return True
        try:
            return is_registered_origin(origin)
        except DatabaseError as error:  # the answer that is there says so better than a second one
            log.warning("origins_unknown", error=type(error).__name__)
            return False
