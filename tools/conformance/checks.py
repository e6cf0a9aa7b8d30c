"""What schemathesis asks of our APIs beyond its own checks, for the command line and for the tests alike.

A schema says which requests are well formed, not which of them mean something: a cursor is text, but not every text is
a cursor. `SENSELESS` lists the refusals of well-formed requests that may be, each with its reason; any other 400 or 422
is a difference between document and service. In GraphQL an error with a code of ours is a refusal; without one, or with
`server.error`, it is a failure.
"""

import re
from typing import Any

import schemathesis
from hypothesis import strategies
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure
from schemathesis.graphql import nodes
from schemathesis.specs.graphql.schemas import GraphQLSchema
from schemathesis.specs.openapi.checks import missing_required_header, positive_data_acceptance

SENSELESS = {
    "page.cursor": "a cursor is opaque: text that was made for this list",
    "cursor.invalid": "the same of a place in the log",
    "position.stale": "a text may happen to read as a place in the log, and then it is another place than now",
    "view.invalid": "`as=gm` across games needs `game` beside it",
    "query.invalid": "an empty id or time in a query is well formed where it is optional",
    "seat.unclear": "who holds several seats must say which",
    "email.shape": "addresses are judged by more than a pattern",
    "username.shape": "so are names,",
    "display_name.shape": "of both kinds: every letter of one can be printed,",
    "password.weak": "and passwords",
    "password.wrong": "which must be right, besides",
    "token.past": "a token ends in the future",
    "time_zone.unknown": "which time zones there are no schema lists",
    "body.invalid": "a command's body is any command's in the document; options are judged together",
    "batch.large": "how many commands a batch has at most, an operator sets",
    "key.reused": "an Idempotency-Key stands for one request",
}
OF_THE_BODY = "body.invalid"
ANY_COMMAND = "{command}/"
"""Where the body is any command's: its numbers have no bounds in the document, which other bodies' have."""
MEANT_BODIES = ("/commands/", "/batch/", "/api/v1/games/", "/join/", "/api/v1/tokens/")
"""Where a body that fits the document may still mean nothing."""


OF_ONE_KEY = re.compile(r"OneOf Input Object|Field '\w+Order\.\w+' must be non-null")
"""How GraphQL refuses an input of one key of several: schemathesis does not know `@oneOf` and gives it any number."""
TOO_MUCH = ("query.costly", "query.deep")
# The one argument of this kind is the options of a new game: none of them said.
schemathesis.graphql.scalar("JSON", strategies.just([]).map(nodes.Object))


def of_graphql(case: Any) -> bool:
    """Whether GraphQL is asked."""
    return isinstance(case.operation.schema, GraphQLSchema)


def code_of(response: Any) -> str:
    """The code of a problem document; empty for any other answer."""
    if "problem+json" not in str(response.headers.get("content-type", "")):
        return ""
    return str(response.json().get("code", ""))


@schemathesis.check
def well_formed_is_accepted(ctx: Any, response: Any, case: Any) -> bool | None:
    """What fits the document is taken, or refused for what it means, with a code that says so."""
    if of_graphql(case):
        return None
    code = code_of(response)
    if code == OF_THE_BODY:
        if case.method.upper() == "POST" and any(place in case.operation.path for place in MEANT_BODIES):
            return None
    elif response.status_code in (400, 412, 421, 422) and (code in SENSELESS or _is_of_any_command(code, case)):
        return None
    return positive_data_acceptance(ctx, response, case)


def _is_of_any_command(code: str, case: Any) -> bool:
    return code == "body.unreadable" and case.operation.path.endswith(ANY_COMMAND)


@schemathesis.check
def refusals_have_codes(ctx: Any, response: Any, case: Any) -> bool | None:
    """No 5xx; and in GraphQL each error bears a code of ours, one of size where a well-formed operation was not run."""
    if response.status_code >= 500 or not of_graphql(case):
        return not_a_server_error(ctx, response, case)
    misshapen = case.meta is not None and case.meta.generation.mode.is_negative
    for error in response.json().get("errors") or ():
        code = (error.get("extensions") or {}).get("code", "")
        judged = misshapen or error.get("path")
        foreseen = code not in ("", "server.error") if judged else code in TOO_MUCH
        if not foreseen and not OF_ONE_KEY.match(str(error.get("message"))):
            raise Failure(operation=case.operation.label, title="Unforeseen error", message=str(error)[:500])
    return None


@schemathesis.check
def authorization_is_asked_for(ctx: Any, response: Any, case: Any) -> bool | None:
    """As `missing_required_header`; a password in the body stands in for a token where one is asked for with it."""
    if of_graphql(case) or case.operation.label == "POST /api/v1/tokens/":
        return None
    return missing_required_header(ctx, response, case)


INSTEAD = [positive_data_acceptance, missing_required_header, not_a_server_error]
"""The checks that ours stand for; ours are run wherever this module was imported."""
