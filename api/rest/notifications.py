"""Notifications over REST: one's own, which are read, and what one wants to be told.

Each view parses, calls `api.notifications` and answers.
"""

from uuid import UUID

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.common.authentication import principal_of
from api.common.paging import CursorPages, decode_cursor
from api.common.permissions import SignedIn, require_personal
from api.notifications import reading
from api.notifications.wishes import change_wishes, wishes_for
from api.representations.resources.notifications import (
    ChangeWishesSerializer,
    NotificationSerializer,
    ReadSerializer,
    UnreadSerializer,
    WishesSerializer,
)
from api.rest.accounts import wish
from api.rest.base import ApiView, flag_in
from api.rest.parameters import flag
from games.models import Notification


class OwnView(ApiView):
    """A view of what is the user's who asks."""

    permission_classes = (SignedIn,)

    def user(self, request: Request) -> UUID:
        """Who asks."""
        user: User | None = principal_of(request).user
        assert user is not None  # SignedIn
        return user.pk


@extend_schema(tags=["notifications"])
class NotificationsView(OwnView, GenericAPIView[Notification]):
    """What the user who asks is told of their games."""

    parameters = {"GET": ("limit", "cursor", "unread")}
    serializer_class = NotificationSerializer
    pagination_class = CursorPages
    queryset = Notification.objects.none()

    @extend_schema(
        operation_id="notifications",
        parameters=[flag("unread", "Only those that are not read.")],
        responses=NotificationSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Those that stand, the newest first; what is no longer so is not among them."""
        pages, cursor = self.paginator, request.query_params.get("cursor")
        assert isinstance(pages, CursorPages)
        size = pages.size(request)
        backward, position = decode_cursor(cursor, reading.ORDER, Notification) if cursor is not None else (False, None)
        found = reading.notifications_of(
            self.user(request), size + 1, unread=flag_in(request, "unread"), position=position, backward=backward
        )
        rows = pages.page(request, found, size, reading.ORDER, backward=backward)
        return pages.get_paginated_response(NotificationSerializer(rows, many=True).data)


@extend_schema(tags=["notifications"])
class UnreadView(OwnView):
    """How many the user who asks has not read."""

    @extend_schema(operation_id="unread_notifications", responses=UnreadSerializer)
    def get(self, request: Request) -> Response:
        """The number, for a bell."""
        return Response({"unread": reading.count_unread(self.user(request))})


@extend_schema(tags=["notifications"])
class ReadView(OwnView):
    """Which the user who asks has read."""

    @extend_schema(operation_id="read_notifications", request=ReadSerializer, responses=UnreadSerializer)
    def post(self, request: Request) -> Response:
        """Mark some as read, or one and all that are older; how many are unread then. Other people's are missing."""
        given = wish(ReadSerializer, request)
        unread = reading.mark_read(self.user(request), given.get("ids"), given.get("up_to"), timezone.now())
        return Response({"unread": unread})


@extend_schema(tags=["notifications"])
class NotificationSettingsView(OwnView):
    """What the user who asks wants to be told."""

    @extend_schema(operation_id="notification_settings", responses=WishesSerializer)
    def get(self, request: Request) -> Response:
        """The settings, with the defaults where nothing was said."""
        return Response(WishesSerializer(wishes_for(self.user(request))).data)

    @extend_schema(
        operation_id="change_notification_settings", request=ChangeWishesSerializer, responses=WishesSerializer
    )
    def patch(self, request: Request) -> Response:
        """Change what is given; what stands follows within seconds."""
        require_personal(principal_of(request))
        changes = wish(ChangeWishesSerializer, request)
        return Response(WishesSerializer(change_wishes(self.user(request), timezone.now(), changes)).data)


urlpatterns = [
    path("me/notifications/", NotificationsView.as_view(), name="notifications"),
    path("me/notifications/count/", UnreadView.as_view(), name="notifications-count"),
    path("me/notifications/read/", ReadView.as_view(), name="notifications-read"),
    path("me/notification-settings/", NotificationSettingsView.as_view(), name="notification-settings"),
]
