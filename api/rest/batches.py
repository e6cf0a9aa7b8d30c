"""Several commands of a game over REST, all or none."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.authentication import principal_of
from api.common.throttles import charge
from api.representations.issuing.batch import BatchedCommand, issue_batch
from api.representations.resources.accounts import StrictSerializer, StrictText
from api.representations.shapes.commands import BatchDone, BatchDryRun
from api.rest.accounts import wish
from api.rest.base import GameView, flag_in, private, uuid_in, view_in
from api.rest.parameters import IDEMPOTENCY_KEY, IF_MATCH, VIEWER, flag
from api.rest.play import IssuingView, expected_cursor, idempotency_key


class BatchedCommandSerializer(StrictSerializer):
    """One command of several."""

    name = StrictText(help_text="The command, such as `declare-war`.")
    body = serializers.DictField(required=False, help_text="Its body, as at its own address; `{}` when absent.")
    seat = serializers.UUIDField(required=False, help_text="Through which seat; that of the query when absent.")


class BatchSerializer(StrictSerializer):
    """Commands that are done together."""

    commands = BatchedCommandSerializer(many=True, allow_empty=False, help_text="In the order in which they are done.")


class BatchView(GameView):
    """Issue some commands of a game together."""

    parameters = IssuingView.parameters

    @extend_schema(
        operation_id="batch",
        tags=["play"],
        request=BatchSerializer,
        parameters=[
            *VIEWER,
            OpenApiParameter("expected", str, description="The cursor you acted on; 412 when the game has moved on."),
            flag("dry_run", "1: only say what would happen (200); nothing is stored."),
            IDEMPOTENCY_KEY,
            IF_MATCH,
        ],
        responses={201: BatchDone, 200: BatchDryRun},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Execute some commands one after the other: all of them, once, or none.

        Where one is refused none is done, and the problem is that command's own: `command_index` in its `facts` counts
        from 0, and `errors` points into `commands`. A command that rolls dice or opens a secret can only be the last
        (409 `batch.goes_on`). Each counts against the budget of commands.
        """
        sent = wish(BatchSerializer, request)["commands"]
        if len(sent) > 1:
            charge(request._request, principal_of(request), acting=True, times=len(sent) - 1)
        seat = uuid_in(request, "seat")
        commands = [BatchedCommand(each["name"], each.get("body", {}), each.get("seat", seat)) for each in sent]
        dry_run = flag_in(request, "dry_run")
        answers = issue_batch(
            principal_of(request),
            game_id,
            commands,
            as_gm=view_in(request) == "gm",
            key=idempotency_key(request),
            expected=expected_cursor(request),
            dry_run=dry_run,
        )
        return private({"results": [each.json() for each in answers]}, 200 if dry_run else 201)
