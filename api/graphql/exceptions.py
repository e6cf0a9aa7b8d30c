"""Errors in GraphQL: each carries a problem document as its `extensions`, the same that REST would answer with.

An unexpected exception is logged and reported without its words.
"""

from collections.abc import Iterator
from typing import Any

import structlog
from graphql import ExecutionResult as CoreResult
from graphql import GraphQLError
from strawberry.extensions import SchemaExtension
from strawberry.types import ExecutionResult

from api.common.problems import answer, problem_of

log = structlog.get_logger(__name__)


def explain(error: GraphQLError, request_id: str) -> GraphQLError:
    """The error with a problem document; its message is the problem's sentence."""
    if error.extensions and "code" in error.extensions:
        return error
    original = error.original_error
    while isinstance(original, GraphQLError) and original.original_error is not None:
        original = original.original_error
    if isinstance(original, RecursionError):
        body = answer("query.deep", "This operation is nested far too deep.", request_id=request_id).body
    elif original is None or isinstance(original, GraphQLError):
        body = answer("query.invalid", error.message, request_id=request_id).body
    elif (found := problem_of(original, request_id=request_id, method="GET")) is not None:
        body = found.body
    else:
        log.error("operation_failed", exc_info=original)
        message = "Something failed in the service; it was logged under this request id."
        body = answer("server.error", message, request_id=request_id).body
    return GraphQLError(
        str(body["detail"]),
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=body,
    )


class Problems(SchemaExtension):
    """Explains every error of a result, also of those that a subscription streams."""

    def on_operation(self) -> Iterator[None]:
        """After all: explain what went wrong."""
        yield
        self.explain(self.execution_context.result)

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Before a streamed result leaves."""
        self.explain(result)
        yield

    def explain(self, result: Any) -> None:
        """Put problem documents into a result's errors."""
        if isinstance(result, CoreResult | ExecutionResult) and result.errors:
            request_id = getattr(self.execution_context.context, "request_id", "")
            result.errors = [explain(error, request_id) for error in result.errors]
