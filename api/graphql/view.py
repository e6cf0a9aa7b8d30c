"""GraphQL over HTTP, as its specification says: queries by GET and POST, mutations by POST alone.

A token in the Authorization header is the only way to be somebody here; cookies are not looked at, so a form of another
origin can do nothing. `application/graphql-response+json` answers a request that could not be executed with 4xx.
"""

from functools import cache
from pathlib import Path
from typing import Any

import orjson
from cross_web import HTTPException
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from rest_framework.exceptions import ParseError
from strawberry.django.views import GraphQLView

from api.common.authentication import NOBODY
from api.common.documents import document_response
from api.common.exceptions import Fault
from api.common.fast_auth import principal_of_header
from api.common.problems import Problem, answer, problem_of, request_id_of
from api.common.strict_json import strict_json
from api.common.throttles import charge
from api.graphql.context import OperationContext
from api.graphql.exceptions import explain
from api.graphql.served import schema

RESPONSE_JSON = "application/graphql-response+json"
MAX_CHARACTERS = 100_000  # of a query's text: strings and comments cost no tokens worth counting
JSON = "application/json"
ASSETS = Path(__file__).parent / "assets"
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def accepted_media_type(header: str) -> str:
    """The media type to answer in, by an Accept header: text/html, graphql-response+json or JSON (also when absent)."""
    best, chosen = 0.0, JSON
    for part in header.split(","):
        media, *parameters = (word.strip() for word in part.split(";"))
        weight = next((_weight(p[2:]) for p in parameters if p.startswith("q=")), 1.0)
        if media in (RESPONSE_JSON, JSON, "text/html") and weight > best:
            best, chosen = weight, media
    return chosen


def _weight(text: str) -> float:
    return float(text) if text.replace(".", "", 1).isdigit() else 0.0


@method_decorator(csrf_exempt, name="dispatch")
class GraphQLEndpoint(GraphQLView):
    """The address of GraphQL."""

    multipart_uploads_enabled = False
    counts_itself = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer one request; whatever fails before execution is an error of the request."""
        wanted = accepted_media_type(request.headers.get("Accept", ""))
        try:
            if request.method == "GET" and wanted == "text/html" and "query" not in request.GET:
                charge(request, NOBODY, acting=False)
                return self.page()
            if request.method == "OPTIONS":
                charge(request, NOBODY, acting=False)
                return HttpResponse(status=204, headers={"Allow": "GET, POST, OPTIONS"})
            if request.method not in ("GET", "POST"):
                charge(request, NOBODY, acting=False)
                raise Fault("method.unknown", "GraphQL is served by GET and POST.", headers={"Allow": "GET, POST"})
            return self.conforming(request, wanted)
        except HTTPException as unfit:
            return self.unfit(
                answer("request.unfit", unfit.reason, request_id=request_id_of(request)), unfit.status_code
            )
        except UnicodeDecodeError as broken:  # strawberry reads the body as text before it parses it
            message = f"The body is not UTF-8 (byte {broken.start})."
            found = answer("body.unreadable", message, request_id=request_id_of(request))
            return self.unfit(found, found.status)
        except (Fault, ParseError) as fault:
            foreseen = problem_of(fault, request_id=request_id_of(request))
            assert foreseen is not None  # both are
            return self.unfit(foreseen, foreseen.status)

    def conforming(self, request: HttpRequest, wanted: str) -> HttpResponse:
        """Execute, and answer in the wanted media type. Raises Fault (rate.exceeded) beyond a budget."""
        response = self.run(request=request)
        if (unpaid := self.context.unpaid) is not None:
            raise unpaid
        assert isinstance(response, HttpResponse)
        response["Vary"] = "Accept"
        if wanted != RESPONSE_JSON:
            return response
        body = orjson.loads(response.content)
        if body.get("data") is None and body.get("errors") and not any(e.get("path") for e in body["errors"]):
            body.pop("data", None)
            response.status_code = int(body["errors"][0].get("extensions", {}).get("status", 400))
            if response.status_code in (409, 422):
                response.status_code = 400
            response.content = orjson.dumps(body)
        response["Content-Type"] = f"{RESPONSE_JSON}; charset=utf-8"
        return response

    def unfit(self, found: Problem, status: int) -> HttpResponse:
        """A request that was not executed."""
        body = {"errors": [{"message": found.body["detail"], "extensions": found.body}]}
        wanted = accepted_media_type(self.request.headers.get("Accept", ""))
        kind = RESPONSE_JSON if wanted == RESPONSE_JSON else JSON
        answered = HttpResponse(orjson.dumps(body), status=status, content_type=f"{kind}; charset=utf-8")
        for name, value in found.headers.items():
            answered[name] = value
        return answered

    def page(self) -> HttpResponse:
        """The page to try queries out."""
        found = HttpResponse((ASSETS / "page.html").read_bytes(), content_type="text/html; charset=utf-8")
        found["Content-Security-Policy"] = PAGE_POLICY
        return found

    def should_render_graphql_ide(self, request: Any) -> bool:
        """Never: the page is our own, and is shown above."""
        return False

    def get_context(self, request: HttpRequest, response: HttpResponse) -> Any:
        """Who asks. Raises Fault: token.refused (401), rate.exceeded (429)."""
        principal = principal_of_header(request)
        charge(request, principal, acting=False)
        self.context = OperationContext(principal, request, request_id=request_id_of(request), response=response)
        return self.context

    def parse_json(self, data: str | bytes) -> Any:
        """The body, as strictly as in REST."""
        value = strict_json(data.encode() if isinstance(data, str) else data)
        if not isinstance(value, dict):
            raise Fault("request.unfit", "Send one operation: {query, variables, operationName}.")
        if len(str(value.get("query") or "")) > MAX_CHARACTERS:
            raise Fault("request.unfit", f"A query has at most {MAX_CHARACTERS} characters; send values as variables.")
        return value

    def process_result(self, request: HttpRequest, result: Any) -> Any:
        """The result; errors that no extension saw are explained here."""
        if result.errors:
            result.errors = [explain(error, request_id_of(request)) for error in result.errors]
        return super().process_result(request, result)

    def encode_json(self, data: object) -> bytes:
        """The answer."""
        return orjson.dumps(data, option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS, default=str)


@csrf_exempt
@require_safe
def asset(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file of the page; each stands in this folder, and nothing else is served."""
    found = {path.name: path for path in ASSETS.iterdir() if path.suffix in KINDS}.get(name)
    if found is None:
        raise Http404
    response = FileResponse(found.open("rb"), content_type=KINDS[found.suffix])
    response["Cache-Control"] = "public, max-age=86400"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@cache
def schema_text() -> bytes:
    """The schema in its own language, as `api/schema.graphql` holds it."""
    return f"{schema.as_str().strip()}\n".encode()


@csrf_exempt
@require_safe
def schema_file(request: HttpRequest) -> HttpResponseBase:
    """The schema as a file: once it is read, 304 says that it is the same."""
    return document_response(request, schema_text(), "text/plain; charset=utf-8")


graphql_view = GraphQLEndpoint.as_view(schema=schema)
