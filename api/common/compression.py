"""Compression of what the APIs answer, by gzip; streams and pages with forms are left as they are.

A state of 200 kB becomes 20 kB. Answers hold no token that an outsider could guess by their length (a minted one stands
in an answer that is too short), and Django adds up to 100 random bytes. No other coding: each needs a further library.
"""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

SMALLEST = 1024
"""Bytes; what is shorter is sent as it is: it fits into a packet either way."""
KINDS = frozenset({"application/vnd.oai.openapi", "application/yaml", "image/svg+xml", "text/markdown", "text/plain"})


class CompressAnswers(GZipMiddleware):
    """Compress answers of the APIs: JSON of every kind, documents, pictures and texts."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where the client takes gzip and it is worth it; its ETag is weak."""
        kind = response.get("Content-Type", "").partition(";")[0].strip()
        if not isinstance(response, HttpResponse) or len(response.content) < SMALLEST:
            return response
        if not kind.endswith("json") and kind not in KINDS:
            return response
        return super().process_response(request, response)
