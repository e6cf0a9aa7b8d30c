"""Chat hooks over REST: one's own. Each view parses, calls `api.webhooks.chat.hooks` and answers."""

from uuid import UUID

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.common.authentication import principal_of
from api.common.permissions import SignedIn
from api.representations.resources.chat_hooks import (
    ChatHookChangeSerializer,
    ChatHookSerializer,
    ChatHooksSerializer,
    ChatHookWishSerializer,
)
from api.rest.accounts import wish
from api.rest.base import ApiView
from api.webhooks.chat import hooks
from api.webhooks.chat.hooks import Wish
from games.models import ChatHook


class ChatHookApiView(ApiView):
    """A view of the chat hooks of the user who asks; an application's token has those that it made."""

    permission_classes = (SignedIn,)

    def hook(self, request: Request, hook_id: UUID) -> ChatHook:
        """One of them. Raises Http404."""
        return hooks.hook_for(principal_of(request), hook_id)


@extend_schema(tags=["webhooks"])
class ChatHooksView(ChatHookApiView):
    """The chat hooks of the user who asks."""

    @extend_schema(operation_id="chat_hooks", responses=ChatHooksSerializer)
    def get(self, request: Request) -> Response:
        """All of them, the newest first, without their addresses."""
        rows = hooks.hooks_for(principal_of(request))
        return Response({"results": ChatHookSerializer(rows, many=True).data})

    @extend_schema(operation_id="create_chat_hook", request=ChatHookWishSerializer, responses={201: ChatHookSerializer})
    def post(self, request: Request) -> Response:
        """Have a channel told when a chapter of a game begins, who is waited for, and when the game is over."""
        asked = Wish(**wish(ChatHookWishSerializer, request))
        made = hooks.create(principal_of(request), asked, timezone.now())
        return Response(ChatHookSerializer(made).data, status=201)


@extend_schema(tags=["webhooks"])
class ChatHookView(ChatHookApiView):
    """One chat hook."""

    @extend_schema(operation_id="chat_hook", responses=ChatHookSerializer)
    def get(self, request: Request, hook_id: UUID) -> Response:
        """How it is, without its address."""
        return Response(ChatHookSerializer(self.hook(request, hook_id)).data)

    @extend_schema(operation_id="change_chat_hook", request=ChatHookChangeSerializer, responses=ChatHookSerializer)
    def patch(self, request: Request, hook_id: UUID) -> Response:
        """Change address, time zone or mentions, or switch it off or on."""
        found, changes = self.hook(request, hook_id), wish(ChatHookChangeSerializer, request)
        return Response(ChatHookSerializer(hooks.change(found, timezone.now(), **changes)).data)

    @extend_schema(
        operation_id="delete_chat_hook", request=None, responses={204: OpenApiResponse(description="Deleted.")}
    )
    def delete(self, request: Request, hook_id: UUID) -> Response:
        """Delete it; what it has posted stays."""
        self.hook(request, hook_id).delete()
        return Response(status=204)


@extend_schema(tags=["webhooks"])
class ChatHookTestView(ChatHookApiView):
    """Tests of a chat hook."""

    @extend_schema(operation_id="test_chat_hook", request=None, responses={202: ChatHookSerializer})
    def post(self, request: Request, hook_id: UUID) -> Response:
        """Have a line without news posted, before all others; `status` or `error` say what came of it."""
        row = hooks.send_test(self.hook(request, hook_id), timezone.now())
        return Response(ChatHookSerializer(row).data, status=202)


urlpatterns = [
    path("me/chat-hooks/", ChatHooksView.as_view(), name="chat-hooks"),
    path("me/chat-hooks/<uuid:hook_id>/", ChatHookView.as_view(), name="chat-hook"),
    path("me/chat-hooks/<uuid:hook_id>/test/", ChatHookTestView.as_view(), name="chat-hook-test"),
]
