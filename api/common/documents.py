"""Documents that are the same for everybody and change with the code alone: kept an hour, then asked after (304)."""

from functools import lru_cache
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response

AN_HOUR = "public, max-age=3600"


@lru_cache(32)
def etag_of(body: bytes) -> str:
    """The strong ETag of a document."""
    return f'"{sha256(body).hexdigest()[:32]}"'


def document_response(request: HttpRequest, body: bytes, content_type: str) -> HttpResponseBase:
    """The document, or 304 to who has this very one."""
    response = HttpResponse(body, content_type=content_type)
    response["Cache-Control"], response["ETag"] = AN_HOUR, etag_of(body)
    found: HttpResponseBase | None = get_conditional_response(request, etag=response["ETag"], response=response)
    return found or response
