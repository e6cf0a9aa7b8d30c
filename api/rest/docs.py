"""The OpenAPI document and its reader, served by ourselves: no script, style or font comes from another host.

The document is the same for everybody and changes with the code alone, so each process makes it once.
"""

from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponseBase
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.validation import validate_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.views import APIView

from api.common.documents import document_response
from api.common.permissions import Anyone
from api.rest.schema_parts import part_of, parts
from api.rest.schema_yaml import to_yaml


@cache
def whole_document() -> dict[str, Any]:
    """The document as plain values."""
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@cache
def document(*, as_json: bool, part: str = "") -> bytes:
    """The document, or one part of it, as JSON or as YAML. Raises Fault (query.invalid) for an unknown part."""
    schema = part_of(whole_document(), part) if part else whole_document()
    return bytes(OpenApiJsonRenderer2().render(schema)) if as_json else to_yaml(schema).encode()


class SchemaView(APIView):
    """The OpenAPI document, as YAML; as JSON with `Accept: application/json`. `?ruleset=` names one part of it."""

    permission_classes = (Anyone,)
    authentication_classes = ()
    renderer_classes = (OpenApiYamlRenderer, OpenApiJsonRenderer2)

    @staticmethod
    def committed_documents() -> dict[str, str]:
        """The documents of the parts by name, as YAML. Raises drf-spectacular's ValidationError, RuntimeError."""
        found = {part: document(as_json=False, part=part).decode() for part in parts()}
        for part in parts():
            validate_schema(part_of(whole_document(), part))
        if GENERATOR_STATS:
            raise RuntimeError("The OpenAPI document was made with warnings; see above.")
        return found

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """The whole document, or `?ruleset=core` or that of one ruleset and what every game has."""
        renderer: Any = request.accepted_renderer
        part = request.query_params.get("ruleset", "")
        body = document(as_json=isinstance(renderer, OpenApiJsonRenderer2), part=part)
        answer = document_response(request._request, body, f"{renderer.media_type}; charset=utf-8")
        answer["Vary"] = "Accept"
        return answer


class DocsView(SpectacularSwaggerSplitView):
    """The document to read and to try out; press "Authorize" and paste a token."""

    permission_classes = [Anyone]
    throttle_classes = []
    url_name = "schema"
    title = "Theogony: API"

    def _get_schema_url(self, request: Request) -> str:
        """The document to show: with `?ruleset=` that part."""
        part = request.query_params.get("ruleset", "")
        address: str = super()._get_schema_url(request)
        return f"{address}?{urlencode({'ruleset': part})}" if part else address
