"""Parameters, headers and answers that several operations share in the OpenAPI document."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from api.common.keyset import DEFAULT_SIZE, LARGEST_SIZE
from api.representations.resources.serializers import FLAG


def flag(name: str, description: str) -> OpenApiParameter:
    """A switch; description: what it does."""
    return OpenApiParameter(name, str, enum=FLAG, description=description)


def size(most: int, default: int) -> OpenApiParameter:
    """How many rows are asked for."""
    bounds = {"type": "integer", "minimum": 1, "maximum": most, "default": default}
    return OpenApiParameter("limit", bounds, description="The most that are listed.")


def span_size(most: int, default: int) -> OpenApiParameter:
    """How many rows are asked for, where `last` may be asked instead.

    It names no default: generated clients send a default that they know, and `limit` is refused beside `last`.
    """
    bounds = {"type": "integer", "minimum": 1, "maximum": most}
    return OpenApiParameter("limit", bounds, description=f"The most that are listed; {default} when absent.")


VIEWER = [
    OpenApiParameter(
        "seat", UUID, description="The seat that acts and whose secrets are shown; needed when you hold several here."
    ),
    OpenApiParameter(
        "as",
        str,
        enum=["gm"],
        description="`gm`: with a game-master's view and powers; `seat` then names the absent seat you act for.",
    ),
]
PAGE = [
    size(LARGEST_SIZE, DEFAULT_SIZE),
    OpenApiParameter("cursor", str, description="Where the page begins: taken from `next` or `previous`."),
]
BEFORE = OpenApiParameter("before", str, description="A cursor: only what leads up to it, without `after`.")
AFTER = OpenApiParameter(
    "after", str, description="A cursor: only what comes behind it. From the beginning when absent."
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description=(
        "1 to 255 printable characters, new for each intention. The same key again returns the first answer "
        "(`replayed: true`) and does nothing; with another command or body it is refused (422 `key.reused`)."
    ),
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description=(
        "Your cursor, or the ETag of `state/`, in quotes: the same as `expected`. "
        "Of several, separated by commas, any will do; `*` is always true."
    ),
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the version you have; 304 when it is current.",
)
NOT_MODIFIED = OpenApiResponse(description="What you have is current.")
SVG = {(200, "image/svg+xml"): OpenApiTypes.STR, 304: NOT_MODIFIED}
