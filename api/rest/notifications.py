"""Notifications over REST: one's own, which are read, and what one wants to be told.

Each view parses, calls `api.notifications` and answers.
"""

from uuid import UUID

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.common.authentication import principal_of
from api.common.keyset import decode_cursor
from api.common.paging import CursorPages
from api.common.permissions import Anyone, SignedIn, require_personal
from api.notifications import browsers, reading, web_push
from api.notifications.wishes import change_wishes, wishes_for
from api.representations.resources.notifications import (
    ChangeWishesSerializer,
    NotificationSerializer,
    PushRenewalSerializer,
    PushSubscriptionSerializer,
    PushSubscriptionsSerializer,
    PushSubscriptionWishSerializer,
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


@extend_schema(tags=["notifications"])
class PushSubscriptionsView(OwnView):
    """The browsers of the user who asks that take pushes."""

    @extend_schema(operation_id="push_subscriptions", responses=PushSubscriptionsSerializer)
    def get(self, request: Request) -> Response:
        """All of them, the newest first, without endpoints and keys; and the key by which another subscribes."""
        require_personal(principal_of(request))
        rows = browsers.subscriptions_of(self.user(request))
        shown = PushSubscriptionSerializer(rows, many=True).data
        return Response({"public_key": web_push.public_key(), "results": shown})

    @extend_schema(
        operation_id="create_push_subscription",
        request=PushSubscriptionWishSerializer,
        responses={201: PushSubscriptionSerializer},
    )
    def post(self, request: Request) -> Response:
        """Push what you are told from now on to a browser; the same endpoint again is the same browser."""
        require_personal(principal_of(request))
        given = browsers.Wish(**wish(PushSubscriptionWishSerializer, request))
        made = browsers.subscribe(self.user(request), given, timezone.now())
        return Response(PushSubscriptionSerializer(made).data, status=201)


@extend_schema(tags=["notifications"])
class PushSubscriptionView(OwnView):
    """One browser that takes pushes."""

    @extend_schema(
        operation_id="delete_push_subscription", request=None, responses={204: OpenApiResponse(description="Deleted.")}
    )
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """Push nothing more to it."""
        require_personal(principal_of(request))
        browsers.unsubscribe(self.user(request), subscription_id)
        return Response(status=204)


@extend_schema(tags=["notifications"])
class PushRenewalsView(ApiView):
    """Subscriptions that browsers renew by themselves, with nobody at hand."""

    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="renew_push_subscription",
        request=PushRenewalSerializer,
        responses=PushSubscriptionSerializer,
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Put a renewed subscription in the place of the former one; who shows endpoint and secret of that is it."""
        body = PushRenewalSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        return Response(PushSubscriptionSerializer(body.renew()).data)


urlpatterns = [
    path("me/notifications/", NotificationsView.as_view(), name="notifications"),
    path("me/notifications/count/", UnreadView.as_view(), name="notifications-count"),
    path("me/notifications/read/", ReadView.as_view(), name="notifications-read"),
    path("me/notification-settings/", NotificationSettingsView.as_view(), name="notification-settings"),
    path("me/push-subscriptions/", PushSubscriptionsView.as_view(), name="push-subscriptions"),
    path("me/push-subscriptions/<uuid:subscription_id>/", PushSubscriptionView.as_view(), name="push-subscription"),
    path("push-renewals/", PushRenewalsView.as_view(), name="push-renewals"),
]
